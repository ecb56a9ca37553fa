// A game that can be stepped through: the board, the list of moves, and who plays.

import { Board } from "./board.js";
import { byId } from "./dom.js";
import { Game, continuation } from "./game.js";
import { MoveList } from "./moves.js";
import { spoken, timeText } from "./text.js";

/** @typedef {import("./game.js").GameNode} GameNode */

/** The events are "position", and "game" for another game or one that has changed. */
export class Viewer extends EventTarget {
	/** @param {any} tree of a game @param {object} [options] of the board */
	constructor(tree, options) {
		super();
		this.board = new Board(byId("board"), options);
		this.moves = new MoveList(byId("moves"), (node) => this.go(node));
		this.game = new Game(tree);
		this.node = this.game.root;
	}

	/** Shows a game from its start, or from its end. @param {any} tree @param {boolean} [atEnd] */
	load(tree, atEnd = false) {
		this.game = new Game(tree);
		this.node = atEnd ? (this.game.mainLine().at(-1) ?? this.game.root) : this.game.root;
		this.changed();
	}

	/** Tells that moves came or went. */
	changed() {
		this.moves.show(this.game, this.node);
		this.dispatchEvent(new Event("game"));
		this.go(this.node);
	}

	/** Shows a position of the game. @param {GameNode} node */
	go(node) {
		this.node = node;
		this.draw();
		this.moves.mark(node);
		this.drawPlayers();
		this.dispatchEvent(new Event("position"));
	}

	draw() {
		const { fen, squares, check } = this.node;
		this.board.show({ fen, squares, check });
	}

	/** Turns the board. @param {boolean} flipped */
	flip(flipped) {
		this.board.flip(flipped);
		this.drawPlayers();
	}

	/** Shows the players at their sides of the board, with the times left that the game tells. */
	drawPlayers() {
		for (const [id, upper] of /** @type {[string, boolean][]} */ ([
			["player-top", true],
			["player-bottom", false],
		])) {
			const white = upper === this.board.flipped;
			const side = white ? "White" : "Black";
			const rating = this.game.tag(side + "Elo");
			const box = byId(id);
			box.querySelector(".name").textContent = this.game.tag(side) + (rating ? ` (${rating})` : "");
			this.drawClock(box.querySelector(".clock"), white);
		}
	}

	/** @param {any} clock @param {boolean} white */
	drawClock(clock, white) {
		const left = this.timeLeft(white);
		clock.hidden = left === undefined;
		clock.classList.remove("running", "short"); // of a game against the engine
		if (left !== undefined) clock.textContent = timeText(left);
	}

	/** Returns the seconds left to a player, if they are known. @param {boolean} white @returns {number|undefined} */
	timeLeft(white) {
		for (let n = this.node; n.parent; n = n.parent) {
			if ((n.fen.split(" ")[1] === "b") === white) return n.clock;
		}
		return undefined;
	}

	back() {
		if (this.node.parent) this.go(this.node.parent);
	}
	forward() {
		if (this.node.children.length > 0) this.go(this.node.children[0]);
	}
	first() {
		this.go(this.game.root);
	}
	last() {
		this.go([...continuation(this.node)].at(-1) ?? this.node);
	}
}

/** Shows winning chances beside the board. @param {any} score null if it is unknown */
export function drawGauge(score) {
	const gauge = byId("gauge");
	gauge.firstElementChild.style.setProperty("--share", String(score?.chance ?? 0.5));
	gauge.setAttribute("aria-label", score ? `Evaluation ${spoken(score)}` : "No evaluation");
}
