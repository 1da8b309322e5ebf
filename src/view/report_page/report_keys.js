// SPDX-License-Identifier: Apache-2.0
// What an address calls functions, modules, events, threads and nodes of the graph. Not by their
// numbers: a store has other ones as soon as late samples arrive. A key is made of texts that stay:
//
//	function=operator%2B~libmath.so~vector.cc     name, module, file; equal ones get "~2", "~3"
//	rules=hf~main~server~main.c,cm~libc.so.6
//	zoom=main~server~main.c,compute~server~calc.c
//
// Keys of an address may be anybody's: those that are not known select nothing.

const KEY_ESCAPE = "!", KEY_PART = "~", KEY_NEXT = ",";

/** A text in which none of the signs above means anything. */
function escapeKey(text) {
	return text.replace(/[!~,]/g, sign => KEY_ESCAPE + sign.charCodeAt(0).toString(16));
}

function joinKey(...parts) {
	return parts.map(part => escapeKey(String(part))).join(KEY_PART);
}

/** What tells a key from an equal one before it; number: from 0 on. */
function numberedKey(key, number) {
	return number ? `${key}${KEY_PART}${number + 1}` : key;
}

function splitKeys(words) {
	return words ? words.split(KEY_NEXT) : [];
}

/** Keys of items by their numbers, and numbers by their keys. */
class Keys {
	/** keyOf(item): equal ones are told apart. */
	constructor(items, keyOf) {
		const seen = new Map();
		this.numbers = new Map();
		this.keys = items.map((item, number) => {
			const key = keyOf(item), before = seen.get(key) || 0, own = numberedKey(key, before);
			seen.set(key, before + 1);
			this.numbers.set(own, number);
			return own;
		});
	}

	of(number) {
		return this.keys[number] ?? "";
	}

	/** -1: there is no such item. */
	find(key) {
		return this.numbers.get(key) ?? -1;
	}
}

class ReportKeys {
	/** data: as recorded. */
	constructor({summary, functions, strings}) {
		const {events, threads, modules} = summary, recordingOf = each => each.recording ?? "";
		this.functions = new Keys([...functions, null], each => each ? joinKey(each.name, each.module, strings[each.file] || "") : "-");
		this.modules = new Keys(modules, ({name}) => joinKey(name));
		this.events = new Keys(events, each => joinKey(each.name, recordingOf(each)));
		this.threads = new Keys(threads, each => joinKey(each.name, each.process, each.pid, each.tid, recordingOf(each)));
	}

	/** "hf~main~server~main.c": that hides it. */
	ofRule({letter, isModule, key}) {
		return `${letter}${isModule ? "m" : "f"}${KEY_PART}${isModule ? this.modules.of(key - 1) : this.functions.of(key)}`;
	}

	/** What is no rule is left out. */
	findRules(words) {
		return splitKeys(words).flatMap(word => {
			const [, letter, what, key] = /^([fhc])([fm])~(.*)$/s.exec(word) || [], isModule = what === "m";
			const number = letter ? isModule ? this.modules.find(key) + 1 : this.functions.find(key) : -1;
			const isThere = isModule ? number > 0 : number >= 0 && number < this.functions.keys.length - 1;
			return isThere ? [{letter, isModule, key: number}] : [];
		});
	}

	/** Of what a node calls, or of what called it. */
	ofChildren(node) {
		return new Keys(node.children, each => each.code < 0 ? joinKey("", safeName(each.label)) : this.functions.of(each.func));
	}
}
