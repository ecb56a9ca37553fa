// What the browser keeps: settings, and the game for a reload of the page.

/** A storage of the browser, which may be full, and which the user may have forbidden. */
class Store {
	/** @param {"localStorage"|"sessionStorage"} name */
	constructor(name) {
		/** @type {Storage|null} */
		this.storage = null;
		try {
			this.storage = window[name];
		} catch {
			// It is forbidden.
		}
	}

	/** Returns a value, null if there is none. @param {string} key */
	get(key) {
		return this.storage?.getItem(key) ?? null;
	}

	/** Keeps a value, unless there is no space for it. @param {string} key @param {string} value */
	keep(key, value) {
		try {
			this.storage?.setItem(key, value);
		} catch {
			this.forget(key); // an older value
		}
	}

	/** @param {string} key */
	forget(key) {
		this.storage?.removeItem(key);
	}

	/** Returns the object that is kept as JSON, null if there is none. @param {string} key */
	recall(key) {
		try {
			return JSON.parse(this.get(key) ?? "null");
		} catch {
			return null;
		}
	}
}

/** For later visits. */
export const lasting = new Store("localStorage");

/** For a reload of the page. */
export const session = new Store("sessionStorage");
