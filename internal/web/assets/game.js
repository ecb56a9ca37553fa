// The game as a tree of moves. Whether they are legal, and what they are called, is
// known to the server alone.

/**
 * A position of the game and the move that led to it.
 * @typedef {object} GameNode
 * @property {GameNode|null} parent
 * @property {GameNode[]} children the first continues the line
 * @property {string} uci "" at the start
 * @property {string} san
 * @property {string[]} squares origin and target of the move
 * @property {string} fen
 * @property {string} check square of a king in check, or ""
 * @property {number[]} glyphs
 * @property {string} comment
 * @property {number} [clock] seconds left to the player after the move
 * @property {string} intro comment before the first move: of the game at its start, of a variation at its first move
 * @property {any} [view] what the server says about the position
 * @property {any} [review] of the move
 * @property {any} [ended] how the game had ended before the move
 */

/** @param {GameNode|null} parent @param {any} move @returns {GameNode} */
function newNode(parent, move) {
	return {
		parent,
		children: [],
		uci: move.uci ?? "",
		san: move.san ?? "",
		squares: move.squares ?? [],
		fen: move.fen,
		check: move.check ?? "",
		glyphs: move.glyphs ?? [],
		comment: move.comment ?? "",
		clock: move.clock,
		intro: "",
		review: move.review,
	};
}

/** A game, standard or Chess960, from any position. */
export class Game {
	/** @param {any} tree as the server describes games */
	constructor(tree) {
		this.tags = tree.tags ?? [];
		this.chess960 = Boolean(tree.chess960);
		this.result = tree.result ?? "*";
		/** Why the game ended, unless by the rules: the last position and a text. @type {any} */
		this.ending = null;
		/** What a review says about the whole game. @type {any} */
		this.review = tree.review;
		/** Is the same in all versions of a game. */
		this.identity = Symbol();
		this.root = newNode(null, { fen: tree.fen, check: tree.check });
		this.root.intro = tree.comment ?? "";
		this.root.view = tree.view;
		this.grow(this.root, tree.moves);
	}

	/** Adds moves after a node, and returns the first. @param {GameNode} node @param {any[]} [moves] */
	grow(node, moves = []) {
		let first;
		for (const move of moves) {
			const next = newNode(node, move);
			first ??= next;
			node.children.push(next);
			for (const { comment, moves } of move.variations ?? []) {
				const variation = this.grow(node, moves);
				if (variation) variation.intro = comment ?? "";
			}
			node = next;
		}
		return first;
	}

	/** Returns the game as the server describes games. */
	tree() {
		const known = ["uci", "san", "squares", "fen", "check", "glyphs", "clock", "review"];
		return { ...this.written(known), check: this.root.check, review: this.review };
	}

	/** Returns what requests about the whole game need. The rest follows from its moves. */
	gameRequest() {
		return this.written(["uci", "glyphs"]);
	}

	/** Returns the same with the review, of which a report is to be made. */
	reportRequest() {
		return { ...this.written(["uci", "glyphs", "review"]), review: this.review };
	}

	/** Returns the game with some properties of its moves. @param {string[]} properties */
	written(properties) {
		return {
			tags: this.tags,
			fen: this.root.fen,
			chess960: this.chess960,
			result: this.result === "*" ? this.outcome() : this.result,
			...lineOf(this.root, 0, properties),
		};
	}

	/** Returns the nodes from the first move to a node. @param {GameNode} node */
	path(node) {
		const path = [];
		for (let n = node; n.parent; n = n.parent) path.unshift(n);
		return path;
	}

	/** Returns what requests about a position need. @param {GameNode} node */
	request(node) {
		return { fen: this.root.fen, chess960: this.chess960, moves: this.path(node).map((n) => n.uci) };
	}

	/**
	 * Returns the node after a move, which is new unless the move was there already. If the move
	 * makes the main line longer, the game has not ended yet.
	 * @param {GameNode} node
	 * @param {any} view of the position after the move
	 */
	add(node, view) {
		let next = node.children.find((child) => child.uci === view.last.uci);
		if (!next) {
			next = newNode(node, { ...view.last, fen: view.fen, check: view.check });
			node.children.push(next);
			if (this.isMain(next)) next.ended = this.clearEnd();
		}
		next.view = view;
		return next;
	}

