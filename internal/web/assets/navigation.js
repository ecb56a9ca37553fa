// What every page with a game has: buttons and keys to step through it, and a switch
// between themes.

import { belongsElsewhere, byId } from "./dom.js";

const scrollKeys = ["ArrowUp", "ArrowDown"]; // in the list of moves
const wheelStep = 40; // pixels of scrolling over the board for a move
const wheelPause = 100; // least time between two such moves, in milliseconds

/**
 * Connects the buttons below the board and the keys of the whole page.
 * @param {import("./viewer.js").Viewer} viewer
 * @param {Object<string, () => void>} [more] actions by key
 */
export function prepareNavigation(viewer, more = {}) {
	const flip = () => viewer.flip(!viewer.board.flipped);
	for (const step of ["first", "back", "forward", "last"])
		byId(step).addEventListener("click", () => viewer[step]());
	byId("flip").addEventListener("click", flip);
	const keys = {
		ArrowLeft: () => viewer.back(),
		ArrowRight: () => viewer.forward(),
		ArrowUp: () => viewer.first(),
		ArrowDown: () => viewer.last(),
		Home: () => viewer.first(),
		End: () => viewer.last(),
		f: flip,
		...more,
	};
	document.addEventListener("keydown", (event) => {
		const target = /** @type {HTMLElement} */ (event.target);
		if (
			event.ctrlKey ||
			event.altKey ||
			event.metaKey ||
			belongsElsewhere(event, ", select, summary") ||
			(target.closest("#moves") && scrollKeys.includes(event.key))
		)
			return;
		const action = keys[event.key];
		if (!action) return;
		event.preventDefault();
		action();
	});
	prepareWheel(viewer);
}

/** Lets the wheel over the board step through the game. @param {import("./viewer.js").Viewer} viewer */
function prepareWheel(viewer) {
	let scrolled = 0; // pixels since the last step
	let stepped = 0;
	byId("board").addEventListener(
		"wheel",
		(event) => {
			if (event.ctrlKey) return; // zooms the page
			event.preventDefault();
			// One swipe on a trackpad is many events.
			scrolled = scrolled * event.deltaY < 0 ? event.deltaY : scrolled + event.deltaY;
			if (Math.abs(scrolled) < wheelStep || event.timeStamp - stepped < wheelPause) return;
			if (scrolled < 0) viewer.back();
			else viewer.forward();
			scrolled = 0;
			stepped = event.timeStamp;
		},
		{ passive: false },
	);
}

/** Connects the switch between light and dark. @param {(theme: string) => void} [keep] receives what is chosen */
export function prepareTheme(keep) {
	const root = document.documentElement;
	byId("theme").addEventListener("click", () => {
		const dark = root.dataset.theme
			? root.dataset.theme === "dark"
			: matchMedia("(prefers-color-scheme: dark)").matches;
		root.dataset.theme = dark ? "light" : "dark";
		keep?.(root.dataset.theme);
	});
}
