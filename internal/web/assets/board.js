// A board that shows a position and on which moves are made by dragging, clicking,
// touching, or the keyboard.

import { element, pieceElement, svgElement } from "./dom.js";

const files = "abcdefgh";
const pieceNames = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/**
 * What a board shows.
 * @typedef {object} Shown
 * @property {string} fen
 * @property {string[]} [squares] of the last move
 * @property {string} [check] square of a king in check
 * @property {any[]} [legal] moves that can be made
 */

/**
 * An arrow from one square to another; a circle if they are the same.
 * @typedef {object} Arrow
 * @property {string} from
 * @property {string} to
 * @property {string} kind a class
 */

/** Returns the pieces by square of the first field of a FEN. @param {string} fen @returns {Map<string, string>} */
export function piecesOf(fen) {
	const pieces = new Map();
	fen.split(" ")[0]
		.split("/")
		.forEach((rank, row) => {
			let column = 0;
			for (const letter of rank) {
				if (letter >= "1" && letter <= "8") {
					column += Number(letter);
					continue;
				}
				const upper = letter.toUpperCase();
				pieces.set(files[column++] + (8 - row), (letter === upper ? "w" : "b") + upper);
			}
		});
	return pieces;
}

/** Returns the name of a piece such as wN in words. @param {string} piece */
export function pieceName(piece) {
	return (piece[0] === "w" ? "white " : "black ") + pieceNames[piece[1].toLowerCase()];
}

/** Returns how far two squares are from each other. @param {string} a @param {string} b */
function distance(a, b) {
	return Math.abs(files.indexOf(a[0]) - files.indexOf(b[0])) + Math.abs(Number(a[1]) - Number(b[1]));
}

export class Board {
	/**
	 * @param {HTMLElement} root an empty element
	 * @param {object} [options]
	 * @param {(move: any) => void} [options.play] receives the legal move that was made
	 * @param {(square: string) => void} [options.press] receives squares that were clicked, in place of making moves
	 * @param {(from: string, to: string) => void} [options.drop] receives what was dragged, "" being off the board
	 * @param {string} [options.label]
	 */
	constructor(root, options = {}) {
		this.root = root;
		this.options = options;
		this.flipped = false;
		/** @type {Shown} */
		this.shown = { fen: "8/8/8/8/8/8/8/8 w - - 0 1" };
		this.pieces = new Map(); // elements by square
		this.selected = "";
		this.focused = "e2";
		this.confirming = false; // a square, by a key that is down
		this.dragging = new AbortController(); // ends the drag, if there is one
		this.drawn = []; // arrows of the user
		this.arrows = [];
		this.build();
		this.listen();
	}

	build() {
		this.cells = [];
		const grid = element("div", {
			class: "grid",
			role: "grid",
			"aria-label": this.options.label ?? "Chess board",
		});
		for (let row = 0; row < 8; row++) {
			const line = element("div", { class: "rank", role: "row" });
			for (let column = 0; column < 8; column++) {
				const cell = element("div", { class: "square", role: "gridcell", tabindex: "-1" });
				this.cells.push(cell);
				line.append(cell);
			}
			grid.append(line);
		}
		this.layer = element("div", { class: "pieces", "aria-hidden": "true" });
		this.overlay = svgElement("svg", { class: "arrows", viewBox: "0 0 8 8", "aria-hidden": "true" });
		this.root.append(grid, this.layer, this.overlay);
		this.grid = grid;
	}

	/** Returns the square of a cell. @param {number} index from the upper left */
	squareAt(index) {
		const i = this.flipped ? 63 - index : index;
		return files[i % 8] + (8 - Math.floor(i / 8));
	}

	/** Returns the number of the cell of a square. @param {string} square */
	indexOf(square) {
		const i = (8 - Number(square[1])) * 8 + files.indexOf(square[0]);
		return this.flipped ? 63 - i : i;
	}

	/** Shows a position. @param {Shown} shown */
	show(shown) {
		if (shown.fen !== this.shown.fen) this.drawn = [];
		this.shown = shown;
		this.dragging.abort();
		this.closeChooser();
		this.selected = "";
		this.placePieces();
		this.refresh();
		this.drawArrows();
	}