	/** Returns all positions of the game. */
	nodes() {
		const nodes = [this.root];
		for (const node of nodes) nodes.push(...node.children);
		return nodes;
	}

	/**
	 * Takes over what was changed in the version of the game from which the server made this one:
	 * moves that were added, but of known ones only those that lead to others, moves that were
	 * deleted, which line is the main one, the result and the ending.
	 * @param {Game} other
	 * @param {Set<GameNode>} known nodes that the other version had then
	 */
	merge(other, known) {
		this.identity = other.identity;
		const added = new Set();
		for (const node of other.nodes()) {
			if (!known.has(node)) for (let n = node; n; n = n.parent) added.add(n);
		}
		/** @type {Map<GameNode, GameNode[]>} */
		const former = new Map();
		for (const node of known) {
			if (!node.parent) continue;
			const siblings = former.get(node.parent) ?? [];
			former.set(node.parent, siblings);
			siblings.push(node);
		}
		const moves = () => this.mainLine().map((node) => node.uci).join();
		const reviewed = moves();
		/** @type {[GameNode, GameNode][]} */
		const pairs = [[other.root, this.root]];
		for (const [from, to] of pairs) pairs.push(...this.mergeChildren(from, to, added, former));
		if (moves() !== reviewed) {
			this.clearEnd();
			this.result = other.result;
			this.tags.push(...other.tags.filter((tag) => tag.name === "Termination"));
		}
		this.ending = other.ending && { ...other.ending, node: this.find(other.path(other.ending.node)) };
	}

	/**
	 * Merges the moves after a node, and returns the pairs of nodes whose moves are to be merged in
	 * turn. Several variations may begin with the same move.
	 * @param {GameNode} from
	 * @param {GameNode} to
	 * @param {Set<GameNode>} added nodes to add
	 * @param {Map<GameNode, GameNode[]>} former children of the known nodes
	 * @returns {[GameNode, GameNode][]}
	 */
	mergeChildren(from, to, added, former) {
		const known = former.get(from) ?? [];
		/** @type {Map<GameNode, GameNode>} */
		const own = new Map(); // by node of the other version
		const matched = new Set();
		for (const child of [...known, ...from.children.filter((child) => !known.includes(child))]) {
			let node = to.children.find((node) => node.uci === child.uci && !matched.has(node));
			if (!node && added.has(child)) {
				node = { ...child, parent: to, children: [], ended: undefined };
				to.children.push(node);
			}
			if (!node) continue;
			own.set(child, node);
			matched.add(node);
		}
		const kept = from.children.filter((child) => own.has(child));
		const mine = new Set(kept.map((child) => own.get(child)));
		// The better line of a review goes with the first move.
		const lost = known.length > 0 && !from.children.includes(known[0]);
		to.children = to.children.filter((node) => mine.has(node) || !(lost || matched.has(node)));
		if (kept.length > 0) makeFirst(own.get(kept[0]));
		return kept.map((child) => [child, own.get(child)]);
	}

	/** Returns the last node of a line of moves that is here. @param {GameNode[]} path of another game */
	find(path) {
		let node = this.root;
		for (const { uci } of path) node = node.children.find((child) => child.uci === uci) ?? node;
		return node;
	}

	/** Returns the result by the rules, "*" if the main line does not end the game. */
	outcome() {
		const outcome = (this.mainLine().at(-1) ?? this.root).view?.outcome;
		return outcome && !outcome.claimable ? outcome.result : "*";
	}

