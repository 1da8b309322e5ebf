// SPDX-License-Identifier: Apache-2.0
// Numbers, times and names as texts. Names of C++ and Rust lose what says least first, as on the
// terminal (view/layout/short_name.c): arguments, then what encloses the function, never its end.

function plural(count, one, many = one + "s") {
	return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

function roundNumber(value) {
	const units = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]];
	const unit = units.find(([scale]) => value >= scale);
	return unit ? `${+(value / (unit[0] === 1e4 ? 1e3 : unit[0])).toPrecision(3)} ${unit[1]}`
		: value.toLocaleString("en");
}

function percent(share) {
	if (!(share > 0))
		return "0%";
	return share < 0.0005 ? "<0.1%" : (share * 100).toFixed(1) + "%";
}

/** In percentage points; "+1.2", and an empty text where nothing changed. */
function pointsText(change) {
	const points = (change * 100).toFixed(1);
	return Math.abs(points) < 0.05 ? "" : (change > 0 ? "+" : "−") + points.replace("-", "");
}

function shortTime(ns) {
	// From two hours and ten minutes on: "90 s" says more than "1.5 min".
	const units = [[3600e9, "h", 2], [60e9, "min", 10], [1e9, "s", 1], [1e6, "ms", 1], [1e3, "µs", 1], [1, "ns", 0]];
	const [scale, unit] = units.find(([each, , least]) => ns >= least * each) || units.at(-1);
	return `${+(ns / scale).toPrecision(4)} ${unit}`;
}

function shortBytes(bytes) {
	const units = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]];
	const [scale, unit] = units.find(([each]) => bytes >= each) || units[4];
	return `${+(bytes / scale).toPrecision(4)} ${unit}`;
}

/** "12.3 G cycles", "1.2 s": a weight in the unit of its event. */
function weightText(event, weight) {
	if (!event)
		return "";
	if (event.unit === "nanoseconds")
		return shortTime(weight);
	if (event.unit === "bytes")
		return shortBytes(weight);
	return `${roundNumber(weight)} ${event.unit && event.unit !== "events" ? event.unit : event.name}`;
}

/** "2026-05-03 14:07:11", as the reader's clock has it; the browser's own texts of dates take long. */
function dateText(milliseconds) {
	const date = new Date(milliseconds), two = number => String(number).padStart(2, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
		`${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

function compareText(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}

/** Without symbols the module is what is known. */
function labelOfFunction(func) {
	return func.name === "[unknown]" && func.module ? `${func.module} [unknown]` : func.name;
}

const MAX_PLAIN_NAME = 40; // longer names lose their arguments everywhere
const STD_STRING = /\bstd::(?:__1::|__cxx11::)?basic_string<char, *std::(?:__1::)?char_traits<char>, *std::(?:__1::)?allocator<char> ?>/g;

/** The text with @open…@close for what is between them; opens(text, at): does the bracket at @at begin such a part? */
function foldBrackets(text, open, close, opens) {
	let folded = "", depth = 0;
	for (let i = 0; i < text.length; i++) {
		const character = text[i];
		if (depth) {
			if (character === open)
				depth++;
			else if (character === close && text[i - 1] !== "-" && --depth === 0)
				folded += close;
		} else if (character === open && opens(text, i)) {
			depth = 1;
			folded += text[i + 1] === close ? open : open + "…";
		} else {
			folded += character;
		}
	}
	return depth ? text : folded; // a bracket that is never closed is none
}

/** All arguments of templates and functions as "…". */
function foldArguments(name) {
	const isWord = /[\w~]/, isOperator = (text, at) => text.slice(0, at).endsWith("operator");
	const short = foldBrackets(name, "<", ">", (text, at) => isWord.test(text[at - 1] || "") && !isOperator(text, at));
	return foldBrackets(short, "(", ")", (text, at) => at > 0 && !/[ :]/.test(text[at - 1]) && !isOperator(text, at));
}

/** std::string, no type of what is returned; arguments are folded in long names. Python's and C's names stay. */
function shortName(name) {
	if (!/[<(:]/.test(name) || /^[[<]/.test(name))
		return name;
	const text = name.replace(STD_STRING, "std::string").replace(/\bstd::(?:__1|__cxx11)::/g, "std::");
	const folded = foldArguments(text).replace(/\((…?)\)( const)?( &+)?( \[.*\])?$/, "($1)");
	// "void f<…>(…)": templates say what they return.
	const [, returned] = /^((?:[\w:<…>*&]+ )+)(?!…)[^ ]+\(.*\)/.exec(folded) || [];
	const isLong = text.length > MAX_PLAIN_NAME || returned;
	if (!isLong)
		return text;
	return returned && !returned.includes("operator") ? folded.slice(returned.length) : folded;
}

/** Without what encloses it first: a namespace or class, or Python's function around a function. */
function innerName(name) {
	const masked = name.replace(/<[^<>]*>/g, part => "_".repeat(part.length)), isPython = /^[\w.]+$/.test(masked);
	const at = masked.indexOf(isPython ? "." : "::");
	return at < 0 ? "" : name.slice(at + (isPython ? 1 : 2));
}

/** As much of the name as there is room for; the function itself goes last. measure(text): pixels. */
function fitName(name, room, measure) {
	if (measure(name) <= room)
		return name;
	let rest = name;
	for (const shorten of [foldArguments, text => text.replace(/\(…?\)$/, ""), text => text.replace(/<…>$/, "")]) {
		rest = shorten(rest);
		if (measure(rest) <= room)
			return rest;
	}
	for (let inner = innerName(rest); inner; inner = innerName(inner)) {
		if (measure("…" + inner) <= room)
			return "…" + inner;
		rest = inner;
	}
	let length = Math.floor(rest.length * room / (measure(rest) || 1));
	while (length > 1 && measure(rest.slice(0, length) + "…") > room)
		length--;
	return length < 2 ? "" : rest.slice(0, length) + "…";
}
