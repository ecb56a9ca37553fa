// The panel of the engine: analysis of the position on the board.

import { stream } from "./api.js";
import { byId, element, refill } from "./dom.js";
import { sideToMove } from "./game.js";
import { lasting } from "./storage.js";
import { announce, attempt, toast } from "./table.js";
import { resultText, short, spoken } from "./text.js";
import { drawGauge } from "./viewer.js";

/** @typedef {import("./table.js").Table} Table */

const settings = ["lines", "threads", "hash", "depth"];
const announceEvery = 8000; // milliseconds between two evaluations that are read out

export class Analysis {
	/** @param {Table} table @param {any} engine what the server offers */
	constructor(table, engine) {
		this.table = table;
		this.engine = engine;
		this.on = false;
		this.allowed = true;
		/** @type {AbortController|null} */
		this.request = null;
		this.key = "";
		this.announced = 0;
		this.prepareSettings();
		byId("analyze").addEventListener("click", () => this.turn(!this.on));
		table.addEventListener("position", () => this.follow());
		document.addEventListener("visibilitychange", () => {
			if (!document.hidden && this.paused) this.restart();
		});
		// Browsers keep pages that were left, with their requests.
		addEventListener("pagehide", () => this.stop());
		addEventListener("pageshow", (event) => event.persisted && this.restart());
	}

