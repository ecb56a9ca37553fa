// The dialog in which a position is set up.

import { post } from "./api.js";
import { Board, pieceName, piecesOf } from "./board.js";
import { byId, element, pieceElement } from "./dom.js";
import { attempt, startFEN } from "./table.js";

const files = "abcdefgh";
const order = ["wK", "wQ", "wR", "wB", "wN", "wP", "bK", "bQ", "bR", "bB", "bN", "bP"];

/** Returns the first field of a FEN. @param {Map<string, string>} pieces by square */
function placement(pieces) {
	const ranks = [];
	for (let rank = 8; rank >= 1; rank--) {
		let text = "";
		let empty = 0;
		for (const file of files) {
			const piece = pieces.get(file + rank);
			if (!piece) {
				empty++;
				continue;
			}
			if (empty) text += empty;
			empty = 0;
			text += piece[0] === "w" ? piece[1] : piece[1].toLowerCase();
		}
		ranks.push(text + (empty || ""));
	}
	return ranks.join("/");
}

/** Lets the user set up a position, which is passed on as the tree of a game. */
export class Setup {
	/** @param {import("./table.js").Table} table @param {(tree: any) => void} done */
	constructor(table, done) {
		this.table = table;
		this.done = done;
		this.dialog = byId("setup-dialog");
		this.pieces = new Map();
		this.chosen = "wP"; // "" takes pieces away
		this.chess960 = false;
		this.number = ""; // of the position of Chess960 that was shown last
		/** The position of Chess960 that is on its way. @type {Promise<void>|null} */
		this.lots = null;
		this.given = { fen: "", castling: "", turn: "", rest: "" };
		this.board = new Board(byId("setup-board"), {
			label: "Position to set up",
			press: (square) => this.press(square),
			drop: (from, to) => this.drop(from, to),
		});
		this.castling = [...this.dialog.querySelectorAll(".castling input")];
		this.buildPalette();
		byId("open-setup").addEventListener("click", () => {
			this.read(table.node.fen, table.game.chess960);
			this.dialog.showModal();
		});
		byId("setup-start").addEventListener("click", () => this.read(startFEN, false));
		byId("setup-clear").addEventListener("click", () => this.read("8/8/8/8/8/8/8/8 w - - 0 1", false));
		const drawLots = () => {
			const lots = this.drawLots().finally(() => {
				if (this.lots === lots) this.lots = null;
			});
			this.lots = lots;
			attempt(() => lots, this.dialog);
		};
		byId("setup-960").addEventListener("click", drawLots);
		const field = byId("setup-number");
		field.addEventListener("change", () => field.value && field.value !== this.number && drawLots());
		field.addEventListener("keydown", (event) => {
			if (event.key !== "Enter") return;
			event.preventDefault(); // it would press Analyze
			drawLots();
		});
		byId("setup-done").addEventListener("click", (event) => {
			event.preventDefault(); // closing the dialog
			attempt(() => this.finish(), this.dialog);
		});
	}

	buildPalette() {
		const palette = byId("palette");
		for (const piece of [...order, ""]) {
			palette.append(
				element(
					"label",
					{ title: piece ? pieceName(piece) : "Remove" },
					element("input", {
						type: "radio",
						name: "piece",
						value: piece,
						checked: piece === this.chosen,
						"aria-label": piece ? pieceName(piece) : "remove",
						change: () => {
							this.chosen = piece;
						},
					}),
					piece ? pieceElement(piece) : element("span", { class: "remove", "aria-hidden": "true" }, "×"),
				),
			);
		}
	}

	/** Shows a position. @param {string} fen @param {boolean} chess960 */
	read(fen, chess960) {
		const [, turn, castling] = fen.split(" ");
		this.pieces = piecesOf(fen);
		this.chess960 = chess960;
		this.number = "";
		byId("setup-turn").value = turn;
		for (const box of this.castling) box.checked = castling.includes(box.value);
		this.given = { fen, castling, turn, rest: placement(this.pieces) + this.rights() };
		this.update();
	}

	/** Returns the position as it is set up. What has no field is kept while the rest is as it was given. */
	write() {
		const { fen, castling, turn, rest } = this.given;
		const same = placement(this.pieces) + this.rights() === rest;
		const toMove = byId("setup-turn").value;
		if (same && toMove === turn) return fen;
		// Rights of inner rooks in Chess960 have no box.
		return `${placement(this.pieces)} ${toMove} ${same ? castling : this.rights()} - 0 1`;
	}

	/** Returns the castling rights that are checked. */
	rights() {
		const checked = this.castling.filter((box) => box.checked);
		return checked.map((box) => box.value).join("") || "-";
	}

	update() {
		this.dialog.querySelector(".error").textContent = "";
		this.board.show({ fen: placement(this.pieces) + " w - - 0 1" });
	}

	/** @param {string} square */
	press(square) {
		if (!this.chosen || this.pieces.get(square) === this.chosen) this.pieces.delete(square);
		else this.pieces.set(square, this.chosen);
		this.update();
	}

	/** @param {string} from @param {string} to "" off the board */
	drop(from, to) {
		const piece = this.pieces.get(from);
		this.pieces.delete(from);
		if (to && piece) this.pieces.set(to, piece);
		this.update();
	}

	/** Shows the start position of Chess960 with the number in the field, or a random one. */
	async drawLots() {
		const { value } = byId("setup-number");
		const { fen } = await post("/api/chess960", { number: value === "" ? -1 : Number(value) });
		this.read(fen, true);
		this.number = value;
	}

	/** Passes the position on, once it is here: the tap on the button may be what ended the entry of its number. */
	async finish() {
		await this.lots;
		const view = await post("/api/position", { fen: this.write(), chess960: this.chess960, moves: [] });
		if (!this.dialog.open) return; // it was canceled
		this.dialog.close();
		this.done({ fen: view.fen, chess960: this.chess960, check: view.check });
	}
}
