// Helpers for elements.

/**
 * Returns the element with an id, which must exist.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
	const found = document.getElementById(id);
	if (!found) throw new Error(`no element ${id}`);
	return found;
}

/**
 * Creates an element. Attributes that are functions become listeners of the event of
 * that name; true is an empty attribute, and false, null and undefined are left out.
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {...(Node|string|null|undefined)} children
 * @returns {any}
 */
export function element(tag, attributes = {}, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

/**
 * Creates an SVG element; see element.
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {...(Node|string|null|undefined)} children
 * @returns {any}
 */
export function svgElement(tag, attributes = {}, ...children) {
	return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * Says whether an event belongs to a field or an open dialog, so that the page leaves it alone. A check box
 * takes no text and none of the keys that the page obeys. A dialog that was closed can keep the focus until
 * the next frame, and has no say any more.
 * @param {Event} event
 * @param {string} [more] selector of further elements that keep it
 */
export function belongsElsewhere(event, more = "") {
	const target = /** @type {HTMLElement} */ (event.target);
	const dialog = target.closest("dialog");
	return dialog ? dialog.open : target.closest("input:not([type=checkbox]), textarea" + more) !== null;
}

/**
 * Hides an element, or shows it. If the focus was in it another element gets it, which would be lost otherwise.
 * @param {any} el
 * @param {boolean} hidden
 * @param {any} next
 */
export function setHidden(el, hidden, next) {
	if (hidden && el.contains(document.activeElement)) next.focus({ preventScroll: true });
	el.hidden = hidden;
}

/**
 * Replaces what is in an element. If the focus was there the element itself gets it, which needs a tabindex.
 * @param {any} el
 * @param {...(Node|string)} children
 */
export function refill(el, ...children) {
	const focused = el.contains(document.activeElement);
	el.replaceChildren(...children);
	if (focused) el.focus({ preventScroll: true });
}

/** @param {any} target @param {Object<string, any>} attributes @param {any[]} children */
function fill(target, attributes, children) {
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === "function") target.addEventListener(name, value);
		else if (value === true) target.setAttribute(name, "");
		else if (value !== false && value != null) target.setAttribute(name, String(value));
	}
	for (const child of children) if (child != null) target.append(child);
	return target;
}

/**
 * Creates the drawing of a piece, such as wN or bQ.
 * @param {string} name
 * @param {Object<string, any>} [attributes]
 */
export function pieceElement(name, attributes = {}) {
	return svgElement(
		"svg",
		{ viewBox: "0 0 100 100", "aria-hidden": "true", ...attributes },
		svgElement("use", { href: "#" + name }),
	);
}
