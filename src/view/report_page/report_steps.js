// SPDX-License-Identifier: Apache-2.0
// What the page shows, in its address: each step is one of the browser's history, so that Back and
// Escape take it back, and a bookmark or a copied link shows the same again.

const KEYS_HELP = [
	["/", "search"], ["Enter", "from the search to the graph; zoom in"], ["Backspace", "zoom out"],
	["Escape", "take back the last step"], ["arrow keys", "callers, callees and neighbours; move the range of time"],
	["f  c  o", "flame, icicle, outline"], ["i", "invert"], ["t", "by thread"], ["p", "Python only"],
	["l", "copy a link to what is shown"], ["?", "these keys"],
];

/** Parts of the state that change with each key or letter: a row of them is one step. */
const PARTS_OF_TYPING = ["search", "function", "time"];

class Steps {
	constructor(page) {
		this.page = page;
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
		const {page} = this, {strip, graph, options} = page;
		const isWhole = strip.from === 0 && strip.to === strip.slots;
		const zoom = [];
		for (let node = graph.zoomed; node && node.parent; node = node.parent)
			zoom.unshift(node.parent.children.indexOf(node));
		return {
			event: String(page.event), shape: page.shape, invert: options.isInverted ? "1" : "",
			split: options.byThread ? "1" : "", python: page.data === page.mixed ? "" : "1",
			time: isWhole ? "" : `${strip.from}-${strip.to}`,
			threads: strip.threads ? [...strip.threads].sort((a, b) => a - b).join(".") : "",
			search: page.search.value, tab: page.detail, function: String(page.selected), zoom: zoom.join("."),
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
		const {page} = this, {strip} = page, now = this.read();
		const differs = (...keys) => keys.some(key => state[key] !== now[key]);
		if (differs("event") && +state.event < page.data.summary.events.length)
			page.setEvent(+state.event);
		page.setOption("isInverted", state.invert === "1");
		page.setOption("byThread", state.split === "1");
		if (differs("python"))
			page.showPython(state.python === "1");
		strip.restore(/^\d+-\d+$/.test(state.time) ? state.time.split("-").map(Number) : [0, strip.slots],
			state.threads ? state.threads.split(".").map(Number) : []);
		if (differs("event", "invert", "split", "python", "time", "threads"))
			page.refilter();
		if (SHAPES.some(({id}) => id === state.shape))
			page.setShape(state.shape);
		page.search.value = state.search;
		page.searchFor(state.search);
		this.zoom(state.zoom);
		if (page.panels.has(state.tab))
			page.detail = state.tab;
		const func = Number(state.function);
		page.select(func >= 0 && func < page.data.functions.length ? func : -1);
	}

	zoom(path) {
		const {graph, root} = this.page;
		let node = root;
		for (const index of path ? path.split(".") : [])
			node = node.children[index] || node;
		if (node !== graph.zoomed) {
			graph.focused = node;
			graph.zoomTo(node);
		}
	}

	async copyLink() {
		try {
			await navigator.clipboard.writeText(location.href);
			this.page.live.textContent = this.page.linkButton.textContent = "Link copied";
		} catch {
			// Without a clipboard the address bar has it.
			this.page.linkButton.textContent = "Copy it from the address bar";
		}
		setTimeout(() => this.page.linkButton.textContent = "Copy link", 2000);
	}
}

function makeKeysDialog() {
	const dialog = make("dialog", {className: "keys card", attributes: {"aria-label": "Keys"}},
		make("h2", {}, "Keys"), make("dl", {}, ...KEYS_HELP.flatMap(([keys, what]) =>
			[make("dt", {}, ...keys.split("  ").map(key => make("kbd", {}, key))), make("dd", {}, what)])),
		make("form", {method: "dialog"}, make("button", {}, "Close")));
	return dialog;
}
