// SPDX-License-Identifier: Apache-2.0
// What the graphs and the outline show: calls from the outermost frame inwards, or inverted, from
// where the samples were outwards; and of one function what calls it, and what it calls. Nodes come
// when somebody looks at them, so that a click costs what can be seen and not what is there.

class CallNode {
	constructor(parent, code, weight, grow) {
		this.parent = parent;
		this.depth = parent ? parent.depth + 1 : 0;
		this.code = code; // -1: no function but a label
		this.weight = weight;
		this.other = 0; // of the event that it is compared with
		this.self = 0;
		this.x = 0; // where it begins, in weight
		this.index = 0; // among its siblings
		this.label = "";
		this.thread = -1;
		this.grow = grow; // gives the children
		this.grown = null;
	}

	get children() {
		if (!this.grown) {
			this.grown = this.grow(this).sort((a, b) => b.weight - a.weight || a.code - b.code);
			this.grow = null;
			let x = this.x;
			this.grown.forEach((child, i) => {
				child.x = x;
				child.index = i;
				x += child.weight;
			});
		}
		return this.grown;
	}

	get func() {
		return this.code >> 1;
	}

	/** How wide it is, from x on. */
	get span() {
		return this.weight;
	}
}

function growCalls(tree, slice, node) {
	return parent => {
		const children = [];
		for (let at = node + 1; at < tree.end[node]; at = tree.end[at]) {
			const weight = slice.weight(at);
			if (weight <= 0)
				continue;
			const child = new CallNode(parent, tree.code[at], weight, growCalls(tree, slice, at));
			child.self = slice.self(at);
			child.other = slice.other ? slice.other(at) : 0;
			children.push(child);
		}
		return children;
	};
}

/** @nodes: where the paths have come to; each has gone with its weight, and that of the other event. */
function growCallers(tree, nodes, weights, others) {
	return parent => {
		const groups = new Map();
		for (let i = 0; i < nodes.length; i++) {
			if (nodes[i] <= 0)
				continue;
			const code = tree.code[nodes[i]];
			let group = groups.get(code);
			if (!group)
				groups.set(code, group = {above: [], weights: [], others: others && [], weight: 0, other: 0});
			group.above.push(tree.parent[nodes[i]]);
			group.weights.push(weights[i]);
			group.weight += weights[i];
			if (others) {
				group.others.push(others[i]);
				group.other += others[i];
			}
		}
		return Array.from(groups).filter(([, group]) => group.weight > 0).map(([code, group]) => {
			const child = new CallNode(parent, code, group.weight,
				growCallers(tree, group.above, group.weights, group.others));
			child.self = parent.code < 0 ? group.weight : 0;
			child.other = group.other;
			return child;
		});
	};
}

/** The calls of several nodes as those of one: what they call is joined by code. */
function growMerged(tree, slice, nodes) {
	return parent => {
		const groups = new Map();
		for (const node of nodes) {
			for (let at = node + 1; at < tree.end[node]; at = tree.end[at]) {
				const weight = slice.weight(at);
				if (weight <= 0)
					continue;
				let group = groups.get(tree.code[at]);
				if (!group)
					groups.set(tree.code[at], group = {nodes: [], weight: 0, self: 0});
				group.nodes.push(at);
				group.weight += weight;
				group.self += slice.self(at);
			}
		}
		return Array.from(groups, ([code, group]) => {
			const child = new CallNode(parent, code, group.weight, growMerged(tree, slice, group.nodes));
			child.self = group.self;
			return child;
		});
	};
}

/** Both halves of a sandwich: {callers, callees}, whose roots are the function itself. */
function makeSandwich(data, sums, func) {
	const {tree, outermost, where} = data, {slice} = sums, nodes = [], weights = [];
	for (const node of where.nodesOf(func)) {
		if (!outermost[node] || slice.weight(node) <= 0)
			continue;
		nodes.push(node);
		weights.push(slice.weight(node));
	}
	const root = grow => {
		const node = new CallNode(null, func * 2, sums.functionTotal[func], grow);
		node.self = sums.functionSelf[func];
		return node;
	};
	return {callees: root(growMerged(tree, slice, nodes)),
		callers: root(growCallers(tree, nodes.map(node => tree.parent[node]), weights))};
}

function growSlice(tree, slice, isInverted) {
	if (!isInverted)
		return growCalls(tree, slice, 0);
	const {nodes, weights, others} = slice.pairs();
	return growCallers(tree, nodes, weights, others);
}

/** The weights of one event, with those of another one beside them. */
class PairSlice {
	constructor(shown, other) {
		this.shown = shown;
		this.base = other;
		this.total = shown.total;
	}

	weight(node) {
		return this.shown.weight(node);
	}

	self(node) {
		return this.shown.self(node);
	}

	other(node) {
		return this.base.weight(node);
	}

	pairs() {
		const nodes = [], weights = [], others = [], {own} = this.shown;
		for (let node = 0; node < own.length; node++) {
			if (own[node] > 0 || this.base.own[node] > 0) {
				nodes.push(node);
				weights.push(own[node]);
				others.push(this.base.own[node]);
			}
		}
		return {nodes, weights, others};
	}
}

function growThreads(data, sums, isInverted) {
	return parent => sums.threadSlices().map(({thread, slice}) => {
		const child = new CallNode(parent, -1, slice.total, growSlice(data.tree, slice, isInverted));
		child.label = threadLabel(data.summary.threads[thread]);
		child.thread = thread;
		return child;
	});
}

/** A store has services in the place of threads; they have no number. */
const NO_THREAD = 0xffffffff;

function threadLabel(thread) {
	if (!thread)
		return "unknown thread";
	const name = safeName(thread.name) || safeName(thread.process) || "thread";
	return thread.tid === NO_THREAD ? name : `${name} (${thread.tid})`;
}

/** other: Sums of what it is compared with, or null. */
function makeTree(data, sums, {isInverted, byThread}, other) {
	const slice = other ? new PairSlice(sums.slice, other.slice) : sums.slice;
	const grow = byThread && !other ? growThreads(data, sums, isInverted) : growSlice(data.tree, slice, isInverted);
	const root = new CallNode(null, -1, sums.total, grow);
	root.other = other ? other.total : 0;
	root.label = "all samples";
	return root;
}

/** The node of the new tree that has the same functions on its way, as far as there is one. */
function findSameNode(root, node) {
	const path = [];
	for (let at = node; at && at.parent; at = at.parent)
		path.push(at);
	let found = root;
	for (const step of path.reverse()) {
		const same = found.children.filter(child => child.code === step.code && child.thread === step.thread);
		if (!same.length)
			break;
		// In order of time a function may come several times.
		found = same.reduce((best, child) => Math.abs(child.x - step.x) < Math.abs(best.x - step.x) ? child : best);
	}
	return found;
}