	/** Turns the board. @param {boolean} flipped whether Black is at the bottom */
	flip(flipped) {
		const focused = this.grid.contains(document.activeElement);
		this.flipped = flipped;
		this.show(this.shown);
		if (focused) this.focus(this.focused); // the square, which has another cell now
	}

	/** Moves the elements of pieces to where the position has them. */
	placePieces() {
		const wanted = piecesOf(this.shown.fen);
		const kept = new Map();
		const free = [];
		for (const [square, el] of this.pieces) {
			if (wanted.get(square) === el.dataset.piece) kept.set(square, el);
			else free.push([square, el]);
		}
		for (const [square, piece] of wanted) {
			if (kept.has(square)) continue;
			const candidates = free.filter(([, el]) => el.dataset.piece === piece);
			candidates.sort(([a], [b]) => distance(a, square) - distance(b, square));
			let el = candidates[0]?.[1];
			if (el) {
				free.splice(
					free.findIndex(([, other]) => other === el),
					1,
				);
			} else {
				el = pieceElement(piece, { class: "piece", "data-piece": piece });
				this.layer.append(el);
			}
			kept.set(square, el);
		}
		for (const [, el] of free) el.remove();
		this.pieces = kept;
		for (const [square, el] of kept) this.place(el, square);
	}

	/** @param {any} el @param {string} square */
	place(el, square) {
		const i = this.indexOf(square);
		el.style.transform = `translate(${(i % 8) * 100}%, ${Math.floor(i / 8) * 100}%)`;
	}

	/** Updates the marks and labels of all squares. */
	refresh() {
		const { squares = [], check = "", fen } = this.shown;
		const pieces = piecesOf(fen);
		const targets = this.selected ? this.targets(this.selected) : new Map();
		this.cells.forEach((cell, index) => {
			const square = this.squareAt(index);
			const piece = pieces.get(square);
			const dark = (files.indexOf(square[0]) + Number(square[1])) % 2 === 1;
			const marks = ["square", dark ? "dark" : "light"];
			if (squares.includes(square)) marks.push("last");
			if (square === check) marks.push("check");
			if (square === this.selected) marks.push("selected");
			if (targets.has(square)) marks.push(piece ? "capture" : "target");
			cell.className = marks.join(" ");
			cell.dataset.square = square;
			cell.dataset.file = index >= 56 ? square[0] : "";
			cell.dataset.rank = index % 8 === 0 ? square[1] : "";
			let label = square + (piece ? ", " + pieceName(piece) : "");
			if (targets.has(square)) label += ", can be moved to";
			if (square === check) label += ", in check";
			cell.setAttribute("aria-label", label);
			cell.setAttribute("aria-selected", String(square === this.selected));
			cell.tabIndex = square === this.focused ? 0 : -1;
		});
	}

	/** Returns the legal moves from a square by target. @param {string} from @returns {Map<string, any[]>} */
	targets(from) {
		const targets = new Map();
		for (const move of this.shown.legal ?? []) {
			if (move.from !== from) continue;
			for (const to of move.to) targets.set(to, [...(targets.get(to) ?? []), move]);
		}
		return targets;
	}

	/** Selects the piece on a square, if it can move. @param {string} square */
	select(square) {
		this.selected = square && this.targets(square).size > 0 ? square : "";
		this.refresh();
	}

	/** Makes the move from the selected square, if there is one. @param {string} to */
	moveTo(to) {
		const moves = this.targets(this.selected).get(to);
		if (!moves) return false;
		this.select("");
		if (moves.length === 1) this.options.play?.(moves[0]);
		else this.choose(moves, to);
		return true;
	}

	/** Acts on a square that was clicked or confirmed by the keyboard. @param {string} square */
	press(square) {
		if (this.options.press) {
			this.options.press(square);
			return;
		}
		if (this.selected === square) this.select("");
		else if (!this.selected || !this.moveTo(square)) this.select(square);
	}

