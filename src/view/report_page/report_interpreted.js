// SPDX-License-Identifier: Apache-2.0
// The same samples as Python sees them: what native code spends, the line spends that called it.

const PYTHON_KIND = KINDS.indexOf("python");

function hasPython(data) {
	return data.functions.some(func => func.kind === PYTHON_KIND);
}

/** Stacks of the frames of Python alone. to[i]: number of stack i among them, and 1; 0 of none. */
function pythonStacks({stacks, frames, functions}) {
	const count = stacks.parent.length, to = new Int32Array(count), parent = [], frame = [];
	for (let i = 0; i < count; i++) {
		const above = stacks.parent[i] < 0 ? 0 : to[stacks.parent[i]];
		to[i] = above;
		if (functions[frames.func[stacks.frame[i]]].kind !== PYTHON_KIND)
			continue;
		parent.push(above - 1);
		frame.push(stacks.frame[i]);
		to[i] = parent.length;
	}
	return {to, stacks: {parent: Int32Array.from(parent), frame: Int32Array.from(frame)}};
}

/** Of the same functions and frames; what no code of Python called is a function of its own. */
function reduceToPython(data) {
	const {to, stacks} = pythonStacks(data);
	const stack = data.samples.stack.map(number => number ? to[number - 1] : 0);
	return withTree({...data, stacks, samples: {...data.samples, stack}}, "[no Python]");
}
