// A report: reviewed games in one file.

import { Chart } from "./chart.js";
import { byId, element } from "./dom.js";
import { moveText } from "./moves.js";
import { prepareNavigation, prepareTheme } from "./navigation.js";
import { summaryTable } from "./summary.js";
import { madeBy, resultText } from "./text.js";
import { Viewer, drawGauge } from "./viewer.js";

const trees = [...document.querySelectorAll("script.game")].map((script) => JSON.parse(script.textContent ?? ""));

if (trees.length === 0) byId("title").textContent = "No games";
else showReport();

function showReport() {
	const viewer = new Viewer(trees[0]);
	const chart = new Chart(byId("chart"), (node) => viewer.go(node));
	viewer.addEventListener("game", () => showGame(viewer, chart));
	viewer.addEventListener("position", () => {
		chart.mark(viewer.node);
		showMove(viewer);
	});
	prepareNavigation(viewer);
	prepareTheme();
	prepareGames(viewer);
	viewer.load(trees[0]);
}

/** Lets the user choose among several games. @param {Viewer} viewer */
function prepareGames(viewer) {
	const select = byId("games");
	select.hidden = trees.length < 2;
	select.append(...trees.map((tree, i) => element("option", { value: i }, `${i + 1}. ${heading(tree)}`)));
	select.addEventListener("change", () => viewer.load(trees[Number(select.value)]));
}

/** Returns who plays and the result. @param {any} tree */
function heading(tree) {
	const value = (name) => tree.tags?.find((tag) => tag.name === name)?.value ?? "?";
	return `${value("White")} – ${value("Black")}, ${resultText(tree.result)}`;
}

/** @param {Viewer} viewer @param {Chart} chart */
function showGame(viewer, chart) {
	const { game } = viewer;
	const title = heading(game);
	byId("title").textContent = title;
	document.title = title;
	const opening = [game.tag("ECO"), game.tag("Opening")].filter(Boolean).join("  ");
	byId("opening").textContent = opening;
	chart.show(game, viewer.node);
	byId("summary").replaceChildren(
		summaryTable(
			game,
			() => viewer.node,
			(node) => viewer.go(node),
		),
	);
	byId("source").textContent = [game.tag("Event"), game.tag("Date"), ...madeBy(game.review)]
		.filter(Boolean)
		.join(" · ");
}

/** Shows the verdict on the current move. @param {Viewer} viewer */
function showMove(viewer) {
	const { node, game, board } = viewer;
	let reviewed = node;
	while (!reviewed.review && reviewed.parent) reviewed = reviewed.parent;
	const score = reviewed.review?.after ?? game.review.start;
	drawGauge(score);
	byId("score").textContent = node === reviewed ? score.text : "";
	byId("words").textContent = moveText(node);
	const best = node.review?.verdict && node.review.best?.split(" ")[1]; // after the move number
	const better = best && node.parent?.children.slice(1).find((other) => other.san === best);
	board.setArrows(better?.squares[0] ? [{ from: better.squares[0], to: better.squares[1], kind: "best" }] : []);
}
