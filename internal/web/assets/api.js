// Requests to the server.

/** The name of errors of requests that were not answered whole, or refused because the server is ending. */
export const unanswered = "Unanswered";

/** How long to wait before such requests are repeated, in milliseconds. */
export const retryAfter = 2000;

/**
 * Posts a request and returns its answer. An error has the reason in words.
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function post(path, body, signal) {
	return read(await send(path, body, signal));
}

/**
 * Returns the answer to a request without a body. An error has the reason in words.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function get(path) {
	return read(await send(path));
}

/** @param {Response} response */
async function read(response) {
	return response.json().catch((err) => {
		throw err instanceof TypeError ? notAnswered() : err; // a TypeError if the answer is cut off
	});
}

function notAnswered() {
	const lost = new Error("The engine does not answer. Is “engine serve” still running?");
	lost.name = unanswered;
	return lost;
}

/** @param {string} path @param {object} [body] @param {AbortSignal} [signal] */
async function send(path, body, signal) {
	let response;
	try {
		response = await fetch(path, {
			method: body ? "POST" : "GET",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(body),
			signal,
		});
	} catch (err) {
		throw signal?.aborted ? err : notAnswered();
	}
	if (response.ok) return response;
	const { error } = await response.json().catch(() => ({}));
	const refused = new Error(error ?? `The engine answered with status ${response.status}.`);
	if (response.status === 503) refused.name = unanswered; // it is ending, and another may follow
	throw refused;
}

const lastEvents = ["done", "reviewed", "failed"];

/**
 * Posts a request whose answer is a stream of server-sent events, and passes each of
 * them on until the stream ends.
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} signal ends the stream, and with it what the server does for it
 * @param {(event: string, data: any) => void} receive
 */
export async function stream(path, body, signal, receive) {
	const response = await send(path, body, signal);
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	const lost = () => new Error("The connection to the engine was lost.");
	let text = "";
	let ended = false;
	for (;;) {
		const { value, done } = await reader.read().catch((err) => {
			throw signal.aborted ? err : lost();
		});
		if (done && !ended) throw lost();
		if (done) return;
		const events = (text + value).split("\n\n");
		text = events.pop() ?? "";
		for (const event of events) {
			const fields = /^event: (.*)\ndata: (.*)$/.exec(event);
			if (!fields) continue;
			ended = lastEvents.includes(fields[1]);
			receive(fields[1], JSON.parse(fields[2]));
		}
	}
}
