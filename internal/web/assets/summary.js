// The summary of a reviewed game: accuracy and counts of both players.

import { element } from "./dom.js";
import { continuation } from "./game.js";

/** @typedef {import("./game.js").Game} Game */

const rows = [
	["inaccuracies", "Inaccuracies", "inaccuracy"],
	["mistakes", "Mistakes", "mistake"],
	["blunders", "Blunders", "blunder"],
];

/**
 * Returns a table with the summary of a game. Its counts lead to the moves counted, one
 * after the other.
 * @param {Game} game
 * @param {() => any} current returns the current node
 * @param {(node: any) => void} go
 */
export function summaryTable(game, current, go) {
	const { white, black } = game.review;
	const players = [white, black];
	const head = element(
		"tr",
		{},
		element("td"),
		...players.map((_, i) =>
			element(
				"th",
				{ scope: "col" },
				element("i", { class: i === 0 ? "disc white" : "disc black" }),
				game.tag(["White", "Black"][i]) || ["White", "Black"][i],
			),
		),
	);
	const body = [
		element(
			"tr",
			{ class: "accuracy" },
			element("th", { scope: "row" }, "Accuracy"),
			...players.map((player) => element("td", {}, player.moves ? `${Math.round(player.accuracy)}%` : "–")),
		),
		...rows.map(([key, label, verdict]) =>
			element(
				"tr",
				{},
				element("th", { scope: "row" }, element("i", { class: "dot " + verdict }), label),
				...players.map((player, i) =>
					count(player[key], `${player[key] === 1 ? verdict : key} by ${["White", "Black"][i]}`, () => {
						const node = nextOf(game, current(), verdict, i);
						if (node) go(node); // else its move was deleted
					}),
				),
			),
		),
		element(
			"tr",
			{},
			element("th", { scope: "row" }, "Centipawn loss"),
			...players.map((player) => element("td", {}, player.moves ? String(Math.round(player.acpl)) : "–")),
		),
	];
	return element(
		"table",
		{ class: "summary" },
		element("thead", {}, head),
		element("tbody", {}, ...body),
		phases(players),
	);
}

/** @param {number} n @param {string} label @param {() => void} click */
function count(n, label, click) {
	if (!n) return element("td", {}, "0");
	return element(
		"td",
		{},
		element("button", { type: "button", click, "aria-label": `${n} ${label}, next` }, String(n)),
	);
}

/** Returns rows with the centipawn loss in the phases of the game. @param {any[]} players */
function phases(players) {
	const names = { opening: "Opening", middlegame: "Middlegame", endgame: "Endgame" };
	return element(
		"tbody",
		{ class: "phases" },
		...Object.entries(names)
			.filter(([key]) => players.some((player) => player[key].moves > 0))
			.map(([key, name]) =>
				element(
					"tr",
					{},
					element("th", { scope: "row" }, name),
					...players.map((player) =>
						element("td", {}, player[key].moves ? String(Math.round(player[key].acpl)) : "–"),
					),
				),
			),
	);
}

/**
 * Returns the next move of a player with a verdict after the current one, from the start
 * again after the last; undefined if it was deleted.
 * @param {Game} game
 * @param {any} current
 * @param {string} verdict
 * @param {number} player 0 for White
 */
function nextOf(game, current, verdict, player) {
	const side = player === 0 ? "b" : "w"; // to move after it
	const matches = (node) => node.review?.verdict === verdict && node.fen.split(" ")[1] === side;
	for (const node of continuation(current)) if (matches(node)) return node;
	return game.mainLine().find(matches);
}
