// Games and positions from and to text: pasted, dropped, or in files.

import { post } from "./api.js";
import { belongsElsewhere, byId, element } from "./dom.js";
import { attempt, toast } from "./table.js";
import { resultText } from "./text.js";

/** Passes games that were opened on as trees. */
export class Transfer {
	/** @param {import("./table.js").Table} table @param {(tree: any, warning?: string) => void} open */
	constructor(table, open) {
		this.table = table;
		this.open = open;
		this.request = new AbortController();
		this.prepareImport();
		this.prepareExport();
		this.prepareDrop();
		this.prepareFEN();
	}

	prepareImport() {
		const dialog = byId("import-dialog");
		const text = dialog.querySelector("textarea");
		const file = dialog.querySelector("input[type=file]");
		byId("open-import").addEventListener("click", () => {
			dialog.querySelector(".error").textContent = "";
			dialog.showModal();
			text.select();
		});
		dialog.addEventListener("close", () => this.abandon());
		byId("import").addEventListener("click", () => attempt(() => this.read(text.value), dialog));
		file.addEventListener("change", () =>
			attempt(async () => {
				text.value = file.files[0] ? await textOf(file.files[0]) : "";
				file.value = "";
			}, dialog),
		);
	}

	/** Opens the game of a text, or lets the user choose one of several. @param {string} text */
	async read(text) {
		const dialog = byId("import-dialog");
		const { open } = dialog;
		const { games, more, tree, warning } = await this.ask(text, 0);
		if (open && !dialog.open) return; // it was canceled, of which the event comes only with the next frame
		dialog.close();
		if (games.length > 1) {
			this.chooseGame(text, games);
			if (more) toast(`Only the first ${games.length} games are listed.`);
			return;
		}
		this.open(tree, warning);
	}

	/** Asks for a game of a text. Of several requests the last one counts. @param {string} text @param {number} game */
	ask(text, game) {
		this.abandon();
		this.request = new AbortController();
		return post("/api/import", { text, game }, this.request.signal);
	}

	/** Gives up a request that is not answered yet. */
	abandon() {
		this.request.abort();
	}

	/** @param {string} text @param {any[]} games */
	chooseGame(text, games) {
		const dialog = byId("games-dialog");
		dialog.querySelector(".games").replaceChildren(
			...games.map((game, number) =>
				element(
					"li",
					{},
					element(
						"button",
						{
							type: "button",
							click: () =>
								attempt(async () => {
									dialog.close();
									const { tree, warning } = await this.ask(text, number);
									if (!tree) throw new Error(warning);
									this.open(tree, warning);
								}),
						},
						element("b", {}, `${game.white || "White"} – ${game.black || "Black"}`),
						element(
							"span",
							{},
							[resultText(game.result), game.event, game.date]
								.filter((s) => s && !/^[?.]+$/.test(s))
								.join(" · "),
						),
					),
				),
			),
		);
		dialog.showModal();
	}

	prepareExport() {
		const dialog = byId("export-dialog");
		const pgn = dialog.querySelector("textarea");
		byId("open-export").addEventListener("click", () =>
			attempt(async () => {
				dialog.querySelector("[name=fen]").value = this.table.node.fen;
				pgn.value = (await post("/api/export", this.table.game.gameRequest())).pgn;
				byId("save-report").hidden = !this.table.game.review;
				dialog.showModal();
			}),
		);
		byId("copy-pgn").addEventListener("click", () =>
			attempt(async () => {
				pgn.select();
				// There is no clipboard on pages from another machine without HTTPS.
				if (navigator.clipboard) await navigator.clipboard.writeText(pgn.value);
				else document.execCommand("copy");
				toast("Copied.");
			}),
		);
		byId("save-report").addEventListener("click", () =>
			attempt(async () => {
				const { html } = await post("/api/report", this.table.game.reportRequest());
				save("review.html", html, "text/html");
			}),
		);
		byId("save-pgn").addEventListener("click", () => save("game.pgn", pgn.value, "application/x-chess-pgn"));
	}

	prepareDrop() {
		const curtain = byId("drop");
		/** @type {EventTarget|null} */
		let over = null; // what was entered last; there is no dragleave from what was removed
		document.addEventListener("dragenter", (event) => {
			event.preventDefault();
			over = event.target;
			curtain.hidden = false;
		});
		document.addEventListener("dragleave", (event) => {
			if (event.target === over) curtain.hidden = true;
		});
		document.addEventListener("dragover", (event) => event.preventDefault());
		document.addEventListener("drop", (event) => {
			event.preventDefault();
			curtain.hidden = true;
			const dialog = byId("import-dialog");
			if (!dialog.open && document.querySelector("dialog[open]")) return;
			attempt(
				async () => {
					const data = event.dataTransfer;
					const text = data?.files[0] ? await textOf(data.files[0]) : (data?.getData("text/plain") ?? "");
					await this.read(text);
				},
				dialog.open ? dialog : undefined,
			);
		});
		document.addEventListener("paste", (event) => {
			if (belongsElsewhere(event)) return;
			attempt(() => this.read(event.clipboardData?.getData("text/plain") ?? ""));
		});
	}

	prepareFEN() {
		const field = byId("fen");
		const show = () => {
			field.value = this.table.node.fen;
		};
		this.table.addEventListener("position", () => document.activeElement !== field && show());
		field.addEventListener("focus", () => field.select());
		field.addEventListener("blur", show);
		field.addEventListener("change", () =>
			attempt(async () => {
				if (field.value.trim() !== this.table.node.fen) await this.read(field.value);
				show();
			}),
		);
	}
}

const largest = 4 << 20; // bytes of PGN that the server reads

/**
 * Returns the text of a file, which older databases and shells of Windows do not write in UTF-8.
 * @param {File} file
 */
async function textOf(file) {
	if (file.size > largest) throw new Error(`${file.name} has more than 4 MiB: paste or save a part of it.`);
	const bytes = await file.arrayBuffer();
	const mark = new Uint8Array(bytes.slice(0, 2)).join();
	const encoding = { "255,254": "utf-16le", "254,255": "utf-16be" }[mark] ?? "utf-8";
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return new TextDecoder("windows-1252").decode(bytes);
	}
}

/** Saves a text as a file. @param {string} name @param {string} text @param {string} type */
function save(name, text, type) {
	const url = URL.createObjectURL(new Blob([text], { type }));
	element("a", { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 1000);
}
