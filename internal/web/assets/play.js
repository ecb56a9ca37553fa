// Games against the engine, with clocks.

import { post, retryAfter, unanswered } from "./api.js";
import { byId, setHidden } from "./dom.js";
import { sideToMove } from "./game.js";
import { moveText } from "./moves.js";
import { lasting, session } from "./storage.js";
import { announce, attempt, startFEN, toast } from "./table.js";
import { resultText, timeText } from "./text.js";

/** @typedef {import("./table.js").Table} Table */

const tick = 100; // milliseconds
const moveTime = 1500; // that the engine has for a move without a clock, in milliseconds
const shortestThought = 350; // so that its moves can be followed
const storage = "play"; // where what is not in the game itself survives a reload of the page

export class Play {
	/** @param {Table} table @param {any} engine @param {(playing: boolean) => void} changed */
	constructor(table, engine, changed) {
		this.table = table;
		this.engine = engine;
		this.changed = changed;
		/** @type {any} */
		this.game = null; // the one that is played
		this.prepareDialog();
		table.open = (node) =>
			!this.game || (node.children.length === 0 && sideToMove(node.fen) === this.game.side);
		table.undoable = () => !this.game;
		table.addEventListener("played", () => this.moved());
		table.addEventListener("position", () => this.drawClocks());
		byId("resign").addEventListener("click", () =>
			this.end(this.game.side === "white" ? "0-1" : "1-0", "resignation"),
		);
		setInterval(() => this.drawClocks(), tick);
		// A page that was left and is shown again goes on as after a reload.
		addEventListener("pagehide", () => {
			this.game?.request.abort();
			if (this.game) this.game.turn = "";
		});
		addEventListener("pageshow", (event) => {
			if (event.persisted && this.game) this.resume(this.game);
		});
	}

	prepareDialog() {
		const dialog = byId("play-dialog");
		const elo = byId("elo");
		const { min_elo: min, max_elo: max } = this.engine;
		elo.min = min;
		elo.max = max + 10; // the last step is full strength
		elo.value = lasting.get("elo") ?? 1600;
		const show = () => {
			byId("elo-shown").textContent = Number(elo.value) > max ? "full" : `${elo.value} Elo`;
			elo.setAttribute("aria-valuetext", byId("elo-shown").textContent);
		};
		elo.addEventListener("input", show);
		show();
		byId("open-play").addEventListener("click", () => dialog.showModal());
		dialog.addEventListener("close", () => {
			if (dialog.returnValue === "play") attempt(() => this.start(dialog));
		});
	}

	/** Starts the game that the dialog asks for. @param {HTMLDialogElement} dialog */
	async start(dialog) {
		dialog.returnValue = "";
		const form = new FormData(/** @type {HTMLFormElement} */ (dialog.querySelector("form")));
		const elo = Number(form.get("elo"));
		lasting.keep("elo", String(elo));
		let side = String(form.get("side"));
		if (side === "random") side = Math.random() < 0.5 ? "white" : "black";
		const [minutes, increment = 0] = String(form.get("clock")).split("+").map(Number);
		const limit = elo > this.engine.max_elo ? 0 : elo;
		const start = await this.position(String(form.get("start")));
		const view = await post("/api/position", { ...start, moves: [] });
		const opponent = "Skein" + (limit ? ` (${limit})` : "");
		const tags = [
			{ name: "Event", value: "Game against Skein" },
			{ name: "Date", value: today() },
			{ name: "White", value: side === "white" ? "You" : opponent },
			{ name: "Black", value: side === "black" ? "You" : opponent },
		];
		if (minutes) tags.push({ name: "TimeControl", value: `${minutes * 60}+${increment}` });
		this.leave();
		this.table.load({ ...start, check: view.check, tags, view });
		this.begin(side, limit, minutes * 60e3, increment * 1e3);
	}

	/** Returns the position from which the game starts. @param {string} start */
	async position(start) {
		const { node, game } = this.table;
		if (start === "current") return { fen: node.fen, chess960: game.chess960 };
		if (start !== "chess960") return { fen: startFEN, chess960: false };
		const { fen, number } = await post("/api/chess960", { number: -1 });
		toast(`Chess960, position ${number}`);
		return { fen, chess960: true };
	}

	/** @param {string} side of the user @param {number} elo @param {number} time in milliseconds @param {number} increment */
	begin(side, elo, time, increment) {
		this.show({
			side,
			elo,
			increment,
			seed: Math.floor(Math.random() * 2 ** 32),
			clocks: time ? { white: time, black: time } : null,
		});
		this.moved();
	}

	/** Shows that a game is played. @param {any} settings */
	show(settings) {
		this.game = {
			...settings,
			request: new AbortController(),
			turn: "", // whose clock runs
			since: 0, // when it began to
		};
		byId("resign").hidden = false;
		this.changed(true);
		this.table.flip(settings.side === "black");
		this.table.draw();
	}

	/** Returns the settings of the game from before a reload of the page, if one was played. */
	static kept() {
		return session.recall(storage);
	}

	/** Keeps the settings of the game, with the times left when the last move was made. */
	keep() {
		const { side, elo, increment, seed, clocks } = this.game;
		session.keep(storage, JSON.stringify({ side, elo, increment, seed, clocks }));
	}

	/** Goes on with a game from before a reload of the page, once its position is here. @param {any} settings */
	resume(settings) {
		const { table } = this;
		table.last();
		this.show(settings);
		const events = ["view", "position"]; // a move can be typed before the answer about the last position
		const { signal } = this.game.request;
		const proceed = () => {
			if (!lastNode(table).view) return;
			for (const name of events) table.removeEventListener(name, proceed);
			this.run();
		};
		for (const name of events) table.addEventListener(name, proceed, { signal });
		proceed();
	}

