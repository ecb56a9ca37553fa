// The page of engine serve.

import { Analysis } from "./analysis.js";
import { get, post, retryAfter, unanswered } from "./api.js";
import { belongsElsewhere, byId, element, refill, setHidden } from "./dom.js";
import { Game } from "./game.js";
import { prepareNavigation, prepareTheme } from "./navigation.js";
import { Play } from "./play.js";
import { Review } from "./review.js";
import { Setup } from "./setup.js";
import { lasting, session } from "./storage.js";
import { Table, attempt, startFEN, toast } from "./table.js";
import { Transfer } from "./transfer.js";
import { resultText } from "./text.js";

const kept = "game"; // where a game survives a reload of the page

async function start() {
	const engine = await offered();
	const table = new Table();
	const analysis = new Analysis(table, engine);
	const review = new Review(table, () => analysis.turn(false));
	let playing = false;
	const play = new Play(table, engine, (begun) => {
		playing = begun;
		if (playing) transfer.abandon(); // or a late answer would end the game
		analysis.allow(!playing);
		review.hide(playing);
		describe(table, playing);
		byId("undo").title = playing ? "Take back" : "Delete this move and the rest";
	});
	/** @param {any} tree @param {string} [warning] */
	const open = (tree, warning = "") => {
		const replaced = table.game.root.children.length > 0;
		play.leave();
		table.flip(false);
		table.load(tree, !tree.review && tree.moves?.length > 0);
		if (replaced) table.offer(`${warning} The game that was here can be brought back.`.trim());
		else if (warning) toast(warning);
	};
	for (const button of document.querySelectorAll(".cancel")) {
		button.addEventListener("click", () => button.closest("dialog").close());
	}
	new Setup(table, open);
	const transfer = new Transfer(table, open);
	byId("undo").addEventListener("click", () => (play.game ? play.undo() : table.deleteMove()));
	byId("promote").addEventListener("click", () => table.promote());
	prepareNavigation(table, { l: () => analysis.allowed && byId("analyze").click() });
	prepareUndo(() => table.undo());
	prepareTheme((theme) => lasting.keep("theme", theme));
	prepareTyping(table);
	table.addEventListener("position", () => describe(table, playing));
	table.addEventListener("game", () => session.keep(kept, JSON.stringify(table.game.tree())));
	await restore(table);
	const settings = Play.kept();
	if (settings) attempt(() => play.resume(settings));
	else play.leave();
}

/**
 * Returns what the server offers. If there is no answer it asks again later: a browser may show
 * the page that it kept when it starts before the server.
 */
async function offered() {
	const engine = await attempt(() => get("/api/engine"));
	return engine ?? new Promise((resolve) => setTimeout(() => resolve(offered()), retryAfter));
}

/** Shows the game from before a reload, or a new one if the server refuses what is kept. @param {Table} table */
async function restore(table) {
	const tree = session.recall(kept);
	try {
		const game = new Game(tree);
		await post("/api/position", game.request(game.mainLine().at(-1) ?? game.root)).catch((err) => {
			if (err.name !== unanswered) throw err;
		});
		table.load(tree, !tree.review);
	} catch {
		table.load({ fen: startFEN });
	}
}

/**
 * Shows what is known about the position.
 * @param {Table} table
 * @param {boolean} playing hides what helps in a game against the engine
 */
function describe(table, playing) {
	const { view } = table;
	setHidden(byId("promote"), table.game.isMain(table.node), byId("flip"));
	if (!view && !table.lost) return; // it is on its way
	const opening = view?.opening;
	byId("opening").textContent = opening
		? `${opening.eco}  ${opening.name}`
		: table.game.tag("Event") || (table.game.root.children.length > 0 ? "" : "New game");
	const outcome = byId("outcome");
	const ending = table.game.ending?.node === table.node ? table.game.ending.text : "";
	const ended =
		ending ||
		(view?.outcome &&
			(view.outcome.claimable
				? `Draw can be claimed: ${view.outcome.reason}`
				: `${resultText(view.outcome.result)}, ${view.outcome.reason}`));
	outcome.hidden = !ended;
	if (ended) outcome.textContent = ended;
	const tablebase = byId("tablebase");
	setHidden(tablebase, !view?.table || playing, byId("moves"));
	if (view?.table) {
		refill(
			tablebase,
			element("b", {}, "Tablebase: " + view.table.result),
			element(
				"div",
				{ class: "table-moves" },
				...view.table.moves.map((move) =>
					element(
						"button",
						{
							type: "button",
							class: "move " + move.result.replaceAll(" ", "-"),
							title: move.result + (move.dtz ? `, ${move.dtz} plies to a capture or pawn move` : ""),
							click: () => attempt(() => table.play(move.uci)),
						},
						move.san,
					),
				),
			),
		);
	}
	document.title =
		[table.game.tag("White"), table.game.tag("Black")].filter(Boolean).join(" – ") || opening?.name || "Skein";
}

/** Connects the key that brings back what was lost. @param {() => void} undo */
function prepareUndo(undo) {
	document.addEventListener("keydown", (event) => {
		if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
		if (belongsElsewhere(event)) return;
		event.preventDefault();
		undo();
	});
}

/** Connects the field for moves that are typed. @param {Table} table */
function prepareTyping(table) {
	byId("typed").addEventListener("submit", (event) => {
		event.preventDefault();
		const field = event.target.elements.move;
		const text = field.value.trim();
		if (text)
			attempt(async () => {
				if (!(await table.play(text))) throw new Error(`${text} was not played.`);
				field.value = "";
			});
	});
}

attempt(start);
