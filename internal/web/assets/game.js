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
 * @property {string} intro comment before the first move of the line that begins here, or of a
 *   game without moves
 * @property {any} [view] what the server says about the position
 * @property {any} [review] of the move
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
		this.root = newNode(null, { fen: tree.fen, check: tree.check });
		if (!tree.moves?.length) this.root.intro = tree.comment ?? "";
		this.grow(this.root, tree);
	}

	/** Adds a line after a node. @param {GameNode} node @param {any} line */
	grow(node, line) {
		let first = true;
		for (const move of line.moves ?? []) {
			const next = newNode(node, move);
			if (first) next.intro = line.comment ?? "";
			first = false;
			node.children.push(next);
			for (const variation of move.variations ?? []) this.grow(node, variation);
			node = next;
		}
	}

	/** Returns the game as the server wants it. */
	tree() {
		return {
			tags: this.tags,
			fen: this.root.fen,
			check: this.root.check,
			chess960: this.chess960,
			result: this.result === "*" ? this.outcome() : this.result,
			review: this.review,
			...lineOf(this.root, 0),
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
	 * Returns the node after a move, which is new unless the move was there already.
	 * @param {GameNode} node
	 * @param {any} view of the position after the move
	 */
	add(node, view) {
		let next = node.children.find((child) => child.uci === view.last.uci);
		if (!next) {
			next = newNode(node, { ...view.last, fen: view.fen, check: view.check });
			node.children.push(next);
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
	 * Adds the moves of another version of the game that are not here yet, but of known ones only
	 * those that lead to others.
	 * @param {Game} other
	 * @param {Set<GameNode>} known nodes of the other version
	 */
	merge(other, known) {
		const added = new Set();
		for (const node of other.nodes()) {
			if (!known.has(node)) for (let n = node; n; n = n.parent) added.add(n);
		}
		this.mergeChildren(other.root, this.root, added);
	}

	/**
	 * Adds the moves after a node that are in a set. Several variations may begin with the same move.
	 * @param {GameNode} from
	 * @param {GameNode} to
	 * @param {Set<GameNode>} added
	 */
	mergeChildren(from, to, added) {
		const merged = new Set();
		for (const child of from.children) {
			let own = to.children.find((node) => node.uci === child.uci && !merged.has(node));
			if (!own && added.has(child)) {
				own = { ...child, parent: to, children: [] };
				to.children.push(own);
			}
			if (!own) continue;
			merged.add(own);
			this.mergeChildren(child, own, added);
		}
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

	/** Removes a move and all that follow, and with the end of the game its result. @param {GameNode} node */
	remove(node) {
		if (this.isMain(node)) {
			this.result = "*";
			this.ending = null;
		}
		const siblings = node.parent.children;
		siblings.splice(siblings.indexOf(node), 1);
	}

	/** Reports whether a node is in the main line. @param {GameNode} node */
	isMain(node) {
		return this.path(node).every((n) => n.parent?.children[0] === n);
	}

	/** Makes the line to a node the main line. @param {GameNode} node */
	promote(node) {
		for (let n = node; n.parent; n = n.parent) {
			const siblings = n.parent.children;
			siblings.splice(siblings.indexOf(n), 1);
			siblings.unshift(n);
		}
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

/** Returns the line after a node, from one of its children on. @param {GameNode} node @param {number} first */
function lineOf(node, first) {
	let next = node.children[first];
	const line = { comment: (next ?? node).intro, moves: [] };
	let variations = first === 0;
	while (next) {
		const { uci, san, fen, glyphs, comment, check, squares, review } = next;
		const move = { uci, san, squares, fen, check, glyphs, comment, review, variations: [] };
		if (variations) for (let i = 1; i < node.children.length; i++) move.variations.push(lineOf(node, i));
		line.moves.push(move);
		variations = true;
		node = next;
		next = node.children[0];
	}
	return line;
}
