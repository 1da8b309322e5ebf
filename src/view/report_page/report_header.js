// SPDX-License-Identifier: Apache-2.0
// The header: what was recorded, how long and how much; the notes of the terminal; what is shown.

const DEFAULT_TITLE = "wperf report";

/** How frames of interpreted code came to the samples, and how late. */
function pythonText(python) {
	const late = `, ${shortTime(python.meanNs)} later (${shortTime(python.maxNs)} at most)`;
	return `Python ${python.words}${python.samples ? late : ""}`;
}

function periodText(event) {
	if (event.unit === "bytes" || event.unit === "allocations")
		return shortBytes(event.period);
	return event.unit === "nanoseconds" ? shortTime(event.period) : event.period.toLocaleString("en");
}

/** "server" of "wperf record -g -- /opt/bin/server --port 80"; without a program that of the busiest thread. */
function programOf({command, threads}) {
	const [ours, started] = (command || "").split(/ -- (.*)/s);
	const isProfiler = /^\S*\bw?perf(\.exe)?\s/.test(ours);
	const words = started || (isProfiler ? "" : ours);
	return /([^/\\\s]+)(\s|$)/.exec(words)?.[1] || threads[0]?.process;
}

function makeDialog(label, ...content) {
	return make("dialog", {className: "keys card", attributes: {"aria-label": label}},
		make("h2", {}, label), ...content, make("form", {method: "dialog"}, make("button", {}, "Close")));
}

/** What the terminal said as well: the button and the dialog, or nothing. */
function makeNotes(lines) {
	const isHint = line => line.startsWith("hint: ");
	const count = lines.filter(line => !isHint(line)).length;
	if (!count)
		return [];
	const dialog = makeDialog("Notes", make("ul", {}, ...lines.map(line => make("li", {className: isHint(line) ? "hint" : ""},
		safeName(line.replace(/^note: /, ""))))));
	const button = make("button", {type: "button"}, `Notes (${count})`);
	button.addEventListener("click", () => dialog.showModal());
	return [button, dialog];
}

/** How long, how much CPU, when, where: of each of the recordings. */
function runFacts({summary, samples}, which) {
	const run = summary.recordings?.[which] || summary, facts = [], isOne = !summary.recordings;
	const clock = summary.events.findIndex(event => event.unit === "nanoseconds" && !event.isWait &&
		(isOne || event.recording === which));
	let cpuNs = 0;
	for (let i = 0; clock >= 0 && i < samples.event.length; i++)
		cpuNs += samples.event[i] === clock ? samples.weight[i] : 0;
	if (run.durationNs)
		facts.push(shortTime(run.durationNs) + " elapsed" + (cpuNs ? `, ${shortTime(cpuNs)} CPU ` +
			`(${(cpuNs / run.durationNs).toFixed(2)} cores)` : ""));
	if (run.startMs)
		facts.push(dateText(run.startMs));
	facts.push([run.host, isOne && summary.machine].filter(Boolean).join(", "), isOne && summary.system);
	return facts.filter(Boolean).map(fact => make("span", {className: "run"}, safeName(fact)));
}

/** A name for each event; of a comparison, with its recording. */
function eventName(summary, number) {
	const event = summary.events[number], recording = summary.recordings?.[event.recording];
	return safeName(event.name) + (recording ? ` · ${fileName(safeName(recording.name))}` : "");
}

class Header {
	/** on: {event(number), against(number), keys(), link(), theme()}. */
	constructor(page, on) {
		this.page = page;
		this.on = on;
		this.build();
	}

	build() {
		const {summary} = this.page.mixed, {recordings} = summary;
		const program = summary.title === DEFAULT_TITLE && programOf(summary) || summary.title;
		document.title = safeName(program);
		this.facts = make("p", {className: "facts"});
		const button = (label, act, title = "") => {
			const element = make("button", {type: "button", className: "quiet", title}, label);
			element.addEventListener("click", act);
			return element;
		};
		this.linkButton = button("Copy link", this.on.link, `A link to this page as it is now, for whoever ${
			location.protocol === "file:" ? "has the same file" : "can read this server"}`);
		const runs = recordings ? recordings.map((run, i) => make("p", {className: "facts of-run"},
			make("span", {}, fileName(safeName(run.name))), ...runFacts(this.page.mixed, i))) : [];
		this.element = make("header", {},
			make("h1", {}, make("bdi", {}, safeName(program)), ...recordings ? [] : runFacts(this.page.mixed),
				summary.command ? make("code", {title: safeName(summary.command)}, safeName(summary.command)) : ""),
			make("div", {className: "tools"}, ...makeNotes(summary.notes), this.linkButton,
				button("Keys", this.on.keys), button("Light or dark", this.on.theme)),
			...runs, make("div", {className: "shown"}, ...this.makeEvents(), this.facts));
	}

	makeEvents() {
		const {summary} = this.page.mixed, numbers = summary.events.map((_, i) => i).filter(i => this.page.isUsed(i));
		const options = () => numbers.map(i => make("option", {value: i}, eventName(summary, i)));
		this.events = make("select", {className: "event"}, ...options());
		this.against = make("select", {className: "against"}, make("option", {value: -1}, "nothing"), ...options());
		this.events.addEventListener("change", () => this.on.event(+this.events.value));
		this.against.addEventListener("change", () => this.on.against(+this.against.value));
		const hidden = numbers.length < 2;
		return [make("label", {hidden}, "Event ", this.events), make("label", {hidden}, "compared with ", this.against)];
	}

	/** What is chosen, and what it adds up to. */
	show() {
		const {page} = this, {summary} = page.mixed, event = summary.events[page.event], {sums} = page, facts = [];
		this.events.value = page.event;
		this.against.value = page.against;
		if (event)
			facts.push(safeName(event.name) + (event.frequency ? ` at ${event.frequency} Hz`
				: event.period ? ` every ${periodText(event)}` : ""));
		if (event && event.model)
			facts.push(event.model);
		facts.push(plural(sums.count, "sample"), weightText(event, sums.total));
		if (event && event.idlePercent)
			facts.push(`${event.idlePercent.toFixed(1)} % idle, not shown`);
		const compiled = sums.compiledWeight();
		if (compiled)
			facts.push(`${percent(compiled / sums.total)} in JIT-compiled Python code, where lines may be wrong`);
		if (summary.isAnonymous)
			facts.push("anonymous");
		const numLost = summary.recordings?.[event?.recording]?.lost ?? summary.lost;
		const lost = numLost ? plural(numLost, "sample lost", "samples lost") : "none lost";
		facts.push(lost);
		if (summary.python)
			facts.push(pythonText(summary.python));
		this.facts.replaceChildren(...facts.filter(Boolean).map(fact =>
			make("span", {className: numLost && fact === lost ? "lost" : ""}, safeName(fact))));
	}

	/** For a moment, in the place of the button that was pressed. */
	sayOfLink(words) {
		this.linkButton.textContent = words;
		setTimeout(() => this.linkButton.textContent = "Copy link", 2000);
	}
}
