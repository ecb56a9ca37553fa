// The chart of winning chances of a reviewed game.

import { element, svgElement } from "./dom.js";
import { moveNumber } from "./game.js";

/** @typedef {import("./game.js").GameNode} GameNode */
/** @typedef {import("./game.js").Game} Game */

const width = 600;
const height = 120;

/** A chart along which one can go through the game by pointer and keyboard. */
export class Chart {
	/** @param {HTMLElement} root @param {(node: GameNode) => void} go */
	constructor(root, go) {
		this.root = root;
		this.go = go;
		/** @type {GameNode[]} */
		this.nodes = [];
	}

	/** Draws a reviewed game. @param {Game} game @param {GameNode} current */
	show(game, current) {
		this.nodes = [game.root, ...game.mainLine().filter((node) => node.review)];
		this.scores = [game.review.start, ...this.nodes.slice(1).map((node) => node.review.after)];
		const points = this.scores.map((score, i) => `${this.x(i)},${this.y(score.chance)}`);
		const last = this.x(this.nodes.length - 1);
		this.cursor = svgElement("line", { class: "cursor", y1: 0, y2: height });
		const picture = svgElement(
			"svg",
			{ viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
			svgElement("rect", { class: "black-share", width, height }),
			svgElement("polygon", {
				class: "white-share",
				points: `0,${height} ${points.join(" ")} ${last},${height}`,
			}),
			svgElement("line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
			...this.phases(),
			svgElement("polyline", { class: "curve", points: points.join(" ") }),
			this.cursor,
		);
		this.slider = element(
			"div",
			{
				class: "chart",
				role: "slider",
				tabindex: "0",
				"aria-label": "Position in the game",
				"aria-valuemin": 0,
				"aria-valuemax": this.nodes.length - 1,
				keydown: (event) => this.key(event),
				pointerdown: (event) => this.press(event),
				click: (event) => this.follow(event),
			},
			picture,
			...this.dots(),
		);
		this.root.replaceChildren(this.slider);
		this.mark(current);
	}

	/** @param {number} i number of a position */
	x(i) {
		return this.nodes.length > 1 ? Number(((i * width) / (this.nodes.length - 1)).toFixed(1)) : 0;
	}

	/** @param {number} chance */
	y(chance) {
		return Number((height * (1 - chance)).toFixed(1));
	}

	/** Returns lines where the middlegame and the endgame begin. */
	phases() {
		const lines = [];
		for (let i = 2; i < this.nodes.length; i++) {
			if (this.nodes[i].review.phase === this.nodes[i - 1].review.phase) continue;
			lines.push(
				svgElement("line", { class: "phase", x1: this.x(i - 1), x2: this.x(i - 1), y1: 0, y2: height }),
			);
		}
		return lines;
	}

	/** Returns dots for the moves with a verdict. They are not part of the picture, which is stretched. */
	dots() {
		return this.nodes.flatMap((node, i) => {
			const verdict = node.review?.verdict;
			if (!verdict) return [];
			const dot = element("i", { class: "dot " + verdict, title: this.describe(i) });
			dot.style.left = `${(100 * this.x(i)) / width}%`;
			dot.style.top = `${(100 * this.y(this.scores[i].chance)) / height}%`;
			return [dot];
		});
	}

	/** Returns a position in words. @param {number} i */
	describe(i) {
		const node = this.nodes[i];
		if (!node.parent) return `Start, ${this.scores[i].text}`;
		return `${moveNumber(node)} ${node.san}${node.review.glyph ?? ""} ${this.scores[i].text}`;
	}

	/** Marks the current position. @param {GameNode} node */
	mark(node) {
		if (!this.slider) return;
		let i = this.nodes.indexOf(node);
		for (let n = node; i < 0 && n.parent; i = this.nodes.indexOf(n)) n = n.parent; // within a variation
		this.current = Math.max(i, 0);
		for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, String(this.x(this.current)));
		this.slider.setAttribute("aria-valuenow", String(this.current));
		this.slider.setAttribute("aria-valuetext", this.describe(this.current));
	}

	/** Follows a pointer that is down once it moves sideways. Otherwise it scrolls the page. @param {PointerEvent} event */
	press(event) {
		if (event.button !== 0) return;
		this.slider.setPointerCapture(event.pointerId);
		let sideways = false;
		this.slider.onpointermove = (e) => {
			sideways ||= Math.abs(e.clientX - event.clientX) > Math.abs(e.clientY - event.clientY);
			if (sideways) this.follow(e);
		};
		this.slider.onlostpointercapture = () => {
			this.slider.onpointermove = null;
		};
	}

	/** Goes to the position at a point of the window. @param {MouseEvent} event */
	follow(event) {
		const box = this.slider.getBoundingClientRect();
		const share = (event.clientX - box.left) / box.width;
		this.goTo(Math.round(share * (this.nodes.length - 1)));
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const steps = {
			ArrowLeft: -1,
			ArrowDown: -1,
			ArrowRight: 1,
			ArrowUp: 1,
			PageDown: -10,
			PageUp: 10,
			Home: -Infinity,
			End: Infinity,
		};
		const step = steps[event.key];
		if (step === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		this.goTo(this.current + step);
	}

	/** @param {number} i */
	goTo(i) {
		const at = Math.min(Math.max(i, 0), this.nodes.length - 1);
		if (at !== this.current) this.go(this.nodes[at]);
	}
}