	/** Lets the clock of the side to move run, and the engine play if that is its turn. */
	run() {
		const { game, table } = this;
		game.turn = sideToMove(lastNode(table).fen); // another position may be shown
		game.since = performance.now();
		this.keep();
		if (game.turn !== game.side) attempt(() => this.answer());
		this.drawClocks();
	}

	/** Continues after a move, or at the start: it is the engine's turn, or the game is over. */
	moved() {
		if (!this.game) return;
		this.press();
		const outcome = this.table.view?.outcome;
		if (outcome && !outcome.claimable) this.end(outcome.result, outcome.reason);
		else if (outcome) this.end("1/2-1/2", outcome.reason);
		else this.run();
	}

	/** Charges the time of the last move. The first one is free. */
	press() {
		const { clocks, increment, since } = this.game;
		const { node } = this.table;
		if (!clocks || !node.parent?.parent) return;
		const mover = sideToMove(node.parent.fen);
		clocks[mover] += increment - (performance.now() - since);
	}

	/** Lets the engine play. */
	async answer() {
		const { game, table } = this;
		const node = lastNode(table);
		const { signal } = game.request;
		/** @type {any} */
		const body = { ...table.game.request(node), elo: game.elo, seed: game.seed };
		if (game.clocks) {
			body.white_ms = Math.max(1, Math.round(game.clocks.white));
			body.black_ms = Math.max(1, Math.round(game.clocks.black));
			body.increment_ms = game.increment;
		} else {
			body.move_time_ms = moveTime;
		}
		const began = performance.now();
		const view = await this.ask(body, game);
		const least = game.clocks ? Math.min(shortestThought, game.clocks[game.turn] / 50) : shortestThought;
		await pause(least - (performance.now() - began));
		if (!view || signal.aborted || this.game !== game || node.children.length > 0) return;
		if (table.node !== node) table.go(node);
		table.accept(view);
		this.moved();
	}

	/**
	 * Asks the engine for a move. If there is no answer it asks again, until the game is another one
	 * or goes on otherwise.
	 * @param {any} body @param {any} game
	 */
	async ask(body, game) {
		const { turn } = game;
		const { signal } = game.request;
		for (;;) {
			try {
				return await post("/api/play", body, signal);
			} catch (err) {
				if (signal.aborted) throw err;
				game.turn = ""; // the engine's clock stands still
				if (/** @type {Error} */ (err).name !== unanswered) throw err;
				toast(/** @type {Error} */ (err).message);
			}
			await pause(retryAfter);
			if (signal.aborted || this.game !== game) return undefined;
			game.turn = turn;
			game.since = performance.now();
		}
	}

	/** Takes back the last move of the user and the answer to it. */
	undo() {
		const { game, table } = this;
		game.request.abort();
		game.request = new AbortController();
		table.last();
		let steps = sideToMove(table.node.fen) === game.side ? 2 : 1;
		let node = table.node;
		while (steps-- > 0 && node.parent) node = node.parent;
		if (node.children.length > 0) table.game.remove(node.children[0]);
		table.node = node;
		table.changed();
		announce("move", `Taken back. ${moveText(node)}`);
		this.run();
	}

	/** Ends the game of a side whose time is up. @param {string} side @param {any} view of the position */
	overstep(side, view) {
		const [white, black] = view.mating_material;
		this.table.game.tags.push({ name: "Termination", value: "time forfeit" });
		if (!(side === "white" ? black : white)) this.end("1/2-1/2", "time against insufficient material");
		else this.end(side === "white" ? "0-1" : "1-0", "time");
	}

	/** Ends the game. @param {string} result @param {string} reason */
	end(result, reason) {
		this.game.request.abort();
		this.game = null;
		session.forget(storage);
		this.table.game.result = result;
		const text = `${resultText(result)}, ${reason}`;
		setHidden(byId("resign"), true, byId("flip"));
		this.table.game.ending = { node: lastNode(this.table), text };
		toast(text); // which readers of screens say besides the last move
		this.changed(false);
		this.table.changed();
	}

	/** Forgets the game that is played, for another one to be shown. */
	leave() {
		this.game?.request.abort();
		this.game = null;
		session.forget(storage);
		setHidden(byId("resign"), true, byId("flip"));
		this.changed(false);
	}

	/** Shows the clocks, and ends the game if one has run out. */
	drawClocks() {
		const { game, table } = this;
		if (!game?.clocks) return;
		const last = lastNode(table);
		const turn = sideToMove(last.fen);
		if (turn !== game.turn) return; // a move was made, and its clock is about to be pressed
		for (const [id, upper] of /** @type {[string, boolean][]} */ ([
			["player-top", true],
			["player-bottom", false],
		])) {
			const side = upper === table.board.flipped ? "white" : "black";
			const running = turn === side && last.parent !== null;
			const left = game.clocks[side] - (running ? performance.now() - game.since : 0);
			const clock = byId(id).querySelector(".clock");
			clock.hidden = false;
			clock.textContent = timeText(Math.max(left, 0) / 1000);
			clock.classList.toggle("running", running);
			clock.classList.toggle("short", left < 20e3);
			if (left <= 0 && last.view) {
				this.overstep(side, last.view);
				return;
			}
		}
	}
}

/** @param {number} time in milliseconds */
function pause(time) {
	return new Promise((resolve) => {
		setTimeout(resolve, time);
	});
}

/** Returns the last position of the main line. @param {Table} table */
function lastNode(table) {
	return table.game.mainLine().at(-1) ?? table.game.root;
}

/** Returns the date as PGN has it. */
function today() {
	const d = new Date();
	return [d.getFullYear(), d.getMonth() + 1, d.getDate()].map((n) => String(n).padStart(2, "0")).join(".");
}
