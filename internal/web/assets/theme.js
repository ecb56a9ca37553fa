// Applies the theme that was chosen before the page is drawn. Without a choice the page
// follows the system.
"use strict";
{
	try {
		const chosen = localStorage.getItem("theme");
		if (chosen) document.documentElement.dataset.theme = chosen;
	} catch {
		// The browser may forbid storage.
	}
}
