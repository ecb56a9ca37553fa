// The list of moves, with variations.

import { element, refill } from "./dom.js";
import { commentOf, moveNumber, sideToMove } from "./game.js";
import { resultText } from "./text.js";

/** @typedef {import("./game.js").GameNode} GameNode */
/** @typedef {import("./game.js").Game} Game */

const glyphs = {
	1: "!",
	2: "?",
	3: "!!",
	4: "??",
	5: "!?",
	6: "?!",
	7: "□",
	10: "=",
	13: "∞",
	14: "⩲",
	15: "⩱",
	16: "±",
	17: "∓",
	18: "+−",
	19: "−+",
	22: "⨀",
	146: "N",
};
const qualities = { 1: "good", 2: "mistake", 3: "brilliant", 4: "blunder", 5: "interesting", 6: "inaccuracy", 7: "only" };

/** Returns a comment without the commands that programs put there. @param {string} comment */
export function readable(comment) {
	// No command reaches beyond the next bracket, or many that are not closed would take quadratic time.
	return comment
		.replace(/\[%[^[\]]*\]/g, "")
		.replace(/\s+/g, " ")
		.trim();
}

/** Returns the quality of a move that its glyphs tell, "" for none. @param {GameNode} node */
export function quality(node) {
	return node.glyphs.map((glyph) => qualities[glyph]).find(Boolean) ?? "";
}

/** Returns the glyphs of a move as text. @param {GameNode} node */
export function glyphText(node) {
	return node.glyphs.map((glyph) => glyphs[glyph] ?? "").join("");
}

/** Returns a move with its number, glyphs and comment, or the name of the start. @param {GameNode} node */
export function moveText(node) {
	return node.parent
		? `${moveNumber(node)} ${node.san}${glyphText(node)}  ${readable(commentOf(node))}`
		: "Start of the game";
}

export class MoveList {
	/**
	 * @param {HTMLElement} root
	 * @param {(node: GameNode) => void} go receives the node that was chosen
	 */
	constructor(root, go) {
		this.root = root;
		this.go = go;
		/** @type {Map<GameNode, HTMLElement>} */
		this.buttons = new Map();
		this.height = 0;
		new ResizeObserver(() => this.resized()).observe(root);
	}

	/** Keeps the current move visible, if it is, where the list becomes lower, as for the lines of an analysis. */
	resized() {
		const box = this.root.getBoundingClientRect();
		const at = this.marked?.getBoundingClientRect();
		if (at && at.top >= box.top && at.bottom <= box.top + this.height) this.reveal();
		this.height = box.height;
	}

	/** Shows a game. @param {Game} game @param {GameNode} current */
	show(game, current) {
		this.buttons.clear();
		const rows = element("div", { class: "main-line" });
		let row = null;
		let node = game.root;
		const intro = readable(commentOf(node));
		if (intro) rows.append(element("p", { class: "comment" }, intro));
		while (node.children.length > 0) {
			const parent = node;
			node = parent.children[0];
			const black = sideToMove(parent.fen) === "black";
			if (!row || !black) {
				row = element(
					"div",
					{ class: "row" },
					element("span", { class: "number" }, moveNumber(node).replace("…", ".")),
				);
				if (black) row.append(element("span", { class: "gap" }, "…"));
				rows.append(row);
			}
			row.append(this.button(node));
			const below = this.below(parent, node);
			if (below.hasChildNodes()) {
				rows.append(below);
				row = null;
			}
		}
		if (game.result !== "*") rows.append(element("p", { class: "result" }, resultText(game.result)));
		refill(this.root, rows);
		this.mark(current);
	}

	/** Returns what stands below a move of the main line. @param {GameNode} parent @param {GameNode} node */
	below(parent, node) {
		const below = element("div", { class: "below" });
		const words = readable(commentOf(node));
		if (words) below.append(element("p", { class: "comment" }, words));
		for (const variation of parent.children.slice(1)) {
			const text = element("p", { class: "variation" });
			this.write(text, variation);
			below.append(text);
		}
		return below;
	}

	/** Adds a variation as running text, part by part, as it may be long. @param {any} text @param {GameNode} first */
	write(text, first) {
		if (readable(first.intro)) text.append(element("span", { class: "comment" }, readable(first.intro)), " ");
		let numbered = false;
		/** @type {GameNode|undefined} */
		let node = first;
		while (node) {
			const parent = /** @type {GameNode} */ (node.parent);
			const white = sideToMove(parent.fen) === "white";
			if (white || !numbered) text.append(element("span", { class: "number" }, moveNumber(node)));
			numbered = true;
			text.append(this.button(node), " ");
			const words = readable(commentOf(node));
			if (words) {
				text.append(element("span", { class: "comment" }, words), " ");
				numbered = false;
			}
			if (node !== first) {
				for (const other of parent.children.slice(1)) {
					text.append("(");
					this.write(text, other);
					text.append(") ");
					numbered = false;
				}
			}
			node = node.children[0];
		}
	}

	/** @param {GameNode} node */
	button(node) {
		const kind = quality(node);
		const button = element(
			"button",
			{
				type: "button",
				class: kind ? "move " + kind : "move",
				click: () => this.go(node),
			},
			node.san,
			glyphText(node) ? element("span", { class: "glyph" }, glyphText(node)) : null,
		);
		this.buttons.set(node, button);
		return button;
	}

	/** Marks the current move and makes it visible. @param {GameNode} node */
	mark(node) {
		this.marked?.removeAttribute("aria-current");
		this.marked = this.buttons.get(node);
		if (!this.marked) {
			this.root.scrollTop = 0;
			return;
		}
		this.marked.setAttribute("aria-current", "true");
		this.reveal();
	}

	/** Makes the current move visible. */
	reveal() {
		const box = this.root.getBoundingClientRect();
		const at = this.marked.getBoundingClientRect();
		if (at.top < box.top) this.root.scrollTop -= box.top - at.top + box.height / 3;
		if (at.bottom > box.bottom) this.root.scrollTop += at.bottom - box.bottom + box.height / 3;
	}
}
