// What the browser keeps: settings, and the game for a reload of the page.

/**
 * Keeps a value, unless there is no space for it.
 * @param {Storage} storage
 * @param {string} key
 * @param {string} value
 */
export function keep(storage, key, value) {
	try {
		storage.setItem(key, value);
	} catch {
		storage.removeItem(key); // an older value
	}
}

/** Returns the object that is kept for a reload as JSON, null if there is none. @param {string} key */
export function recall(key) {
	try {
		return JSON.parse(sessionStorage.getItem(key) ?? "null");
	} catch {
		return null;
	}
}
