// What every page with a game has: buttons and keys to step through it, and a switch
// between themes.

import { byId } from "./dom.js";

const scrollKeys = ["ArrowUp", "ArrowDown"]; // in the list of moves

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
			target.closest("input, textarea, select, dialog, summary") ||
			(target.closest("#moves") && scrollKeys.includes(event.key))
		)
			return;
		const action = keys[event.key];
		if (!action) return;
		event.preventDefault();
		action();
	});
	byId("board").addEventListener(
		"wheel",
		(event) => {
			if (event.ctrlKey) return; // zooms the page
			event.preventDefault();
			if (Math.abs(event.deltaY) < 4) return;
			if (event.deltaY < 0) viewer.back();
			else viewer.forward();
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