	/** Lets the user choose between promotions. @param {any[]} moves @param {string} square */
	choose(moves, square) {
		this.closeChooser();
		const index = this.indexOf(square);
		const color = moves[0].from[1] === "7" ? "w" : "b";
		const order = "qnrb";
		moves.sort((a, b) => order.indexOf(a.promotion) - order.indexOf(b.promotion));
		let pressed = false; // since the chooser opened
		this.chooser = element(
			"div",
			{ class: index >= 32 ? "chooser up" : "chooser", role: "group", "aria-label": "Promote to" },
			...moves.map((move) =>
				element(
					"button",
					{
						type: "button",
						"aria-label": pieceNames[move.promotion],
						click: (/** @type {MouseEvent} */ event) => {
							// The tap that opened the chooser ends with a click on it. Keys click without a count.
							if (!pressed && event.detail > 0) return;
							this.closeChooser();
							this.focus(square);
							this.options.play?.(move);
						},
					},
					pieceElement(color + move.promotion.toUpperCase()),
				),
			),
		);
		this.chooser.addEventListener("pointerdown", () => {
			pressed = true;
		});
		this.chooser.style.left = `${(index % 8) * 12.5}%`;
		this.chooser.addEventListener("keydown", (event) => {
			event.stopPropagation();
			const all = [...this.chooser.children];
			const i = all.indexOf(document.activeElement);
			if (event.key === "Escape") {
				this.closeChooser();
				this.focus(square);
			}
			if (event.key === "ArrowDown" || event.key === "ArrowRight") all[(i + 1) % all.length].focus();
			if (event.key === "ArrowUp" || event.key === "ArrowLeft")
				all[(i + all.length - 1) % all.length].focus();
		});
		this.root.append(this.chooser);
		const [first] = this.chooser.children;
		// The key that opened the chooser must not confirm its first choice.
		if (this.confirming) document.addEventListener("keyup", () => first.focus(), { once: true });
		else first.focus();
	}

	closeChooser() {
		this.chooser?.remove();
		this.chooser = null;
	}

	/** Moves the keyboard focus. @param {string} square */
	focus(square) {
		this.focused = square;
		this.refresh();
		this.cells[this.indexOf(square)].focus();
	}

	listen() {
		this.root.addEventListener("pointerdown", (event) => this.pointerDown(event));
		this.root.addEventListener("contextmenu", (event) => event.preventDefault());
		this.grid.addEventListener("keydown", (event) => this.key(event));
		this.grid.addEventListener("focusin", (event) => {
			const square = /** @type {HTMLElement} */ (event.target).dataset.square;
			if (square && square !== this.focused) {
				this.focused = square;
				this.refresh();
			}
		});
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
		const step = steps[event.key];
		const index = this.indexOf(this.focused);
		if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
			const column = Math.min(Math.max((index % 8) + step[0], 0), 7);
			const row = Math.min(Math.max(Math.floor(index / 8) + step[1], 0), 7);
			this.focus(this.squareAt(row * 8 + column));
		} else if (event.key === "Enter" || event.key === " ") {
			this.confirming = true;
			this.press(this.focused);
			this.confirming = false;
		} else if (event.key === "Escape" && this.selected) {
			this.select("");
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}

	/** Returns the square at a point of the window, "" off the board. @param {{clientX: number, clientY: number}} point */
	squareUnder(point) {
		const box = this.grid.getBoundingClientRect();
		const column = Math.floor(((point.clientX - box.left) / box.width) * 8);
		const row = Math.floor(((point.clientY - box.top) / box.height) * 8);
		if (column < 0 || column > 7 || row < 0 || row > 7) return "";
		return this.squareAt(row * 8 + column);
	}

	/** @param {PointerEvent} event */
	pointerDown(event) {
		if (!event.isPrimary || this.chooser?.contains(/** @type {Node} */ (event.target))) return;
		this.closeChooser();
		const square = this.squareUnder(event);
		if (!square) return;
		if (event.button === 2) this.drawArrow(event, square);
		else if (event.button === 0) this.drag(event, square);
	}

