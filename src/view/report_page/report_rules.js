// SPDX-License-Identifier: Apache-2.0
// Rules change what stacks show: without native code (Python only), without inlined calls, only from
// a function on (focus), without a function (hide), or with all that it calls counted as its own
// (collapse). Each rule is one pass over the stacks, whose callers come first, and gives new stacks
// of the same frames.

const PYTHON_KIND = KINDS.indexOf("python");
const DROPPED = -1; // the stack of a sample that a rule leaves out

/** Rules that the user adds; letters are those of the address (report_keys.js). */
const RULES = {
	f: {label: "Focus", title: "Only samples in it; what called it is cut off"},
	h: {label: "Hide", title: "Its samples count for what called it"},
	c: {label: "Collapse", title: "What it calls counts as its own"},
};

function hasPython(data) {
	return data.functions.some(func => func.kind === PYTHON_KIND);
}

/** Of at most as many stacks as there are; number i + 1 is stack i. */
class StackBuilder {
	constructor(most) {
		this.parent = new Int32Array(most);
		this.frame = new Int32Array(most);
		this.count = 0;
	}

	/** @above: number of the caller, or 0. Returns the number of the new stack. */
	push(above, frame) {
		this.parent[this.count] = above - 1;
		this.frame[this.count++] = frame;
		return this.count;
	}

	finish() {
		return {parent: this.parent.slice(0, this.count), frame: this.frame.slice(0, this.count)};
	}
}

/**
 * next(builder, above, frame): the number of the new stack that the frame ends in; @above is that of
 * its caller, or @start where there is none. Samples whose stack is not known keep that, unless
 * @start is DROPPED.
 */
function rewriteStacks(data, next, start = 0) {
	const {parent, frame} = data.stacks, to = new Int32Array(parent.length), builder = new StackBuilder(parent.length);
	for (let i = 0; i < parent.length; i++)
		to[i] = next(builder, parent[i] < 0 ? start : to[parent[i]], frame[i]);
	const stack = data.samples.stack.map(number => number > 0 ? to[number - 1] : number < 0 ? DROPPED : start);
	return {...data, stacks: builder.finish(), samples: {...data.samples, stack}};
}

/** isHidden: by frame. */
function hideFrames(data, isHidden) {
	return rewriteStacks(data, (builder, above, frame) => isHidden(frame) ? above : builder.push(above, frame));
}

function focusFrames(data, isWanted) {
	return rewriteStacks(data, (builder, above, frame) => above === DROPPED && !isWanted(frame) ? DROPPED
		: builder.push(Math.max(above, 0), frame), DROPPED);
}

/** A function takes what it calls as its own; a module only what is in it, and becomes one frame. */
function collapseFrames(data, isWanted, isModule) {
	const isShut = new Uint8Array(data.stacks.parent.length + 1);
	return rewriteStacks(data, (builder, above, frame) => {
		const isHere = isWanted(frame);
		if (isShut[above] && (isHere || !isModule))
			return above;
		const number = builder.push(above, frame);
		isShut[number] = isHere ? 1 : 0;
		return number;
	});
}

/** rule: {letter, isModule, key}: number of a function, or that of a module. */
function applyRule(data, {letter, isModule, key}) {
	const {frames, functions} = data;
	const isWanted = isModule ? frame => functions[frames.func[frame]].moduleNumber === key
		: frame => frames.func[frame] === key;
	if (letter === "f")
		return focusFrames(data, isWanted);
	return letter === "h" ? hideFrames(data, isWanted) : collapseFrames(data, isWanted, isModule);
}

/** choice: {isPython, isFolded, rules}. */
function applyRules(data, {isPython, isFolded, rules}) {
	const {frames, functions} = data;
	let result = data;
	if (isPython)
		result = hideFrames(result, frame => functions[frames.func[frame]].kind !== PYTHON_KIND);
	else if (isFolded)
		result = hideFrames(result, frame => frames.inlined[frame]);
	for (const rule of rules)
		result = applyRule(result, rule);
	return withTree(result, isPython ? "[no Python]" : "[no stack]");
}

/** "hf12" hides function 12, "cm3" collapses module 3: on this page only (report_keys.js). */
function ruleWord({letter, isModule, key}) {
	return letter + (isModule ? "m" : "f") + key;
}

function ruleName({isModule, key}, data) {
	return isModule ? data.summary.modules[key - 1].name : labelOfFunction(data.functions[key]);
}
