// SPDX-License-Identifier: Apache-2.0
// What the samples that pass the filter add up to: by node, by function, by source line, by thread.

/** First index of the sorted array whose value is not below. */
function lowerBound(sorted, value, low = 0, high = sorted.length) {
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

/** The same of few nodes: a profile may have many threads. nodes: sorted. */
class SparseSlice {
	constructor(tree, nodes, weights) {
		this.end = tree.end;
		this.nodes = nodes;
		this.weights = weights;
		this.sums = runningSums(weights);
		this.total = this.sums[nodes.length];
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

const DEVIATIONS = 1.959963984540054; // around the middle of a normal distribution are 95 % of it

/**
 * Wilson's score interval (Wilson 1927), as src/profile/hot/share.c has it: in 95 of 100 recordings
 * like this one, the true share is in it. @count: samples in all.
 */
function shareInterval(share, count) {
	if (!count)
		return {low: 0, high: 1};
	const squared = DEVIATIONS * DEVIATIONS, middle = (share + squared / (2 * count)) / (1 + squared / count);
	const reach = DEVIATIONS * Math.sqrt(share * (1 - share) / count + squared / (4 * count * count)) / (1 + squared / count);
	return {low: Math.max(0, Math.min(share, middle - reach)), high: Math.min(1, Math.max(share, middle + reach))};
}

const MIN_RATIO_SAMPLES = 20; // of each event: with fewer, chance may double a ratio

/**
 * Cycles or misses per instruction, and how far off chance may be, as src/profile/hot/event_ratio.c has
 * it; null with too few samples. part, whole: {weight, count}.
 */
function ratioInterval(factor, part, whole) {
	if (part.count < MIN_RATIO_SAMPLES || whole.count < MIN_RATIO_SAMPLES || !whole.weight)
		return null;
	const count = part.count + whole.count, {low, high} = shareInterval(part.count / count, count);
	const odds = share => share / (1 - share), value = factor * part.weight / whole.weight;
	const scale = value * whole.count / part.count;
	return {value, low: scale * odds(low), high: scale * odds(high)};
}

class Sums {
	/** filter: event, threads (a Set, or null for all), from and to (slots, to is excluded), ofCounts:
	    what is added up are numbers of samples, not weights. */
	constructor(data, filter) {
		this.data = data;
		this.filter = filter;
		this.rows = this.findRows();
		this.self = new Float64Array(data.tree.count);
		this.count = 0;
		const {samples: {stack, weight, count}, tree: {nodeOf}} = data, {self, rows} = this;
		const amount = this.amount = filter.ofCounts ? count : weight;
		for (let i = 0; i < rows.length; i++) {
			const row = rows[i];
			self[nodeOf[stack[row]]] += amount[row];
			this.count += count[row];
		}
		this.slice = new WholeSlice(data.tree, self);
		this.total = this.slice.total;
		this.addFunctions();
	}

	/** The samples that pass the filter; those of an event stand together. */
	findRows() {
		const {event, thread, slot, stack} = this.data.samples, {event: wanted, from, to, threads} = this.filter;
		const begin = lowerBound(event, wanted), end = lowerBound(event, wanted + 1, begin);
		const rows = new Int32Array(end - begin);
		let count = 0;
		for (let i = begin; i < end; i++) {
			if (slot[i] >= from && slot[i] < to && stack[i] >= 0 && (!threads || threads.has(thread[i])))
				rows[count++] = i;
		}
		return rows.subarray(0, count);
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

	/** Of the same threads and times. */
	ofEvent(event) {
		this.others = this.others || new Map();
		if (!this.others.has(event))
			this.others.set(event, event === this.filter.event ? this : new Sums(this.data, {...this.filter, event}));
		return this.others.get(event);
	}

	/** The same samples, which count as one each. */
	counts() {
		this.ofCounts = this.ofCounts || new Sums(this.data, {...this.filter, ofCounts: true});
		return this.ofCounts;
	}

	/** A slice for each thread that has samples, the heaviest first; samples of a thread stand together. */
	threadSlices() {
		if (this.byThread)
			return this.byThread;
		const {samples: {thread, stack, weight}, tree} = this.data, {rows} = this, sums = new Float64Array(tree.count);
		this.byThread = [];
		for (let begin = 0; begin < rows.length;) {
			const mine = thread[rows[begin]], touched = [];
			let end = begin;
			for (; end < rows.length && thread[rows[end]] === mine; end++) {
				const node = tree.nodeOf[stack[rows[end]]];
				if (!sums[node])
					touched.push(node);
				sums[node] += weight[rows[end]];
			}
			const nodes = Int32Array.from(touched).sort(), weights = Float64Array.from(nodes, node => sums[node]);
			for (const node of touched)
				sums[node] = 0;
			this.byThread.push({thread: mine, slice: new SparseSlice(tree, nodes, weights)});
			begin = end;
		}
		this.byThread.sort((a, b) => b.slice.total - a.slice.total || a.thread - b.thread);
		return this.byThread;
	}

	/** Map from thread to {weight, count, states: weights by state}. */
	threadStates() {
		const {thread, weight, count, state} = this.data.samples, threads = new Map();
		for (const row of this.rows) {
			if (!threads.has(thread[row]))
				threads.set(thread[row], {weight: 0, count: 0, states: STATES.map(() => 0)});
			const sum = threads.get(thread[row]);
			sum.weight += weight[row];
			sum.count += count[row];
			sum.states[state[row]] += weight[row];
		}
		return threads;
	}

	/** Weights of stacks, which know lines, where nodes only know functions. */
	stackWeights() {
		if (this.byStack)
			return this.byStack;
		const {samples, stacks} = this.data, self = new Float64Array(stacks.parent.length);
		for (const row of this.rows) {
			if (samples.stack[row] > 0)
				self[samples.stack[row] - 1] += this.amount[row];
		}
		const total = self.slice();
		for (let i = total.length - 1; i >= 0; i--) {
			if (stacks.parent[i] >= 0)
				total[stacks.parent[i]] += total[i];
		}
		this.byStack = {self, total};
		return this.byStack;
	}

	/**
	 * Sums by a number of frames (below 0: none): Map from it to {self, total}. A sample counts once
	 * for a number that is in its stack several times. @where: the stacks that end in such frames;
	 * left out: any of them may.
	 */
	sumByFrame(numberOf, where = null) {
		const {stacks: {parent, frame}} = this.data, {self, total} = this.stackWeights(), sums = new Map();
		const count = where ? where.length : total.length;
		for (let k = 0; k < count; k++) {
			const i = where ? where[k] : k, number = total[i] > 0 ? numberOf(frame[i]) : -1;
			if (number < 0)
				continue;
			let sum = sums.get(number);
			if (!sum)
				sums.set(number, sum = {self: 0, total: 0});
			sum.self += self[i];
			let above = parent[i];
			while (above >= 0 && numberOf(frame[above]) !== number)
				above = parent[above];
			if (above < 0)
				sum.total += total[i];
		}
		return sums;
	}

	/** By place (findPlaces()), for all of them at once: {self, total}. */
	placeSums() {
		if (this.byPlace)
			return this.byPlace;
		const {stacks: {frame}, placeOf, places} = this.data, weights = this.stackWeights();
		const outermost = outermostPlaces(this.data);
		const self = new Float64Array(places.length), total = new Float64Array(places.length);
		for (let i = 0; i < frame.length; i++) {
			const place = placeOf[frame[i]];
			self[place] += weights.self[i];
			if (outermost[i])
				total[place] += weights.total[i];
		}
		this.byPlace = {self, total};
		return this.byPlace;
	}

	lineSums(file) {
		const {frames, where} = this.data;
		return this.sumByFrame(frame => frames.file[frame] === file && frames.line[frame] ? frames.line[frame] : -1, where.stacksIn(file));
	}

	/** Lines of the file where CPython's JIT was at work: samples there may be of others. */
	compiledLines(file) {
		const {frames, where} = this.data;
		if (!frames.compiled.includes(1)) // most recordings
			return [];
		return [...this.sumByFrame(frame => frames.compiled[frame] && frames.file[frame] === file ? frames.line[frame] : -1,
			where.stacksIn(file)).keys()];
	}

	compiledWeight() {
		const {frames} = this.data;
		if (!frames.compiled.includes(1))
			return 0;
		return this.sumByFrame(frame => frames.compiled[frame] || -1).get(1)?.total || 0;
	}

	instructionSums(func) {
		const {frames, where} = this.data;
		return this.sumByFrame(frame => frames.func[frame] === func ? frames.instruction[frame] || -1 : -1, where.stacksOf(func));
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
		for (const node of this.data.where.nodesOf(func)) {
			const parent = tree.parent[node], above = parent > 0 ? tree.code[parent] >> 1 : -1;
			if (outermost[node] || !this.hasStepAbove(parent, above, func))
				add(callers, above, this.slice.weight(node));
			for (let child = node + 1; child < tree.end[node]; child = tree.end[child]) {
				const called = tree.code[child] >> 1;
				if (outermost[node] || !this.hasStepAbove(node, func, called))
					add(callees, called, this.slice.weight(child));
			}
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

/** 1 for stacks whose place is not in their callers' again; once for each data. */
function outermostPlaces(data) {
	if (data.outermostPlaces)
		return data.outermostPlaces;
	const {stacks: {parent, frame}, placeOf} = data, outermost = new Uint8Array(parent.length);
	for (let i = 0; i < parent.length; i++) {
		const place = placeOf[frame[i]];
		let above = parent[i];
		while (above >= 0 && placeOf[frame[above]] !== place)
			above = parent[above];
		outermost[i] = above < 0 ? 1 : 0;
	}
	data.outermostPlaces = outermost;
	return outermost;
}
