// How numbers and results are written.

/** Returns a number in few characters. @param {number} n */
export function short(n) {
	if (n < 1000) return String(n);
	const units = ["k", "M", "G", "T"];
	let i = -1;
	do {
		n /= 1000;
		i++;
	} while (n >= 999.5 && i < units.length - 1);
	return (n < 9.95 ? n.toFixed(1) : n.toFixed(0)) + units[i];
}

/** Returns a time as a clock shows it. @param {number} seconds */
export function timeText(seconds) {
	if (seconds < 10) return Math.max(seconds, 0).toFixed(1);
	const whole = Math.ceil(seconds);
	const minutes = Math.floor(whole / 60);
	const rest = String(whole % 60).padStart(2, "0");
	return minutes < 60
		? `${minutes}:${rest}`
		: `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/** Returns a score as it is read out. @param {any} score */
export function spoken(score) {
	if (score.mate === 0) return "checkmate";
	if (score.mate) return `${score.mate > 0 ? "White" : "Black"} mates in ${Math.abs(score.mate)}`;
	return score.text.replace(/^\+/, "plus ").replace(/^-/, "minus ");
}

/** Returns a result as it is printed. @param {string} result */
export function resultText(result) {
	return result.replace("1/2-1/2", "½–½");
}

/**
 * Returns what made a review: the engine, its limit, and the curve of chances unless it is that of lichess.
 * @param {any} review
 */
export function madeBy({ engine, limit, curve }) {
	return [engine, limit, curve && "chances of the engine's games"].filter(Boolean);
}