	/** Follows the pointer with the piece on a square. @param {PointerEvent} event @param {string} from */
	drag(event, from) {
		event.preventDefault();
		this.focused = from;
		this.cells[this.indexOf(from)].focus({ preventScroll: true });
		if (this.drawn.length > 0) {
			this.drawn = [];
			this.drawArrows();
		}
		const piece = this.pieces.get(from);
		const free = Boolean(this.options.drop);
		const wasSelected = this.selected === from;
		if (!free) {
			if (this.selected && !wasSelected && this.moveTo(from)) return;
			this.select(from);
		}
		const movable = piece && (free || this.selected === from);
		const start = { x: event.clientX, y: event.clientY };
		let dragged = false;
		this.dragging.abort();
		this.dragging = new AbortController();
		const { signal } = this.dragging;
		signal.addEventListener("abort", () => {
			this.hover("");
			piece?.classList.remove("dragged");
			if (dragged) this.place(piece, from);
		});
		/** @param {PointerEvent} e */
		const move = (e) => {
			if (!movable || e.pointerId !== event.pointerId) return;
			if (!dragged && Math.hypot(e.clientX - start.x, e.clientY - start.y) < 4) return;
			dragged = true;
			const box = this.grid.getBoundingClientRect();
			const size = box.width / 8;
			piece.classList.add("dragged");
			piece.style.transform = `translate(${e.clientX - box.left - size / 2}px, ${e.clientY - box.top - size / 2}px)`;
			this.hover(this.squareUnder(e));
		};
		/** @param {PointerEvent} e */
		const end = (e) => {
			if (e.pointerId !== event.pointerId) return; // of another finger
			this.dragging.abort();
			const to = e.type === "pointerup" ? this.squareUnder(e) : from;
			if (free) {
				if (dragged && to !== from) this.options.drop?.(from, to);
				else if (!dragged) this.press(from);
			} else if (to && to !== from) {
				if (this.selected === from) this.moveTo(to);
			} else if (wasSelected && !dragged) {
				this.select("");
			}
		};
		document.addEventListener("pointermove", move, { signal });
		document.addEventListener("pointerup", end, { signal });
		document.addEventListener("pointercancel", end, { signal });
	}

	/** Marks the square that a piece is dragged over. @param {string} square */
	hover(square) {
		this.hovered?.classList.remove("hover");
		this.hovered = square ? this.cells[this.indexOf(square)] : null;
		this.hovered?.classList.add("hover");
	}

	/** Draws an arrow of the user until the button is released. @param {PointerEvent} event @param {string} from */
	drawArrow(event, from) {
		event.preventDefault();
		/** @param {PointerEvent} e */
		const end = (e) => {
			document.removeEventListener("pointerup", end);
			const to = this.squareUnder(e);
			if (!to) return;
			const same = this.drawn.findIndex((a) => a.from === from && a.to === to);
			if (same >= 0) this.drawn.splice(same, 1);
			else this.drawn.push({ from, to, kind: "drawn" });
			this.drawArrows();
		};
		document.addEventListener("pointerup", end);
	}

	/** Shows arrows besides those of the user. @param {Arrow[]} arrows the most important first */
	setArrows(arrows) {
		this.arrows = arrows;
		this.drawArrows();
	}

	drawArrows() {
		this.overlay.replaceChildren(
			...[...this.arrows]
				.reverse()
				.concat(this.drawn)
				.map((arrow) => this.arrowElement(arrow)),
		);
	}

	/** @param {Arrow} arrow */
	arrowElement({ from, to, kind }) {
		/** @param {string} square */
		const center = (square) => {
			const i = this.indexOf(square);
			return { x: (i % 8) + 0.5, y: Math.floor(i / 8) + 0.5 };
		};
		const a = center(from);
		const b = center(to);
		if (from === to) return svgElement("circle", { class: "arrow " + kind, cx: a.x, cy: a.y, r: 0.44 });
		const length = Math.hypot(b.x - a.x, b.y - a.y);
		const u = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
		const outline = [
			[0.26, 0.08],
			[length - 0.42, 0.08],
			[length - 0.42, 0.22],
			[length - 0.02, 0],
			[length - 0.42, -0.22],
			[length - 0.42, -0.08],
			[0.26, -0.08],
		];
		const points = outline.map(
			([along, across]) =>
				`${(a.x + along * u.x - across * u.y).toFixed(3)},${(a.y + along * u.y + across * u.x).toFixed(3)}`,
		);
		return svgElement("polygon", { class: "arrow " + kind, points: points.join(" ") });
	}
}
