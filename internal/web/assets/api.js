// Requests to the server.

/**
 * Posts a request and returns its answer. An error has the reason in words.
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function post(path, body, signal) {
	const response = await send(path, body, signal);
	return response.json();
}

/** @param {string} path @param {object} body @param {AbortSignal} [signal] */
async function send(path, body, signal) {
	let response;
	try {
		response = await fetch(path, {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(body),
			signal,
		});
	} catch (err) {
		if (signal?.aborted) throw err;
		throw new Error("The engine does not answer. Is “engine serve” still running?");
	}
	if (response.ok) return response;
	const { error } = await response.json().catch(() => ({}));
	throw new Error(error ?? `The engine answered with status ${response.status}.`);
}

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
	let text = "";
	for (;;) {
		const { value, done } = await reader.read().catch((err) => {
			throw signal.aborted ? err : new Error("The connection to the engine was lost.");
		});
		if (done) return;
		const events = (text + value).split("\n\n");
		text = events.pop() ?? "";
		for (const event of events) {
			const fields = /^event: (.*)\ndata: (.*)$/.exec(event);
			if (fields) receive(fields[1], JSON.parse(fields[2]));
		}
	}
}
