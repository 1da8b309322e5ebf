// SPDX-License-Identifier: Apache-2.0
// The chart in order of time: what each thread did when, one thread below the other, its callers
// above what they call. A sample stands for the time up to the next one (or from the last one, as
// its event has it); what follows without a gap in the same function is one node.

const MAX_TIME_THREADS = 8; // unless threads are pressed

/** Like CallNode, but as wide as it lasts: x and span are slots. */
class TimeNode extends CallNode {
	constructor(parent, code, begin, end, grow) {
		super(parent, code, 0, grow);
		this.x = begin;
		this.length = end - begin;
		this.isTimed = true;
	}

	get span() {
		return this.length;
	}

	get children() {
		if (!this.grown) {
			this.grown = this.grow(this);
			this.grow = null;
			this.grown.forEach((child, i) => child.index = i);
		}
		return this.grown;
	}
}

/** How much time a sample stands for, in slots. */
function sampleLength(samples, rows, event, slotNs) {
	const {slot, count, weight} = samples, first = slot[rows[0]], last = slot[rows[rows.length - 1]];
	let numSamples = 0;
	for (const row of rows)
		numSamples += count[row];
	const gap = Math.max(1, (last - first) / Math.max(1, numSamples));
	return event.unit === "nanoseconds" ? row => weight[row] / slotNs : row => gap * count[row];
}

/** The samples of one thread in order and without overlaps: begin[i] and end[i] are slots. */
function timeSegments(samples, rows, event, slotNs) {
	const lengthOf = sampleLength(samples, rows, event, slotNs), {slot} = samples;
	const begin = new Float64Array(rows.length), end = new Float64Array(rows.length);
	let at = 0;
	for (let i = 0; i < rows.length; i++) {
		let same = i; // samples of one slot share it
		while (same + 1 < rows.length && slot[rows[same + 1]] === slot[rows[i]])
			same++;
		const part = 1 / (same - i + 1), base = slot[rows[i]], next = same + 1 < rows.length ? slot[rows[same + 1]] : Infinity;
		for (let k = i; k <= same; k++) {
			const length = Math.max(part, lengthOf(rows[k])), from = base + (k - i) * part;
			end[k] = event.isAhead ? Math.min(from + length, k < same ? from + part : next) : from + part;
			begin[k] = event.isAhead ? from : Math.max(at, end[k] - length);
			// Regular samples are not exactly as far from each other as they should be.
			if (begin[k] - at < length / 2)
				begin[k] = at;
			at = end[k] = Math.max(begin[k], end[k]);
		}
		i = same;
	}
	return {begin, end};
}

/** Of each sample its nodes in the tree of calls, outermost first: paths[starts[i] + depth]. */
function samplePaths({tree, samples}, rows) {
	const starts = new Int32Array(rows.length + 1);
	for (let i = 0; i < rows.length; i++)
		starts[i + 1] = starts[i] + tree.depth[tree.nodeOf[samples.stack[rows[i]]]];
	const paths = new Int32Array(starts[rows.length]);
	for (let i = 0; i < rows.length; i++) {
		let node = tree.nodeOf[samples.stack[rows[i]]];
		for (let at = starts[i + 1] - 1; at >= starts[i]; at--) {
			paths[at] = node;
			node = tree.parent[node];
		}
	}
	return {starts, paths};
}

/** What the samples from @first to before @last do @level calls deep. */
function growTimes(data, lane, first, last, level) {
	const {rows, begin, end, starts, paths} = lane, {samples: {weight}, tree} = data;
	return parent => {
		const children = [];
		let child = null, node = 0;
		for (let i = first; i < last; i++) {
			const place = starts[i] + level, here = place < starts[i + 1] ? paths[place] : 0;
			if (!here) {
				child = null;
				continue;
			}
			if (!child || here !== node || begin[i] > child.x + child.length) {
				child = new TimeNode(parent, tree.code[here], begin[i], end[i], null);
				child.first = i;
				node = here;
				children.push(child);
			}
			child.length = end[i] - child.x;
			child.last = i + 1;
			child.weight += weight[rows[i]];
			if (place + 1 === starts[i + 1])
				child.self += weight[rows[i]];
		}
		for (const each of children)
			each.grow = growTimes(data, lane, each.first, each.last, level + 1);
		return children;
	};
}

/** One band for each thread, with a row for its name. {root, numLeftOut: threads without a band} */
function makeTimeTree(data, sums) {
	const {samples, summary} = data, event = summary.events[sums.filter.event], byThread = new Map();
	for (const row of sums.rows) {
		if (!byThread.has(samples.thread[row]))
			byThread.set(samples.thread[row], []);
		byThread.get(samples.thread[row]).push(row);
	}
	const weightOf = rows => rows.reduce((sum, row) => sum + samples.weight[row], 0);
	const threads = Array.from(byThread, ([thread, rows]) => ({thread, rows, weight: weightOf(rows)}));
	threads.sort((a, b) => b.weight - a.weight);
	const shown = sums.filter.threads ? threads : threads.slice(0, MAX_TIME_THREADS);
	const root = new TimeNode(null, -1, sums.filter.from, sums.filter.to, parent => {
		let depth = 1;
		return shown.map(({thread, rows, weight}) => {
			const lane = {rows, ...timeSegments(samples, rows, event, summary.slotNs), ...samplePaths(data, rows)};
			const child = new TimeNode(parent, -1, parent.x, parent.x + parent.length,
				growTimes(data, lane, 0, rows.length, 0));
			Object.assign(child, {depth, weight, thread, label: threadLabel(summary.threads[thread])});
			let deepest = 0;
			for (let i = 0; i < rows.length; i++)
				deepest = Math.max(deepest, lane.starts[i + 1] - lane.starts[i]);
			depth += deepest + 2;
			return child;
		});
	});
	root.label = `${root.x ? shortTime(root.x * summary.slotNs) : "0"} to ${shortTime(sums.filter.to * summary.slotNs)}`;
	root.weight = sums.total;
	return {root, numLeftOut: threads.length - shown.length};
}
