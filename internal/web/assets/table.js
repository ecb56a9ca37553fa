// The game on the board: which position is shown, and what changes it.

import { post } from "./api.js";
import { Board, pieceName, piecesOf } from "./board.js";
import { byId } from "./dom.js";
import { Game, continuation } from "./game.js";
import { MoveList } from "./moves.js";

/** @typedef {import("./game.js").GameNode} GameNode */

export const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** Shows a message for some seconds. @param {string} text */
export function toast(text) {
	const box = byId("toast");
	box.textContent = text;
	box.hidden = false;
	clearTimeout(box.timer);
	box.timer = setTimeout(() => { box.hidden = true; }, 6000);
}

/** Lets readers of screens say a text. @param {"move"|"score"} kind @param {string} text */
export function announce(kind, text) {
	byId("announce-" + kind).textContent = text;
}

/** Runs something and shows its error, if it fails. @param {() => any} action */
export async function attempt(action) {
	try {
		return await action();
	} catch (err) {
		if (/** @type {Error} */ (err).name !== "AbortError") toast(/** @type {Error} */ (err).message);
		return undefined;
	}
}

/** The events of a table are "position", "game" (a new one or another shape) and "played". */
export class Table extends EventTarget {
	constructor() {
		super();
		this.board = new Board(byId("board"), { play: (move) => attempt(() => this.play(move.uci)) });
		this.moves = new MoveList(byId("moves"), (node) => this.go(node));
		this.game = new Game({ fen: startFEN });
		this.node = this.game.root;
		/** Says whether moves may be made. @type {(node: GameNode) => boolean} */
		this.open = () => true;
	}

	/** Returns what the server knows of the current position, if it is here. @returns {any} */
	get view() {
		return this.node.view;
	}

	/** Shows a game from its start, or from its end if it is not annotated. @param {any} tree @param {boolean} [atEnd] */
	load(tree, atEnd = false) {
		this.game = new Game(tree);
		this.node = atEnd ? this.game.mainLine().at(-1) ?? this.game.root : this.game.root;
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
		this.dispatchEvent(new Event("position"));
		if (!node.view) attempt(() => this.fetchView(node));
	}

	/** @param {GameNode} node */
	async fetchView(node) {
		node.view = await post("/api/position", this.game.request(node));
		if (this.node === node) {
			this.draw();
			this.dispatchEvent(new Event("position"));
		}
	}

	draw() {
		const { fen, squares, check, view } = this.node;
		this.board.show({ fen, squares, check, legal: view && this.open(this.node) ? view.legal : [] });
	}

	/** Plays a move in UCI or SAN notation. @param {string} text */
	async play(text) {
		const { game, node } = this;
		const view = await post("/api/position", { ...game.request(node), play: text });
		if (this.game !== game || this.node !== node || !this.open(node)) return;
		this.accept(view);
		this.dispatchEvent(new Event("played"));
	}

	/** Adds a move to the game. @param {any} view of the position after it */
	accept(view) {
		const isNew = !this.node.children.some((child) => child.uci === view.last.uci);
		this.node = this.game.add(this.node, view);
		announce("move", describeMove(view));
		if (isNew) this.changed();
		else this.go(this.node);
	}

	/** Plays a line of moves from the current position. @param {any[]} moves */
	async playLine(moves) {
		for (const move of moves) await this.play(move.uci);
	}

	back() { if (this.node.parent) this.go(this.node.parent); }
	forward() { if (this.node.children.length > 0) this.go(this.node.children[0]); }
	first() { this.go(this.game.root); }
	last() { this.go([...continuation(this.node)].at(-1) ?? this.node); }

	/** Deletes the current move and all that follow. */
	deleteMove() {
		const { node } = this;
		if (!node.parent) return;
		this.game.remove(node);
		this.node = node.parent;
		this.changed();
	}
}

/** Returns the last move in words. @param {any} view */
function describeMove(view) {
	const mover = view.turn === "white" ? "Black" : "White";
	const [from, to] = view.last.squares;
	const piece = piecesOf(view.fen).get(to);
	let text = `${mover}: ${piece ? pieceName(piece).split(" ")[1] : "piece"} ${from} to ${to}`;
	if (view.last.san.includes("x")) text += ", takes";
	if (view.check) text += ", check";
	if (view.outcome) text += `. ${view.outcome.reason}`;
	return text;
}