	prepareSettings() {
		const { threads, hash, lines } = this.engine;
		byId("set-threads").max = threads;
		byId("set-threads").value = threads;
		byId("set-lines").max = lines;
		const sizes = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096].filter((size) => size < hash).concat(hash);
		byId("set-hash").append(
			...sizes.map((size) => element("option", { value: size, selected: size === hash }, String(size))),
		);
		for (const name of settings) {
			const input = byId("set-" + name);
			let valid = input.value;
			input.value = lasting.get("analysis-" + name) ?? valid;
			if (!input.checkValidity()) input.value = valid;
			valid = input.value;
			input.addEventListener("change", () => {
				if (!input.checkValidity()) {
					toast(input.validationMessage);
					input.value = valid;
					return;
				}
				valid = input.value;
				lasting.keep("analysis-" + name, valid);
				this.restart();
			});
		}
		byId("set-arrows").addEventListener("change", () => this.drawArrows());
	}

	/** Turns the analysis on or off. @param {boolean} on */
	turn(on) {
		this.on = on;
		byId("analyze").setAttribute("aria-checked", String(on));
		this.restart();
	}

	/** Allows or forbids analysis, as during a game against the engine. @param {boolean} allowed */
	allow(allowed) {
		this.allowed = allowed;
		byId("engine").hidden = !allowed;
		byId("gauge").classList.toggle("off", !allowed);
		this.restart();
	}

	/** Searches the position on the board, unless that is done already. */
	follow() {
		const key = JSON.stringify(this.table.game.request(this.table.node));
		if (key !== this.key) this.restart();
		else if (this.table.view) this.showPosition();
	}

	/** Ends the search. */
	stop() {
		this.request?.abort();
		this.request = null;
	}

	restart() {
		this.stop();
		this.paused = false;
		this.key = JSON.stringify(this.table.game.request(this.table.node));
		/** @type {any} */
		this.report = null;
		this.note("");
		this.showPosition();
		if (this.on && this.allowed) attempt(() => this.search());
	}

	async search() {
		const request = new AbortController();
		this.request = request;
		const { table } = this;
		const body = { ...table.game.request(table.node) };
		for (const name of settings) body[name] = Number(byId("set-" + name).value);
		this.note("");
		try {
			await stream("/api/analyze", body, request.signal, (event, data) => {
				if (this.request === request) this.receive(event, data);
			});
		} catch (err) {
			if (this.request !== request) return;
			this.turn(false);
			throw err;
		}
	}

	/** @param {string} event @param {any} data */
	receive(event, data) {
		switch (event) {
			case "analysis":
				this.note("");
				this.report = data;
				this.show();
				break;
			case "waiting":
				if (document.hidden) {
					this.stop();
					this.paused = true;
				}
				this.note(
					this.paused
						? "Paused while the engine is in use elsewhere."
						: "The engine is in use; the analysis waits for its turn.",
				);
				break;
			case "failed":
				this.note(data.error);
				break;
		}
	}

	/** Shows a remark below the score. @param {string} text */
	note(text) {
		byId("note").textContent = text;
		byId("note").hidden = !text;
	}

	/** Shows what is known without a search. */
	showPosition() {
		if (this.report) {
			this.show();
			return;
		}
		refill(byId("lines"));
		byId("effort").textContent = this.on && this.allowed ? "…" : "";
		byId("wdl").hidden = true;
		this.table.board.setArrows([]);
		const score = this.table.node.review?.after ?? outcomeScore(this.table.view);
		byId("score").textContent = score?.text ?? "";
		drawGauge(score);
	}

	/** Shows the state of the analysis. */
	show() {
		const { report } = this;
		const best = report.lines[0];
		if (!best) return;
		const score = outcomeScore(this.table.view) ?? best.score;
		byId("score").textContent = (best.bound ?? "") + score.text;
		byId("effort").textContent = report.depth ? `depth ${report.depth} · ${short(report.nps)}/s` : "";
		byId("effort").title =
			`selective depth ${report.seldepth}, ${short(report.nodes)} nodes, hash ${Math.round(report.hashfull / 10)} % full` +
			(report.tbhits ? `, ${short(report.tbhits)} tablebase hits` : "");
		drawGauge(score);
		this.bar(score.wdl);
		this.showLines(report.lines.filter((line) => line.moves.length > 0).map((line) => this.line(line)));
		this.drawArrows();
		if (Date.now() - this.announced > announceEvery && report.depth >= 8) {
			this.announced = Date.now();
			announce(
				"score",
				`Evaluation ${spoken(score)}, depth ${report.depth}, best ${best.moves[0]?.san ?? "none"}`,
			);
		}
	}

	/** Shows the chances to win, draw and lose. @param {number[]} wdl */
	bar(wdl) {
		const bar = byId("wdl");
		const names = ["White wins", "draw", "Black wins"];
		bar.hidden = false;
		wdl.forEach((permille, i) => {
			const part = bar.children[i];
			const percent = Math.round(permille / 10);
			part.style.flexGrow = String(permille);
			part.textContent = percent >= 12 ? `${percent}%` : "";
		});
		bar.setAttribute(
			"aria-label",
			wdl.map((permille, i) => `${names[i]} ${Math.round(permille / 10)} %`).join(", "),
		);
	}

	/** Shows lines. Moves that are shown already stay, so that they can be clicked. @param {any[]} lines */
	showLines(lines) {
		const list = byId("lines");
		lines.forEach((line, i) => {
			const shown = list.children[i];
			if (!shown) {
				list.append(line);
				return;
			}
			shown.firstChild.replaceWith(line.firstChild);
			replaceMoves(shown.lastChild, line.lastChild);
		});
		while (list.children.length > lines.length) list.lastChild.remove();
	}

	/** @param {any} line */
	line(line) {
		const { node } = this.table;
		const moves = [];
		let number = Number(node.fen.split(" ")[5]);
		let white = sideToMove(node.fen) === "white";
		line.moves.forEach((move, i) => {
			if (white || i === 0) moves.push(element("span", { class: "number" }, number + (white ? "." : "…")));
			moves.push(
				element(
					"button",
					{
						type: "button",
						class: "move",
						click: () => attempt(() => this.table.playLine(line.moves.slice(0, i + 1))),
					},
					move.san,
				),
				" ",
			);
			if (!white) number++;
			white = !white;
		});
		const kind = line.score.chance >= 0.5 ? "for-white" : "for-black";
		return element(
			"li",
			{},
			element("span", { class: "line-score " + kind }, (line.bound ?? "") + line.score.text),
			element("span", { class: "line-moves" }, ...moves),
		);
	}

	drawArrows() {
		const kinds = ["best", "second", "third"];
		const lines = this.report && byId("set-arrows").checked ? this.report.lines : [];
		this.table.board.setArrows(
			lines
				.slice(0, kinds.length)
				.filter((line) => line.moves[0]?.squares[0])
				.map((line, i) => {
					const [from, to] = line.moves[0].squares;
					return { from, to, kind: kinds[i] };
				}),
		);
	}
}

/**
 * Replaces moves by others from the first that differs on. The focus stays where it is among them.
 * @param {any} shown element with moves
 * @param {any} wanted element with the others
 */
function replaceMoves(shown, wanted) {
	const focused = [...shown.children].indexOf(document.activeElement);
	const nodes = [...wanted.childNodes];
	let same = 0;
	while (same < nodes.length && shown.childNodes[same]?.isEqualNode(nodes[same])) same++;
	while (shown.childNodes.length > same) shown.lastChild.remove();
	shown.append(...nodes.slice(same));
	if (focused >= 0) (shown.children[focused] ?? shown.lastElementChild).focus({ preventScroll: true });
}

/** Returns the score of a game that is over, null of any other. @param {any} view */
function outcomeScore(view) {
	if (!view?.outcome || view.outcome.claimable) return null;
	const { result } = view.outcome;
	const chance = { "1-0": 1, "0-1": 0 }[result] ?? 0.5;
	const wdl = ["1-0", "1/2-1/2", "0-1"].map((other) => (other === result ? 1000 : 0));
	return { text: resultText(result), chance, wdl };
}
