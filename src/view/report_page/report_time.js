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

/** The samples of one thread as {begin, end, row}, in order and without overlaps. */
function timeSegments(samples, rows, event, slotNs) {
	const lengthOf = sampleLength(samples, rows, event, slotNs), {slot} = samples, segments = [];
	let at = 0;
	for (let i = 0; i < rows.length; i++) {
		let same = i; // samples of one slot share it
		while (same + 1 < rows.length && slot[rows[same + 1]] === slot[rows[i]])
			same++;
		const part = 1 / (same - i + 1), base = slot[rows[i]];
		for (let k = i; k <= same; k++) {
			const length = Math.max(part, lengthOf(rows[k]));
			let begin = base + (k - i) * part, end = begin + (event.isAhead ? length : part);
			if (!event.isAhead)
				begin = Math.max(at, end - length);
			// Regular samples are not exactly as far from each other as they should be.
			if (begin - at < length / 2)
				begin = at;
			const next = k < same ? base + (k + 1 - i) * part : same + 1 < rows.length ? slot[rows[same + 1]] : Infinity;
			end = Math.max(begin, event.isAhead ? Math.min(end, next) : end);
			segments.push({begin, end, row: rows[k]});
			at = end;
		}
		i = same;
	}
	return segments;
}

/** Of each segment its nodes in the tree of calls, outermost first: paths[starts[i] + depth]. */
function segmentPaths(data, segments) {
	const {tree, samples} = data, starts = new Int32Array(segments.length + 1);
	segments.forEach(({row}, i) => starts[i + 1] = starts[i] + tree.depth[tree.nodeOf[samples.stack[row]]]);
	const paths = new Int32Array(starts[segments.length]);
	segments.forEach(({row}, i) => {
		let node = tree.nodeOf[samples.stack[row]];
		for (let at = starts[i + 1] - 1; at >= starts[i]; at--) {
			paths[at] = node;
			node = tree.parent[node];
		}
	});
	return {starts, paths};
}

/** What the segments from @first to before @last do @level calls deep. */
function growTimes(data, thread, first, last, level) {
	const {segments, starts, paths} = thread, {samples, tree} = data;
	return parent => {
		const children = [];
		let child = null, node = 0;
		for (let i = first; i < last; i++) {
			const here = starts[i] + level < starts[i + 1] ? paths[starts[i] + level] : 0;
			const {begin, end, row} = segments[i];
			if (!here) {
				child = null;
				continue;
			}
			if (!child || here !== node || begin > child.x + child.length) {
				child = new TimeNode(parent, tree.code[here], begin, end, null);
				child.first = i;
				node = here;
				children.push(child);
			}
			child.length = end - child.x;
			child.last = i + 1;
			child.weight += samples.weight[row];
			if (starts[i] + level + 1 === starts[i + 1])
				child.self += samples.weight[row];
		}
		for (const each of children)
			each.grow = growTimes(data, thread, each.first, each.last, level + 1);
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
			const segments = timeSegments(samples, rows, event, summary.slotNs);
			const lane = {segments, ...segmentPaths(data, segments)};
			const child = new TimeNode(parent, -1, parent.x, parent.x + parent.length,
				growTimes(data, lane, 0, segments.length, 0));
			Object.assign(child, {depth, weight, thread, label: threadLabel(summary.threads[thread])});
			let deepest = 0;
			segments.forEach((_, i) => deepest = Math.max(deepest, lane.starts[i + 1] - lane.starts[i]));
			depth += deepest + 2;
			return child;
		});
	});
	root.label = `${root.x ? shortTime(root.x * summary.slotNs) : "0"} to ${shortTime(sums.filter.to * summary.slotNs)}`;
	root.weight = sums.total;
	return {root, numLeftOut: threads.length - shown.length};
}
