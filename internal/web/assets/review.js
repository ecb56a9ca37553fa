// The panel of the review of a game.

import { stream } from "./api.js";
import { Chart } from "./chart.js";
import { byId, element, refill } from "./dom.js";
import { summaryTable } from "./summary.js";
import { announce, attempt } from "./table.js";
import { madeBy } from "./text.js";

/** @typedef {import("./table.js").Table} Table */

/** @type {[string, number][]} */
const times = [
	["Quick", 100],
	["Normal", 500],
	["Deep", 2000],
]; // milliseconds a move

export class Review {
	/** @param {Table} table @param {() => void} started is called when a review begins */
	constructor(table, started) {
		this.table = table;
		this.started = started;
		this.root = byId("review");
		this.playing = false;
		/** @type {AbortController|null} */
		this.request = null;
		table.addEventListener("game", () => {
			if (table.game !== this.game || (table.game.review && !this.request)) this.show();
			else this.refresh();
		});
		table.addEventListener("position", () => this.chart?.mark(table.node));
		addEventListener("pagehide", () => this.request?.abort());
		this.show();
	}

	/** Shows the review of the game, or the way to one. */
	show() {
		const { table } = this;
		if (this.game !== table.game) this.request?.abort();
		this.game = table.game;
		this.chart = null;
		if (this.game.review) this.showReview();
		else refill(this.root, this.offer("Review game"));
		this.refresh();
	}

	/** Hides the panel while there is nothing to review. */
	refresh() {
		this.root.hidden = this.playing || (!this.game.review && this.game.root.children.length === 0);
	}

	/** Hides the panel during a game against the engine. @param {boolean} playing */
	hide(playing) {
		this.playing = playing;
		this.refresh();
	}

	/** Returns the button that starts a review, with the choice of its time. @param {string} name */
	offer(name) {
		const select = element(
			"select",
			{ "aria-label": "Time of the review" },
			...times.map(([name, ms]) =>
				element("option", { value: ms, selected: ms === 500 }, `${name}, ${ms / 1000} s a move`),
			),
		);
		return element(
			"div",
			{ class: "review-offer" },
			element(
				"button",
				{
					type: "button",
					class: this.game.review ? "" : "primary",
					id: "start-review",
					click: () => attempt(() => this.start(Number(select.value))),
				},
				name,
			),
			select,
		);
	}

	/** @param {number} ms */
	async start(ms) {
		const { game } = this;
		const known = new Set(game.nodes());
		const request = new AbortController();
		this.request = request;
		this.chart = null;
		const bar = element("progress", { max: 1, value: 0, "aria-label": "Progress of the review" });
		const left = element("span", { class: "left" }, "");
		refill(
			this.root,
			element(
				"div",
				{ class: "review-progress" },
				bar,
				left,
				element("button", { type: "button", click: () => request.abort() }, "Stop"),
			),
		);
		this.started();
		const began = performance.now();
		/** @type {any} */
		let tree;
		try {
			const threads = Number(byId("set-threads").value);
			await stream(
				"/api/review",
				{ game: game.gameRequest(), time_ms: ms, threads },
				request.signal,
				(event, data) => {
					if (this.game !== game) return;
					if (event === "progress") {
						bar.max = data.total;
						bar.value = data.done;
						const seconds =
							(((performance.now() - began) / data.done) * (data.total - data.done)) / 1000;
						left.textContent = `${data.done} of ${data.total} positions, ${Math.ceil(seconds)} s left`;
					} else if (event === "waiting") {
						left.textContent = "The engine is in use …";
					} else if (event === "failed") {
						throw new Error(data.error);
					} else if (event === "reviewed") {
						tree = data;
					}
				},
			);
			await this.table.asked.catch(() => {}); // or a move that is being played would be lost
			if (this.game !== game) return;
			this.request = null;
			announce("score", "The review is complete.");
			this.table.update(tree, known);
		} finally {
			if (this.request === request) this.request = null;
			if (this.game === game) this.show();
		}
	}

	showReview() {
		const { table } = this;
		const box = element("div");
		this.chart = new Chart(box, (node) => table.go(node));
		refill(
			this.root,
			box,
			summaryTable(
				this.game,
				() => table.node,
				(node) => table.go(node),
			),
			element("p", { class: "source" }, madeBy(this.game.review).join(", ")),
			this.offer("Review again"),
		);
		this.chart.show(this.game, table.node);
	}
}