	/**
	 * Removes a move and all that follow, and with the end of the game its result: the game has
	 * ended again as before the move, if it had. Returns what brings them back, together with what
	 * was played after the same move since, also in a later version of the game, and returns the
	 * move there: null if that version has no such position.
	 * @param {GameNode} node
	 */
	remove(node) {
		const last = this.mainLine().at(-1);
		const end = this.isMain(node) ? this.clearEnd() : null;
		const siblings = node.parent.children;
		const at = siblings.indexOf(node);
		siblings.splice(at, 1);
		if (end && siblings.length === 0) this.setEnd(node.ended);
		const others = [...siblings];
		return (/** @type {Game} */ game = this) => {
			const path = game.path(node.parent);
			const parent = game === this ? node.parent : game.find(path);
			if (game.path(parent).length < path.length) return null;
			const before = game.mainLine().at(-1);
			const again = parent.children.findIndex((child) => child.uci === node.uci && !others.includes(child));
			const same = parent.children[again];
			if (same && game !== this) {
				graft(node, same); // which is reviewed
			} else {
				if (same) graft(parent.children.splice(again, 1)[0], node);
				parent.children.splice(at, 0, Object.assign(node, { parent }));
			}
			const after = game.mainLine().at(-1);
			if (end && after === last) game.setEnd(end);
			else if (after !== before) game.clearEnd();
			return node.parent === parent ? node : same;
		};
	}

	/** Sets how the game ended. @param {any} [end] what clearEnd returned */
	setEnd(end) {
		if (!end) return;
		this.clearEnd();
		this.result = end.result;
		this.ending = end.ending;
		this.tags = [...this.tags, ...end.tags.filter((tag) => tag.name === "Termination")];
	}

	/** Forgets how the game ended, and returns what was known of that. */
	clearEnd() {
		const { result, ending, tags } = this;
		this.result = "*";
		this.ending = null;
		this.tags = tags.filter((tag) => tag.name !== "Termination");
		return { result, ending, tags };
	}

	/** Reports whether a node is in the main line. @param {GameNode} node */
	isMain(node) {
		return this.path(node).every((n) => n.parent?.children[0] === n);
	}

	/** Makes the line to a node outside the main line the main line, and clears the result. @param {GameNode} node */
	promote(node) {
		for (let n = node; n.parent; n = n.parent) makeFirst(n);
		this.clearEnd();
	}

	/** Returns the nodes of the main line, without the start. */
	mainLine() {
		return [...continuation(this.root)];
	}

	/** Returns the value of a tag, "" if there is none. @param {string} name */
	tag(name) {
		const value = this.tags.find((tag) => tag.name === name)?.value ?? "";
		return value === "?" ? "" : value;
	}
}

/** Puts a node before its siblings. @param {GameNode} node */
function makeFirst(node) {
	const siblings = node.parent.children;
	siblings.splice(siblings.indexOf(node), 1);
	siblings.unshift(node);
}

/** Moves what follows a node to another one after the same move. @param {GameNode} from @param {GameNode} to */
function graft(from, to) {
	for (const child of from.children) {
		const same = to.children.find((other) => other.uci === child.uci);
		if (same) graft(child, same);
		else to.children.push(Object.assign(child, { parent: to }));
	}
}

/** Yields the nodes of the line after a node. @param {GameNode} node */
export function* continuation(node) {
	while (node.children.length > 0) yield (node = node.children[0]);
}

/** Returns the side to move. @param {string} fen */
export function sideToMove(fen) {
	return fen.split(" ")[1] === "b" ? "black" : "white";
}

/** Returns the number of a move as it is written before it: "12." or "12…". @param {GameNode} node */
export function moveNumber(node) {
	const [, side, , , , number] = node.parent.fen.split(" ");
	return number + (side === "b" ? "…" : ".");
}

/**
 * Returns the comment after a move or, at the start, that of the game, with the one before the next
 * move if that began a variation which is now the main line.
 * @param {GameNode} node
 */
export function commentOf(node) {
	return [node.parent ? node.comment : node.intro, node.children[0]?.intro].filter(Boolean).join(" ");
}

/**
 * Returns the line after a node, from one of its children on.
 * @param {GameNode} node
 * @param {number} first
 * @param {string[]} properties of its moves, which are left out where they are empty
 */
function lineOf(node, first, properties) {
	let next = node.children[first];
	let variations = first === 0;
	const line = { comment: variations ? commentOf(node) : next.intro, moves: [] };
	while (next) {
		/** @type {any} */
		const move = { comment: commentOf(next) || undefined };
		for (const name of properties) if (next[name]?.length !== 0) move[name] = next[name];
		if (variations && node.children.length > 1) {
			move.variations = node.children.slice(1).map((_, i) => lineOf(node, i + 1, properties));
		}
		line.moves.push(move);
		variations = true;
		node = next;
		next = node.children[0];
	}
	return line;
}
