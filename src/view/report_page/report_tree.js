// SPDX-License-Identifier: Apache-2.0
// What the graph and the outline show: calls from the outermost frame inwards, or inverted, from
// where the samples were outwards. Nodes come when somebody looks at them, so that a click costs
// what can be seen and not what is there.

class CallNode {
	constructor(parent, code, weight, grow) {
		this.parent = parent;
		this.depth = parent ? parent.depth + 1 : 0;
		this.code = code; // -1: no function but a label
		this.weight = weight;
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
			children.push(child);
		}
		return children;
	};
}

/** @nodes: where the paths have come to; each has gone with its weight. */
function growCallers(tree, nodes, weights) {
	return parent => {
		const groups = new Map();
		for (let i = 0; i < nodes.length; i++) {
			if (nodes[i] <= 0)
				continue;
			const code = tree.code[nodes[i]];
			let group = groups.get(code);
			if (!group)
				groups.set(code, group = {above: [], weights: [], weight: 0});
			group.above.push(tree.parent[nodes[i]]);
			group.weights.push(weights[i]);
			group.weight += weights[i];
		}
		return Array.from(groups, ([code, group]) => {
			const child = new CallNode(parent, code, group.weight,
				growCallers(tree, group.above, group.weights));
			child.self = parent.depth === 0 || parent.code < 0 ? group.weight : 0;
			return child;
		});
	};
}

function growSlice(tree, slice, isInverted) {
	if (!isInverted)
		return growCalls(tree, slice, 0);
	const {nodes, weights} = slice.pairs();
	return growCallers(tree, nodes, weights);
}

function growThreads(data, sums, isInverted) {
	return parent => sums.threadSlices().map(({thread, slice}) => {
		const child = new CallNode(parent, -1, slice.total, growSlice(data.tree, slice, isInverted));
		child.label = threadLabel(data.summary.threads[thread]);
		child.thread = thread;
		return child;
	});
}

function threadLabel(thread) {
	if (!thread)
		return "unknown thread";
	const name = safeName(thread.name) || safeName(thread.process) || "thread";
	return `${name} (${thread.tid})`;
}

function makeTree(data, sums, options) {
	const grow = options.byThread ? growThreads(data, sums, options.isInverted)
		: growSlice(data.tree, sums.slice, options.isInverted);
	const root = new CallNode(null, -1, sums.total, grow);
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
		const next = found.children.find(child =>
			child.code === step.code && child.thread === step.thread);
		if (!next)
			break;
		found = next;
	}
	return found;
}
