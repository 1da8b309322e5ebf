// SPDX-License-Identifier: Apache-2.0
// What the page shows, in its address: each step is one of the browser's history, so that Back and
// Escape take it back, and a bookmark or a copied link shows the same again.

const KEYS_HELP = [
	["/", "search"], ["Enter", "from the search to the graph; zoom in"], ["Backspace", "zoom out"],
	["Escape", "take back the last step"], ["arrow keys", "callers, callees and neighbours; move the range of time"],
	["f  c  d  s  o", "flame, icicle, time order, sandwich, outline"], ["1  2  3  4", "lines, functions, files, threads"],
	["m", "menu of the function: focus, hide, collapse, copy"], ["i", "invert"], ["t", "by thread"], ["p", "Python only"],
	["w", "wide details"], ["x", "swap the two sides of a comparison"],
	["l", "copy a link to what is shown"], ["?", "these keys"],
];

/** Parts of the state that change with each key or letter: a row of them is one step. */
const PARTS_OF_TYPING = ["search", "function", "line", "time"];

class Steps {
	constructor(page) {
		this.page = page;
		this.keys = new ReportKeys(page.mixed);
		this.isRestoring = this.isPending = this.isByKey = false;
		this.initial = this.read();
		this.shown = "";
		this.typedParts = ""; // what the last step changed, if it was a key
		addEventListener("popstate", () => this.follow());
		addEventListener("keydown", () => this.isByKey = true, true);
		addEventListener("pointerdown", () => this.isByKey = false, true);
		this.follow();
	}

	/** All that a user can choose; texts, so that they can be compared and written. */
	read() {
		const {page, keys} = this, {tracks, graph, options} = page;
		const isWhole = tracks.from === 0 && tracks.to === tracks.slots;
		const zoom = [], bit = isSet => isSet ? "1" : "0";
		for (let node = graph.zoomed; node && node.parent; node = node.parent)
			zoom.unshift(keys.ofChildren(node.parent).of(node.parent.children.indexOf(node)));
		return {
			event: keys.events.of(page.event), against: keys.events.of(page.against), shape: page.shape, table: page.tables.tab,
			invert: bit(options.isInverted), split: bit(options.byThread), python: bit(options.isPython), folded: bit(options.isFolded),
			rules: page.rules.map(rule => keys.ofRule(rule)).join(KEY_NEXT), time: isWhole ? "" : `${tracks.from}-${tracks.to}`,
			threads: tracks.threads ? [...tracks.threads].sort((a, b) => a - b).map(thread => keys.threads.of(thread)).join(KEY_NEXT) : "", lanes: bit(tracks.isOpen),
			search: page.searchBox.value, tab: page.inspector.panel, function: keys.functions.of(page.selected),
			line: String(page.selectedLine), zoom: zoom.join(KEY_NEXT),
		};
	}

	/** Only what is not as it was at first. */
	write(state) {
		const words = new URLSearchParams();
		for (const [key, value] of Object.entries(state)) {
			if (value !== this.initial[key])
				words.set(key, value);
		}
		return words.toString();
	}

	/** Something may have changed: what one event changed is one step. */
	note() {
		if (this.isPending || this.isRestoring)
			return;
		this.isPending = true;
		queueMicrotask(() => {
			this.isPending = false;
			this.step();
		});
	}

	step() {
		const text = this.write(this.read());
		if (text === this.shown)
			return;
		const parts = this.changedParts(text);
		const isSame = this.isByKey && parts === this.typedParts && PARTS_OF_TYPING.includes(parts);
		const number = (history.state?.step || 0) + (isSame ? 0 : 1);
		this.typedParts = this.isByKey ? parts : "";
		this.shown = text;
		const address = location.href.split("#")[0] + (text ? "#" + text : "");
		try {
			history[isSame ? "replaceState" : "pushState"]({step: number}, "", address);
		} catch {
			// A page in a frame without an address of its own has no history either.
		}
	}

