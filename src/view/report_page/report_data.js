// SPDX-License-Identifier: Apache-2.0
// The data of the page, as report_page.c wrote it, and the tree of calls that is made of it.

const KINDS = ["native", "kernel", "jit", "python", "marker", "inlined"];
const KIND_LABELS = {
	native: "native", kernel: "kernel", jit: "JIT", python: "Python",
	marker: "no code", inlined: "inlined",
};
const MARKER_KIND = KINDS.indexOf("marker");
const INLINED_KIND = KINDS.indexOf("inlined");

function readJson(id) {
	return JSON.parse(document.getElementById("wperf-" + id).textContent);
}

function readBytes(id) {
	const element = document.getElementById("wperf-" + id), text = element.textContent;
	element.remove(); // megabytes of text that nobody needs again
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < bytes.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

function countNumbers(bytes) {
	let count = 0;
	for (let i = 0; i < bytes.length; i++)
		count += (bytes[i] >> 7) ^ 1;
	return count;
}

/** The numbers of a packed_column. */
function readColumn(id, ArrayType) {
	const bytes = readBytes(id), numbers = new ArrayType(countNumbers(bytes));
	let value = 0, scale = 1, row = 0;
	for (let i = 0; i < bytes.length; i++) {
		value += (bytes[i] & 127) * scale;
		scale *= 128;
		if (bytes[i] < 128) {
			numbers[row++] = value;
			value = 0;
			scale = 1;
		}
	}
	return numbers;
}

/** Those of a packed_column of steps. */
function readSteps(id, ArrayType) {
	const steps = readColumn(id, Float64Array), numbers = new ArrayType(steps.length);
	let value = 0;
	for (let i = 0; i < steps.length; i++) {
		value += steps[i] & 1 ? -(steps[i] + 1) / 2 : steps[i] / 2;
		numbers[i] = value;
	}
	return numbers;
}

function fileName(path) {
	return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** moduleNumber: index of the module and 1; 0: none. */
function readFunctions(strings, modules) {
	const name = readSteps("function-name", Int32Array), module = readColumn("function-module", Int32Array);
	const file = readSteps("function-file", Int32Array), line = readColumn("function-line", Int32Array);
	const kind = readColumn("function-kind", Uint8Array);
	return Array.from(name, (string, i) => ({
		name: strings[string], module: module[i] ? modules[module[i] - 1].name : "", moduleNumber: module[i],
		file: file[i], line: line[i], kind: kind[i],
	}));
}

function readFrames() {
	return {
		func: readSteps("frame-function", Int32Array), file: readSteps("frame-file", Int32Array),
		line: readSteps("frame-line", Int32Array), inlined: readColumn("frame-inlined", Uint8Array),
		instruction: readSteps("frame-instruction", Int32Array),
		compiled: readColumn("frame-compiled", Uint8Array),
	};
}

/** parent[i] < i, or -1. */
function readStacks() {
	const back = readColumn("stack-parent", Int32Array), parent = new Int32Array(back.length);
	for (let i = 0; i < back.length; i++)
		parent[i] = back[i] ? i - back[i] : -1;
	return {parent, frame: readColumn("stack-frame", Int32Array)};
}

/** stack: number of the stack and 1; 0: not known. Sorted by event, thread and slot. */
function readSamples() {
	const event = readSteps("sample-event", Uint32Array);
	const state = readColumn("sample-state", Uint8Array); // empty where no state is known
	return {
		event, thread: readSteps("sample-thread", Uint32Array),
		slot: readSteps("sample-slot", Uint16Array), stack: readSteps("sample-stack", Int32Array),
		weight: readSteps("sample-weight", Float64Array), count: readColumn("sample-count", Float64Array),
		state: state.length ? state : new Uint8Array(event.length),
	};
}

/** A number for each function, file and line of frames: places[placeOf[frame]]. */
function findPlaces(frames) {
	const placeOf = new Int32Array(frames.func.length), places = [], known = new Map();
	for (let frame = 0; frame < placeOf.length; frame++) {
		const {func, file, line} = {func: frames.func[frame], file: frames.file[frame], line: frames.line[frame]};
		const key = line ? `${func} ${file} ${line}` : `${func}`;
		let place = known.get(key);
		if (place === undefined) {
			place = places.length;
			known.set(key, place);
			places.push({func, file: line ? file : 0, line});
		}
		placeOf[frame] = place;
	}
	return {placeOf, places};
}

/**
 * Stacks whose frames are of the same functions become one node. A node is of a code: function * 2,
 * plus 1 if it is inlined there. Node 0 is the root. In the order in which stacks come.
 */
function mergeStacks(stacks, frames) {
	const count = stacks.parent.length, parent = new Int32Array(count + 2), code = new Int32Array(count + 2);
	const nodeOf = new Int32Array(count);
	let size = 16;
	while (size < 2 * count)
		size *= 2;
	const slots = new Int32Array(size);
	parent[0] = code[0] = -1;
	let next = 1;
	for (let i = 0; i < count; i++) {
		const above = stacks.parent[i] < 0 ? 0 : nodeOf[stacks.parent[i]];
		const frame = stacks.frame[i], mine = frames.func[frame] * 2 + frames.inlined[frame];
		let hash = Math.imul(above ^ Math.imul(mine, 0x9e3779b1), 0x85ebca6b);
		hash = (hash ^ hash >>> 15) & (size - 1);
		while (slots[hash] && (parent[slots[hash]] !== above || code[slots[hash]] !== mine))
			hash = (hash + 1) & (size - 1);
		if (!slots[hash]) {
			parent[next] = above;
			code[next] = mine;
			slots[hash] = next++;
		}
		nodeOf[i] = slots[hash];
	}
	return {parent, code, nodeOf, count: next};
}

/**
 * Numbers the nodes anew, so that what a node calls stands right behind it, up to end[node]: the
 * weight of a subtree is then a difference of two prefix sums. nodeOf is by the stack of a sample:
 * 0 is no stack, and stack i is at i + 1.
 */
function orderTree(merged, unknown) {
	const {count} = merged, size = new Int32Array(count).fill(1), place = new Int32Array(count);
	for (let i = count - 1; i > 0; i--)
		size[merged.parent[i]] += size[i];
	const nextPlace = new Int32Array(count);
	nextPlace[0] = 1;
	const parent = new Int32Array(count), code = new Int32Array(count), end = new Int32Array(count);
	const depth = new Int32Array(count);
	for (let i = 0; i < count; i++) {
		const above = merged.parent[i];
		if (i > 0) {
			place[i] = nextPlace[above];
			nextPlace[above] += size[i];
			nextPlace[i] = place[i] + 1;
		}
		const to = place[i];
		parent[to] = i > 0 ? place[above] : -1;
		code[to] = merged.code[i];
		end[to] = to + size[i];
		depth[to] = i > 0 ? depth[parent[to]] + 1 : 0;
	}
	const nodeOf = new Int32Array(merged.nodeOf.length + 1);
	nodeOf[0] = place[unknown];
	for (let i = 0; i < merged.nodeOf.length; i++)
		nodeOf[i + 1] = place[merged.nodeOf[i]];
	return {parent, code, end, depth, count, nodeOf};
}

/** 1 for nodes that no other one of their function called, in however many steps. */
function findOutermost(tree, numFunctions) {
	const open = new Int32Array(numFunctions), outermost = new Uint8Array(tree.count);
	const path = [];
	for (let i = 1; i < tree.count; i++) {
		while (path.length && tree.end[path[path.length - 1]] <= i)
			open[tree.code[path.pop()] >> 1]--;
		const func = tree.code[i] >> 1;
		outermost[i] = open[func]++ === 0 ? 1 : 0;
		path.push(i);
	}
	return outermost;
}

/** Which items have each number: those of @number are items[starts[number]] to before items[starts[number + 1]]. */
function indexBy(numberOf, count, numNumbers) {
	const starts = new Int32Array(numNumbers + 1), items = new Int32Array(count);
	for (let i = 0; i < count; i++)
		starts[numberOf(i) + 1]++;
	for (let number = 0; number < numNumbers; number++)
		starts[number + 1] += starts[number];
	const next = starts.slice();
	for (let i = 0; i < count; i++)
		items[next[numberOf(i)]++] = i;
	return number => items.subarray(starts[number], starts[number + 1]);
}

/** Indexes of what a function or a file is in, made when they are asked for first. */
class Places {
	constructor({tree, stacks, frames, functions, strings}) {
		const make = {
			nodesOf: () => indexBy(node => node ? tree.code[node] >> 1 : functions.length, tree.count, functions.length + 1),
			stacksOf: () => indexBy(i => frames.func[stacks.frame[i]], stacks.frame.length, functions.length),
			stacksIn: () => indexBy(i => frames.file[stacks.frame[i]], stacks.frame.length, strings.length),
		};
		for (const [name, index] of Object.entries(make)) {
			let made = null;
			/** nodesOf(func), stacksOf(func), stacksIn(file) */
			this[name] = number => (made = made || index())(number);
		}
	}
}

/** Samples of which no stack is known get a function of their own, which is the last. */
function addUnknown(functions, merged, name) {
	functions.push({name, module: "", moduleNumber: 0, file: 0, line: 0, kind: MARKER_KIND});
	merged.parent[merged.count] = 0;
	merged.code[merged.count] = (functions.length - 1) * 2;
	return merged.count++;
}

/** @unknown: what samples without a stack are called. */
function withTree(data, unknown) {
	const merged = mergeStacks(data.stacks, data.frames), functions = [...data.functions];
	const hasUnknown = data.samples.stack.includes(0);
	const tree = orderTree(merged, hasUnknown ? addUnknown(functions, merged, unknown) : 0);
	const result = {...data, functions, tree, outermost: findOutermost(tree, functions.length)};
	result.where = new Places(result);
	return result;
}

/** As recorded; applyRules() makes what is shown of it. */
function readReport() {
	const summary = readJson("summary"), strings = readJson("strings").map(safeName);
	for (const module of summary.modules)
		module.name = safeName(module.name);
	const frames = readFrames();
	return {
		summary, strings, functions: readFunctions(strings, summary.modules), frames,
		stacks: readStacks(), samples: readSamples(), ...findPlaces(frames),
		sources: new Map(readJson("sources").map(source => [source.file, source.text])),
		listings: new Map(readJson("listings").map(each => [each.function, each.instructions])),
		spe: readSpe(),
	};
}
