// The game on the board: which position is shown, and what changes it.

import { post, retryAfter, unanswered } from "./api.js";
import { pieceName, piecesOf } from "./board.js";
import { byId, element, setHidden } from "./dom.js";
import { Game } from "./game.js";
import { moveText } from "./moves.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("./game.js").GameNode} GameNode */

export const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/**
 * Shows a message for some seconds, in the dialog that is open if there is one.
 * @param {string} text
 * @param {...any} more what follows it
 */
export function toast(text, ...more) {
	const box = byId("toast");
	([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append(box);
	box.replaceChildren(text, ...more);
	box.hidden = false;
	clearTimeout(box.timer);
	box.timer = setTimeout(hideToast, 6000);
}

function hideToast() {
	setHidden(byId("toast"), true, byId("moves"));
}

/** Lets readers of screens say a text. @param {"move"|"score"} kind @param {string} text */
export function announce(kind, text) {
	byId("announce-" + kind).textContent = text;
}

/**
 * Runs something and shows its error, if it fails and was not given up.
 * @param {() => any} action
 * @param {HTMLElement} [dialog] with a place for it
 */
export async function attempt(action, dialog) {
	try {
		return await action();
	} catch (err) {
		const { name, message } = /** @type {Error} */ (err);
		if (name === "AbortError") return undefined;
		if (dialog) dialog.querySelector(".error").textContent = message;
		else toast(message);
		return undefined;
	}
}

/**
 * A game to which moves can be added. Further events are "played", for moves of the user, and "view", for
 * what the server says of any position.
 */
export class Table extends Viewer {
	constructor() {
		super({ fen: startFEN }, { play: (move) => attempt(() => this.play(move.uci)) });
		/** Says whether moves may be made. @type {(node: GameNode) => boolean} */
		this.open = () => true;
		this.lost = false; // whether the server did not say what it knows of the last position
		/** Says whether what was lost may be brought back. */
		this.undoable = () => true;
		/** Brings back the moves or the game that were lost last, and says whether it did. @type {(() => boolean)[]} */
		this.losses = [];
		/** The answer to the last move that was played. @type {Promise<any>} */
		this.asked = Promise.resolve();
	}

	/** Returns what the server knows of the current position, if it is here. @returns {any} */
	get view() {
		return this.node.view;
	}

	/** Shows a position of the game. @param {GameNode} node */
	go(node) {
		if (node !== this.node) announce("move", moveText(node));
		super.go(node);
		if (!node.view) attempt(() => this.fetchView(node));
	}

	/**
	 * Asks what the server knows of a position. If there is no answer it asks again later, while the
	 * position is shown.
	 * @param {GameNode} node
	 */
	async fetchView(node) {
		let known = false; // by another request, so that a drag of a piece goes on
		try {
			const view = await post("/api/position", this.game.request(node));
			known = Boolean(node.view);
			node.view = view;
			this.lost = false;
			this.dispatchEvent(new Event("view"));
		} catch (err) {
			this.lost = true;
			if (/** @type {Error} */ (err).name === unanswered) {
				clearTimeout(this.retry);
				this.retry = setTimeout(() => this.node === node && attempt(() => this.fetchView(node)), retryAfter);
			}
			throw err;
		} finally {
			if (this.node === node && !known) {
				this.draw();
				this.dispatchEvent(new Event("position"));
			}
		}
	}

	draw() {
		const { fen, squares, check, view } = this.node;
		this.board.show({ fen, squares, check, legal: view && this.open(this.node) ? view.legal : [] });
		byId("board").setAttribute("aria-busy", String(!view));
	}

	/**
	 * Plays a move in UCI or SAN notation, and returns whether it was added: not if the game was
	 * resigned or lost on time before the answer came.
	 * @param {string} text
	 */
	async play(text) {
		const { game, node } = this;
		const { ending } = game;
		this.asked = post("/api/position", { ...game.request(node), play: text });
		const view = await this.asked;
		if (this.game !== game || this.node !== node || game.ending !== ending || !this.open(node)) return false;
		this.accept(view);
		this.dispatchEvent(new Event("played"));
		return true;
	}

	/** Adds a move to the game. @param {any} view of the position after it */
	accept(view) {
		const isNew = !this.node.children.some((child) => child.uci === view.last.uci);
		this.node = this.game.add(this.node, view);
		announce("move", describeMove(view));
		if (isNew) this.changed();
		else this.go(this.node);
	}

	/**
	 * Shows another version of the game, with what was changed in this one: at the same position,
	 * or from the start if that is the end.
	 * @param {any} tree
	 * @param {Set<GameNode>} known what was in the game when it was sent for that version
	 */
	update(tree, known) {
		const { game, node } = this;
		const ended = game.isMain(node) && node.children.length === 0;
		this.game = new Game(tree);
		this.game.merge(game, known);
		this.node = ended ? this.game.root : this.game.find(game.path(node));
		this.changed();
	}

	/** Plays a line of moves from the current position, until another one is shown. @param {any[]} moves */
	async playLine(moves) {
		for (const move of moves) {
			if (!(await this.play(move.uci))) return;
		}
	}

	/** Makes the current line the main line. */
	promote() {
		this.game.promote(this.node);
		this.changed();
	}

	/** Deletes the current move and all that follow. */
	deleteMove() {
		const { game, node } = this;
		if (!node.parent) return;
		const restore = game.remove(node);
		this.losses.push(() => {
			if (this.game.identity !== game.identity) return false; // it is another one now
			const restored = restore(this.game);
			if (!restored) return false;
			this.node = restored;
			this.changed();
			return true;
		});
		this.node = node.parent;
		this.changed();
		this.offer(`Deleted ${node.san}${node.children.length > 0 ? " and the moves after it" : ""}.`);
	}

	/** Shows another game. This one can be brought back if it has moves. @param {any} tree @param {boolean} [atEnd] */
	load(tree, atEnd) {
		this.keepGame();
		super.load(tree, atEnd);
	}

	/** Keeps the game to be brought back, if it has moves: next or, by "unshift", last. @param {"push"|"unshift"} [as] */
	keepGame(as = "push") {
		const { game, node } = this;
		if (game.root.children.length === 0) return;
		this.losses[as](() => {
			this.keepGame("unshift"); // so that all come round
			this.game = game;
			this.node = node;
			this.changed();
			return true;
		});
	}

	/** Shows a message, and offers to bring back what was lost last. @param {string} message */
	offer(message) {
		toast(message + " ", element("button", { type: "button", click: () => this.undo() }, "Bring back"));
	}

	/** Brings back the moves or the game that were lost last. */
	undo() {
		if (!this.undoable()) return;
		hideToast();
		while (this.losses.pop()?.() === false);
	}
}

/** Returns the last move in words. @param {any} view */
function describeMove(view) {
	const mover = view.turn === "white" ? "Black" : "White";
	const { san, squares } = view.last;
	const [from, to] = squares;
	const piece = piecesOf(view.fen).get(to);
	const name = piece ? pieceName(piece).split(" ")[1] : "piece";
	const promoted = san.includes("=");
	let text = `${mover}: ${promoted ? "pawn" : name} ${from} to ${to}`;
	if (san.startsWith("O")) text = `${mover} castles ${san.startsWith("O-O-O") ? "queenside" : "kingside"}`;
	if (san.includes("x")) text += ", takes";
	if (promoted) text += `, becomes a ${name}`;
	if (view.check) text += ", check";
	if (view.outcome) text += `. ${view.outcome.reason}`;
	return text;
}
