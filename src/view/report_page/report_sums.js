// SPDX-License-Identifier: Apache-2.0
// What the samples that pass the filter add up to: by node, by function, by source line.

/** First index of the sorted array whose value is not below. */
function lowerBound(sorted, value) {
	let low = 0, high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

function runningSums(weights) {
	const sums = new Float64Array(weights.length + 1);
	for (let i = 0; i < weights.length; i++)
		sums[i + 1] = sums[i] + weights[i];
	return sums;
}

/** Weights of all nodes, and from these the weight of each subtree. */
class WholeSlice {
	constructor(tree, self) {
		this.end = tree.end;
		this.own = self;
		this.sums = runningSums(self);
		this.total = this.sums[self.length];
	}

	weight(node) {
		return this.sums[this.end[node]] - this.sums[node];
	}

	self(node) {
		return this.own[node];
	}

	/** The nodes that have a weight, and these weights. */
	pairs() {
		const nodes = [], weights = [];
		for (let node = 0; node < this.own.length; node++) {
			if (this.own[node] > 0) {
				nodes.push(node);
				weights.push(this.own[node]);
			}
		}
		return {nodes, weights};
	}
}

/** The same of few nodes: a profile may have many threads. */
class SparseSlice {
	constructor(tree, weightOf) {
		this.end = tree.end;
		this.nodes = Int32Array.from(weightOf.keys()).sort();
		this.weights = Float64Array.from(this.nodes, node => weightOf.get(node));
		this.sums = runningSums(this.weights);
		this.total = this.sums[this.nodes.length];
	}

	weight(node) {
		return this.sums[lowerBound(this.nodes, this.end[node])] - this.sums[lowerBound(this.nodes, node)];
	}

	self(node) {
		const at = lowerBound(this.nodes, node);
		return this.nodes[at] === node ? this.weights[at] : 0;
	}

	pairs() {
		return {nodes: this.nodes, weights: this.weights};
	}
}

class Sums {
	/** filter: event, threads (a Set, or null for all), from and to (slots, to is excluded). */
	constructor(data, filter) {
		this.data = data;
		this.filter = filter;
		this.self = new Float64Array(data.tree.count);
		this.count = 0;
		const {samples, tree} = data;
		this.eachSample(i => {
			this.self[tree.nodeOf[samples.stack[i]]] += samples.weight[i];
			this.count += samples.count[i];
		});
		this.slice = new WholeSlice(tree, this.self);
		this.total = this.slice.total;
		this.addFunctions();
	}

	eachSample(visit) {
		const {event, thread, slot} = this.data.samples, {event: wanted, from, to, threads} = this.filter;
		for (let i = 0; i < event.length; i++) {
			if (event[i] === wanted && slot[i] >= from && slot[i] < to &&
			    (!threads || threads.has(thread[i])))
				visit(i);
		}
	}

	/** The inclusive weight counts a sample once, however often the function is in its stack. */
	addFunctions() {
		const {tree: {code, end, count}, outermost, functions} = this.data, {self, slice: {sums}} = this;
		const functionSelf = new Float64Array(functions.length);
		const functionTotal = new Float64Array(functions.length);
		for (let node = 1; node < count; node++) {
			const func = code[node] >> 1;
			functionSelf[func] += self[node];
			if (outermost[node])
				functionTotal[func] += sums[end[node]] - sums[node];
		}
		Object.assign(this, {functionSelf, functionTotal});
	}

	/** A slice for each thread that has samples, the heaviest first. */
	threadSlices() {
		if (this.byThread)
			return this.byThread;
		const {samples, tree} = this.data, threads = new Map();
		this.eachSample(i => {
			const thread = samples.thread[i], node = tree.nodeOf[samples.stack[i]];
			if (!threads.has(thread))
				threads.set(thread, new Map());
			const pairs = threads.get(thread);
			pairs.set(node, (pairs.get(node) || 0) + samples.weight[i]);
		});
		this.byThread = Array.from(threads, ([thread, pairs]) =>
			({thread, slice: new SparseSlice(tree, pairs)}));
		this.byThread.sort((a, b) => b.slice.total - a.slice.total || a.thread - b.thread);
		return this.byThread;
	}

	/** Weights of stacks, which know lines, where nodes only know functions. */
	stackWeights() {
		if (this.byStack)
			return this.byStack;
		const {samples, stacks} = this.data, self = new Float64Array(stacks.parent.length);
		this.eachSample(i => {
			if (samples.stack[i] > 0)
				self[samples.stack[i] - 1] += samples.weight[i];
		});
		const total = self.slice();
		for (let i = total.length - 1; i >= 0; i--) {
			if (stacks.parent[i] >= 0)
				total[stacks.parent[i]] += total[i];
		}
		this.byStack = {self, total};
		return this.byStack;
	}

	/**
	 * Sums by a number of frames (0: none): Map from it to {self, total}. A sample counts once for
	 * a number that is in its stack several times.
	 */
	sumByFrame(numberOf) {
		const {stacks} = this.data, {self, total} = this.stackWeights(), sums = new Map();
		for (let i = 0; i < total.length; i++) {
			const number = total[i] > 0 ? numberOf(stacks.frame[i]) : 0;
			if (!number)
				continue;
			const sum = sums.get(number) || {self: 0, total: 0};
			sum.self += self[i];
			let above = stacks.parent[i];
			while (above >= 0 && numberOf(stacks.frame[above]) !== number)
				above = stacks.parent[above];
			if (above < 0)
				sum.total += total[i];
			sums.set(number, sum);
		}
		return sums;
	}

	lineSums(file) {
		const {frames} = this.data;
		return this.sumByFrame(frame => frames.file[frame] === file ? frames.line[frame] : 0);
	}

	/** Lines of the file where CPython's JIT was at work: samples there may be of others. */
	compiledLines(file) {
		const {frames} = this.data;
		return this.sumByFrame(frame =>
			frames.compiled[frame] && frames.file[frame] === file ? frames.line[frame] : 0).keys();
	}

	compiledWeight() {
		const {frames} = this.data;
		if (!frames.compiled.some(Boolean)) // most recordings: not worth a walk over all stacks
			return 0;
		return this.sumByFrame(frame => frames.compiled[frame]).get(1)?.total || 0;
	}

	instructionSums(func) {
		const {frames} = this.data;
		return this.sumByFrame(frame => frames.func[frame] === func ? frames.instruction[frame] : 0);
	}

	/** Is there a step from function @caller to @callee above the node? */
	hasStepAbove(node, caller, callee) {
		const {parent, code} = this.data.tree;
		for (let at = node; parent[at] > 0; at = parent[at]) {
			if (code[at] >> 1 === callee && code[parent[at]] >> 1 === caller)
				return true;
		}
		return false;
	}

	/** Who called the function and what it called: Maps from function to weight. */
	neighbours(func) {
		const {tree, outermost} = this.data, callers = new Map(), callees = new Map();
		const add = (map, key, weight) => weight > 0 && map.set(key, (map.get(key) || 0) + weight);
		for (let node = 1; node < tree.count; node++) {
			const mine = tree.code[node] >> 1, parent = tree.parent[node];
			const above = parent > 0 ? tree.code[parent] >> 1 : -1;
			if (mine === func && (outermost[node] || !this.hasStepAbove(parent, above, func)))
				add(callers, above, this.slice.weight(node));
			if (above === func && (outermost[parent] || !this.hasStepAbove(parent, func, mine)))
				add(callees, mine, this.slice.weight(node));
		}
		return {callers, callees};
	}

	/** Weight of the samples whose stack has a function of the set. */
	weightOf(matches) {
		const {tree} = this.data;
		let weight = 0, node = 1;
		while (node < tree.count) {
			const isMatch = matches[tree.code[node] >> 1];
			if (isMatch)
				weight += this.slice.weight(node);
			node = isMatch ? tree.end[node] : node + 1;
		}
		return weight;
	}
}