	changedParts(text) {
		const before = new URLSearchParams(this.shown), after = new URLSearchParams(text);
		return Object.keys(this.initial).filter(key => before.get(key) !== after.get(key)).join();
	}

	back() {
		if (history.state?.step)
			history.back();
	}

	/** The address is another one: show what it says. It may be anybody's. */
	follow() {
		const text = location.hash.slice(1);
		if (text === this.shown)
			return;
		const words = new URLSearchParams(text), state = {...this.initial};
		for (const key of Object.keys(state))
			state[key] = words.get(key) ?? state[key];
		this.isRestoring = true;
		this.restore(state);
		this.isRestoring = false;
		this.typedParts = "";
		this.shown = this.write(this.read());
	}

	restore(state) {
		const {page, keys} = this, {tracks, tables} = page, now = this.read();
		const differs = (...keys) => keys.some(key => state[key] !== now[key]);
		this.restoreEvents(state, differs);
		Object.assign(page.options, {isInverted: state.invert === "1", byThread: state.split === "1",
			isPython: state.python === "1" && hasPython(page.mixed), isFolded: state.folded === "1"});
		tracks.restore(/^\d+-\d+$/.test(state.time) ? state.time.split("-").map(Number) : [0, tracks.slots],
			splitKeys(state.threads).map(key => keys.threads.find(key)));
		if (differs("lanes"))
			tracks.open(state.lanes !== "0");
		if (TABLES.some(({id}) => id === state.table))
			tables.choose(state.table);
		if (SHAPES.some(({id}) => id === state.shape))
			page.shape = state.shape;
		const func = this.functionOf(state.function), line = Number(state.line);
		page.selected = func;
		page.selectedLine = line >= 0 ? line : 0;
		page.setSearch(state.search);
		if (page.inspector.panels.has(state.tab))
			page.inspector.panel = state.tab;
		page.rules = keys.findRules(state.rules);
		page.rule(); // shows all of it
		this.zoom(state.zoom);
		page.select(func < page.data.functions.length ? func : -1, page.selectedLine);
	}

	/** One that is not known, as numbers of older addresses are not, selects what the page begins with. */
	functionOf(key) {
		const {functions} = this.keys, func = functions.find(key);
		return func < 0 && key ? functions.find(this.initial.function) : func;
	}

	restoreEvents(state, differs) {
		const {page, keys: {events}} = this, isEvent = number => page.isUsed(number);
		if (!differs("event", "against"))
			return;
		const wanted = events.find(state.event), against = events.find(state.against);
		const event = isEvent(wanted) ? wanted : page.event;
		if (event !== page.event)
			page.tracks.setEvent(event);
		page.event = event;
		page.against = isEvent(against) && against !== event ? against : -1;
	}

	zoom(path) {
		const {graph} = this.page;
		let node = graph.root;
		for (const key of splitKeys(path)) {
			const next = node.children[this.keys.ofChildren(node).find(key)];
			if (!next)
				break;
			node = next;
		}
		if (node !== graph.zoomed) {
			graph.focused = node;
			graph.zoomTo(node);
		}
	}

	/** Of a page of a server the address may be relative to now: the page says which one stays the same. */
	link() {
		const canonical = document.querySelector('link[rel="canonical"]');
		return canonical ? canonical.href + location.hash : location.href;
	}

	async copyLink() {
		try {
			await navigator.clipboard.writeText(this.link());
			this.page.say("Link copied");
		} catch {
			// Without a clipboard the address bar has it.
			this.page.say("Copy it from the address bar");
		}
	}
}

function makeKeysDialog() {
	return makeDialog("Keys", make("dl", {}, ...KEYS_HELP.flatMap(([keys, what]) =>
		[make("dt", {}, ...keys.split("  ").map(key => make("kbd", {}, key))), make("dd", {}, what)])));
}
