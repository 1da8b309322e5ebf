// SPDX-License-Identifier: Apache-2.0
// The page as a whole: what is shown, what is asked of it, and what changes with what.

const SHAPES = [
	{id: "flame", label: "Flame", title: "Callers below, callees above"},
	{id: "icicle", label: "Icicle", title: "Callers above, callees below"},
	{id: "outline", label: "Outline", title: "The same call tree as a table"},
];

const DETAILS = [
	{id: "neighbours", label: "Callers and callees"},
	{id: "source", label: "Source"},
	{id: "instructions", label: "Instructions"},
	{id: "latency", label: "Latency"},
	{id: "lines", label: "Shared lines"},
];

const PAPER = {width: 700, height: 760}; // of A4 and Letter inside of their margins, for a graph

const GRAPH_HELP = "Arrow keys move to callers, callees and neighbours, Enter zooms in, Backspace zooms " +
	"out, Escape takes back the last step, slash starts a search. The outline shows the same tree as a table.";

function plural(count, one, many) {
	return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

function roundNumber(value) {
	const units = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]];
	const unit = units.find(([scale]) => value >= scale);
	return unit ? `${+(value / (unit[0] === 1e4 ? 1e3 : unit[0])).toPrecision(3)} ${unit[1]}`
		: value.toLocaleString("en");
}

/** How frames of interpreted code came to the samples, and how late. */
function pythonText(python) {
	const late = `, ${shortTime(python.meanNs)} later (${shortTime(python.maxNs)} at most)`;
	return `Python ${python.words}${python.samples ? late : ""}`;
}

function periodText(event) {
	return event.unit === "nanoseconds" ? shortTime(event.period) : event.period.toLocaleString("en");
}

/** Without symbols the module is what is known. */
function labelOfFunction(func) {
	return func.name === "[unknown]" && func.module ? `${func.module} [unknown]` : func.name;
}

/** "12.3 G cycles", "1.2 s": a weight in the unit of its event. */
function weightText(event, weight) {
	if (!event)
		return "";
	if (event.unit === "nanoseconds")
		return shortTime(weight);
	return `${roundNumber(weight)} ${event.unit && event.unit !== "events" ? event.unit : event.name}`;
}

/** text, /regular expression/, module:text, file:text; null: no search. */
function parseSearch(query) {
	const [, where, words] = /^(?:(module|file):)?\s*(.*)$/is.exec(query.trim());
	if (!words)
		return null;
	const expression = /^\/(.+)\/?$/s.exec(words);
	if (!expression) {
		const wanted = words.toLowerCase();
		return {where, test: text => text.toLowerCase().includes(wanted)};
	}
	const matcher = new RegExp(expression[1].replace(/\/$/, ""), "i");
	return {where, test: text => matcher.test(text)};
}

const DEFAULT_TITLE = "wperf report";

/** "server" of "wperf record -g -- /opt/bin/server --port 80"; without a program that of the busiest thread. */
function programOf({command, threads}) {
	const [ours, started] = (command || "").split(/ -- (.*)/s);
	const isProfiler = /^\S*\bw?perf(\.exe)?\s/.test(ours);
	const words = started || (isProfiler ? "" : ours);
	return /([^/\\\s]+)(\s|$)/.exec(words)?.[1] || threads[0]?.process;
}

/** What the terminal said as well: the button and the dialog, or nothing. */
function makeNotes(lines) {
	const isHint = line => line.startsWith("hint: ");
	const count = lines.filter(line => !isHint(line)).length;
	if (!count)
		return [];
	const list = make("ul", {}, ...lines.map(line => make("li", {className: isHint(line) ? "hint" : ""},
		safeName(line.replace(/^note: /, "")))));
	const dialog = make("dialog", {className: "keys card", attributes: {"aria-label": "Notes"}},
		make("h2", {}, "Notes"), list, make("form", {method: "dialog"}, make("button", {}, "Close")));
	const button = make("button", {type: "button"}, `Notes (${count})`);
	button.addEventListener("click", () => dialog.showModal());
	return [button, dialog];
}

class Page {
	constructor(data) {
		this.data = this.mixed = data;
		this.python = null; // the same without native code, once somebody asks for it
		this.palette = new Palette(data.functions);
		this.labelOf = node => node.code >= 0 ? labelOfFunction(this.data.functions[node.func]) : node.label;
		this.selected = -1;
		this.matches = null;
		this.shape = "flame";
		this.detail = DETAILS[0].id;
		this.options = {isInverted: false, byThread: false};
		this.event = this.firstEvent();
		const pick = func => this.select(func);
		const on = {
			select: node => this.selectNode(node), zoom: node => this.showPath(node),
			point: (node, event) => this.showTip(node, event),
		};
		this.graph = new Graph(this, on);
		this.outline = new Outline(this, {select: on.select, zoom: node => {
			this.setShape("flame");
			this.graph.focusOn(node);
			this.graph.zoomTo(node);
		}});
		this.strip = new Strip(this, isDragging => this.refilter(isDragging));
		this.hot = new HotList(this, pick);
		this.pick = pick;
		this.build();
		this.strip.setEvent(this.event);
		this.refilter();
		this.select(this.hot.order()[0] ?? -1); // so that the details are not empty at first
		this.steps = new Steps(this);
	}

	/** Before the page is complete nothing is a step, nor is what will soon be something else. */
	noteStep() {
		if (this.steps && !this.isDragging)
			this.steps.note();
	}

	/** Interpreted code begins below a dozen rows of its interpreter: these can be scrolled to. */
	skipInterpreter() {
		let node = this.options.isInverted ? null : this.root;
		while (node && (node.code < 0 || this.data.functions[node.func].kind !== PYTHON_KIND))
			node = node.children[0];
		if (node && node.weight > 0.5 * this.root.weight)
			this.graph.startAt(node);
	}

	/** The one that was asked for first; where threads waited only if there is nothing else. */
	firstEvent() {
		const used = new Set(this.data.samples.event), {events} = this.data.summary;
		const first = events.findIndex((event, i) => used.has(i) && !event.isWait);
		return Math.max(0, first >= 0 ? first : events.findIndex((event, i) => used.has(i)));
	}

	build() {
		this.tip = make("div", {className: "tip", hidden: true, attributes: {"aria-hidden": "true"}});
		this.live = make("div", {className: "unseen", attributes: {"aria-live": "polite"}});
		const graphCard = make("section", {className: "card graphs", attributes: {"aria-label": "Calls"}},
			this.makeBar(), this.graph.scroller, this.outline.element,
			make("footer", {}, this.makePath(), this.makeLegend()));
		const details = this.makeDetails();
		document.body.append(this.makeHeader(), make("main", {}, this.strip.element, graphCard,
			this.makeSplitter(graphCard), make("div", {className: "below"}, this.hot.element, details),
			this.live, make("p", {id: "graph-help", className: "unseen"}, GRAPH_HELP)), this.tip, this.keys);
		document.addEventListener("keydown", event => this.key(event));
		const dark = matchMedia("(prefers-color-scheme: dark)");
		dark.addEventListener("change", () => this.setTheme(dark.matches ? "dark" : "light"));
		addEventListener("beforeprint", () => {
			this.theme = document.documentElement.dataset.theme;
			this.setTheme("light");
			this.layOutFor(PAPER);
		});
		addEventListener("afterprint", () => {
			this.layOutFor(null);
			this.setTheme(this.theme);
		});
	}

	makeHeader() {
		const {summary} = this.data;
		const program = summary.title === DEFAULT_TITLE && programOf(summary) || summary.title;
		document.title = program;
		this.facts = make("p", {className: "facts"});
		this.notes = makeNotes(summary.notes);
		this.keys = makeKeysDialog();
		const keys = make("button", {type: "button", className: "quiet"}, "Keys");
		keys.addEventListener("click", () => this.keys.showModal());
		this.linkButton = make("button", {type: "button", className: "quiet",
			title: "A link to this page as it is now, for whoever has the same file"}, "Copy link");
		this.linkButton.addEventListener("click", () => this.steps.copyLink());
		const theme = make("button", {type: "button", className: "quiet"}, "Light or dark");
		theme.addEventListener("click", () =>
			this.setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
		return make("header", {}, make("div", {className: "titles"},
			make("h1", {}, make("bdi", {}, safeName(program)), ...this.runFacts(),
				summary.command ? make("code", {title: safeName(summary.command)}, safeName(summary.command)) : ""),
			this.facts), make("div", {className: "tools"}, this.makeEvents(), ...this.notes, this.linkButton, keys, theme));
	}

	/** How long, how much CPU, when, where. */
	runFacts() {
		const {summary, samples} = this.data, facts = [];
		const clock = summary.events.findIndex(event => event.unit === "nanoseconds" && !event.isWait);
		let cpuNs = 0;
		for (let i = 0; clock >= 0 && i < samples.event.length; i++)
			cpuNs += samples.event[i] === clock ? samples.weight[i] : 0;
		if (summary.durationNs)
			facts.push(shortTime(summary.durationNs) + " elapsed" + (cpuNs ? `, ${shortTime(cpuNs)} CPU ` +
				`(${(cpuNs / summary.durationNs).toFixed(2)} cores)` : ""));
		if (summary.isAnonymous)
			facts.push("anonymous");
		if (summary.startMs)
			facts.push(new Date(summary.startMs).toLocaleString());
		facts.push([summary.host, summary.machine].filter(Boolean).join(", "), summary.system);
		return facts.filter(Boolean).map(fact => make("span", {className: "run"}, safeName(fact)));
	}

	makeEvents() {
		const {events} = this.data.summary;
		const select = this.eventSelect = make("select", {className: "event"}, ...events.map((event, i) =>
			make("option", {value: i, selected: i === this.event}, safeName(event.name))));
		select.addEventListener("change", () => {
			this.setEvent(+select.value);
			this.refilter();
		});
		const label = make("label", {hidden: events.length < 2}, "Event ", select);
		return label;
	}

	setEvent(event) {
		this.event = event;
		this.eventSelect.value = event;
		this.strip.setEvent(event);
	}

	setOption(key, isSet) {
		this.options[key] = this.boxes[key].checked = isSet;
	}

	makeBar() {
		this.boxes = {};
		this.shapes = SHAPES.map(shape => {
			const button = make("button", {type: "button", title: shape.title}, shape.label);
			button.addEventListener("click", () => this.setShape(shape.id));
			return button;
		});
		const option = (label, key, title) => {
			const box = this.boxes[key] = make("input", {type: "checkbox"});
			box.addEventListener("change", () => {
				this.options[key] = box.checked;
				this.retree();
			});
			return make("label", {className: "check", title}, box, label);
		};
		this.search = make("input", {type: "search", placeholder: "Search: text or /regex/", spellcheck: false,
			title: "module:text and file:text search modules and files", attributes: {"aria-label": "Search functions"}});
		this.search.addEventListener("input", () => this.searchFor(this.search.value));
		this.found = make("output", {className: "found"});
		this.reset = make("button", {type: "button", className: "quiet"}, "Reset");
		this.reset.addEventListener("click", () => this.resetAll());
		return make("div", {className: "bar-head"},
			make("div", {className: "segments", attributes: {role: "group", "aria-label": "Shape"}}, ...this.shapes),
			option("Invert", "isInverted", "Start at the sampled functions and show their callers"),
			option("By thread", "byThread", "Split the graph by thread"),
			this.makePythonOnly(),
			make("div", {className: "search"}, this.found, this.search, this.reset));
	}

	makePythonOnly() {
		const box = this.pythonBox = make("input", {type: "checkbox"});
		box.addEventListener("change", () => this.showPython(box.checked));
		return make("label", {className: "check", hidden: !hasPython(this.mixed),
			title: "Hides native code: its samples count for the Python line that called it"}, box, "Python only");
	}

	showPython(isOnly) {
		this.pythonBox.checked = isOnly;
		this.python = this.python || reduceToPython(this.mixed);
		this.data = isOnly ? this.python : this.mixed;
		if (this.selected >= this.data.functions.length)
			this.selected = -1; // a marker that only the other data have
		this.palette = new Palette(this.data.functions);
		this.legend.replaceChildren(...this.legendItems());
		this.refilter();
		this.searchFor(this.search.value);
		const isThere = this.selected >= 0 && this.sums.functionTotal[this.selected] > 0;
		this.select(isThere ? this.selected : this.hot.order()[0] ?? -1);
	}

	makePath() {
		this.path = make("nav", {className: "zoom-path", attributes: {"aria-label": "Zoomed to"}});
		return this.path;
	}

	makeLegend() {
		this.legend = make("ul", {className: "legend", attributes: {"aria-label": "Colours"}},
			...this.legendItems());
		return this.legend;
	}

	legendItems() {
		const used = new Set();
		for (let node = 1; node < this.data.tree.count; node++) {
			const code = this.data.tree.code[node];
			used.add(code & 1 ? INLINED_KIND : this.data.functions[code >> 1].kind);
		}
		return KINDS.filter((kind, i) => used.has(i)).map(kind => make("li", {},
			make("i", {className: "swatch kind-" + kind}), KIND_LABELS[kind]));
	}

	makeDetails() {
		this.detailTitle = make("h2", {}, make("span", {className: "faint"}, "Nothing selected"));
		this.panels = new Map();
		const isThere = {instructions: this.data.listings.size, latency: this.data.spe,
			lines: this.data.spe && this.data.spe.data_lines.samples};
		const details = DETAILS.filter(({id}) => !(id in isThere) || isThere[id]);
		this.tabs = details.map(({id, label}) => {
			const tab = make("button", {type: "button", id: "tab-" + id,
				attributes: {role: "tab", "aria-controls": "panel-" + id}}, label);
			tab.addEventListener("click", () => this.setDetail(id));
			this.panels.set(id, make("div", {id: "panel-" + id, className: "scroll panel " + id, tabIndex: 0,
				attributes: {role: "tabpanel", "aria-labelledby": "tab-" + id}}));
			return tab;
		});
		const list = make("div", {className: "tabs", attributes: {role: "tablist", "aria-label": "Details"}},
			...this.tabs);
		list.addEventListener("keydown", event => {
			const step = {ArrowRight: 1, ArrowLeft: -1}[event.key], at = this.tabs.indexOf(event.target);
			const next = step && this.tabs[(at + step + this.tabs.length) % this.tabs.length];
			if (next) {
				next.click();
				next.focus();
			}
		});
		return make("section", {className: "card details", attributes: {"aria-label": "Selected function"}},
			make("div", {className: "bar-head"}, this.detailTitle, list), ...this.panels.values());
	}

	/** Between the graph and what is below it; its position is the graph's height. */
	makeSplitter(card) {
		const splitter = make("div", {className: "splitter", tabIndex: 0, attributes: {role: "separator",
			"aria-orientation": "horizontal", "aria-valuenow": 0, "aria-label": "Height of the graph"}});
		const setHeight = height => {
			const most = document.querySelector("main").clientHeight - 240;
			const next = Math.round(Math.max(150, Math.min(most, height)));
			card.style.flex = `0 0 ${next}px`;
			splitter.setAttribute("aria-valuenow", next);
			splitter.setAttribute("aria-valuemax", Math.max(next, most));
		};
		splitter.addEventListener("pointerdown", event => {
			splitter.setPointerCapture(event.pointerId);
			const offset = card.clientHeight - event.clientY;
			splitter.onpointermove = moved => setHeight(moved.clientY + offset);
		});
		splitter.addEventListener("pointerup", () => splitter.onpointermove = null);
		splitter.addEventListener("keydown", event => {
			const step = {ArrowDown: 24, ArrowUp: -24}[event.key];
			if (step) {
				event.preventDefault();
				setHeight(card.clientHeight + step);
			}
		});
		return splitter;
	}

	/** Event, time or threads have changed: new sums, and everything that shows them. While a range
	    of time is dragged, what is slow to make waits for its end. */
	refilter(isDragging) {
		const begin = performance.now(), {from, to, threads} = this.strip;
		this.isDragging = isDragging;
		this.sums = new Sums(this.data, {event: this.event, threads, from, to});
		this.showFacts();
		this.retree();
		this.hot.fill();
		if (!isDragging) {
			this.showFound();
			this.showDetail();
			this.noteStep();
		}
		performance.measure("wperf-filter", {start: begin, end: performance.now()});
	}

	/** The same sums as another tree. */
	retree() {
		this.root = makeTree(this.data, this.sums, this.options);
		this.graph.show(this.root, this.shape === "flame");
		this.setShape(this.shape);
		if (this.graph.zoomed === this.root)
			this.skipInterpreter();
		this.noteStep();
	}

	setShape(id) {
		const isOutline = id === "outline", isTurned = this.shape !== id;
		this.shape = id;
		SHAPES.forEach((shape, i) => this.shapes[i].setAttribute("aria-pressed", shape.id === id));
		this.graph.scroller.hidden = isOutline;
		this.outline.element.hidden = !isOutline;
		if (isOutline)
			this.outline.show(this.root);
		else if (isTurned)
			this.graph.show(this.root, id === "flame");
		this.noteStep();
	}

	setTheme(theme) {
		document.documentElement.dataset.theme = theme;
		this.palette.refresh();
		this.graph.draw();
		this.strip.draw();
	}

	/** Canvases do not follow the paper's width by themselves, and there is no scrolling on paper. */
	layOutFor(paper) {
		document.body.style.width = paper ? `${paper.width}px` : "";
		this.graph.scroller.style.flex = paper
			? `0 0 ${Math.min(this.graph.height, paper.height)}px` : "";
		this.graph.relayout();
		this.strip.draw();
	}

	showFacts() {
		const {summary} = this.data, event = summary.events[this.event], {sums} = this;
		const facts = [];
		if (event)
			facts.push(safeName(event.name) + (event.frequency ? ` at ${event.frequency} Hz`
				: event.period ? ` every ${periodText(event)}` : ""));
		if (event && event.model)
			facts.push(event.model);
		facts.push(plural(sums.count, "sample", "samples"), weightText(event, sums.total));
		if (event && event.idlePercent)
			facts.push(`${event.idlePercent.toFixed(1)} % idle, not shown`);
		const compiled = sums.compiledWeight();
		if (compiled)
			facts.push(`${percent(compiled / sums.total)} in JIT-compiled Python code, where lines may be wrong`);
		const lost = summary.lost ? plural(summary.lost, "sample lost", "samples lost") : "none lost";
		facts.push(lost);
		if (summary.python)
			facts.push(pythonText(summary.python));
		this.facts.replaceChildren(...facts.filter(Boolean).map(fact =>
			make("span", {className: summary.lost && fact === lost ? "lost" : ""}, safeName(fact))));
	}

	showPath(node) {
		const steps = [];
		for (let at = node; at; at = at.parent)
			steps.unshift(at);
		this.path.replaceChildren(...steps.map(step => {
			const button = make("button", {type: "button", className: "quiet"},
				make("bdi", {}, this.labelOf(step)));
			button.addEventListener("click", () => this.graph.zoomTo(step));
			return button;
		}));
		this.path.scrollLeft = this.path.scrollWidth;
		this.noteStep();
	}

	describe(node) {
		const {sums} = this, func = node.code >= 0 && this.data.functions[node.func];
		const parts = func ? [func.name] : [node.label];
		if (func && func.module)
			parts.push(func.module);
		parts.push(percent(node.weight / (sums.total || 1)));
		return parts.join(", ");
	}

	selectNode(node) {
		this.live.textContent = `${this.describe(node)}, level ${node.depth}, ` +
			plural(node.children.length, "branch", "branches");
		if (node.code >= 0)
			this.select(node.func);
	}

	select(func) {
		this.selected = func;
		this.hot.markSelected();
		this.graph.schedule();
		this.showDetail();
		this.noteStep();
	}

	showDetail() {
		const func = this.selected;
		if (func >= 0) {
			const {name, kind, module} = this.data.functions[func];
			this.detailTitle.replaceChildren(make("i", {className: "swatch kind-" + KINDS[kind]}),
				make("bdi", {title: name}, name), make("span", {className: "note"}, module));
		} else {
			this.detailTitle.replaceChildren(make("span", {className: "faint"}, "Nothing selected"));
		}
		this.setDetail(this.detail);
	}

	setDetail(id) {
		this.detail = id;
		for (const tab of this.tabs) {
			const isShown = tab.id === "tab-" + id;
			tab.setAttribute("aria-selected", isShown);
			tab.tabIndex = isShown ? 0 : -1;
		}
		for (const [each, panel] of this.panels)
			panel.hidden = each !== id;
		const show = {neighbours: showNeighbours, source: showSource, instructions: showInstructions,
			latency: showLatency, lines: showLines};
		show[id](this, this.panels.get(id), this.pick);
		this.noteStep();
	}

	searchFor(query) {
		let search = null;
		this.search.removeAttribute("aria-invalid");
		try {
			search = parseSearch(query);
		} catch {
			this.search.setAttribute("aria-invalid", "true");
		}
		const field = {module: each => each.module, file: each => this.data.strings[each.file]};
		const textOf = search && field[search.where?.toLowerCase()] || (each => each.name);
		this.matches = search && Uint8Array.from(this.data.functions, each => search.test(textOf(each)) ? 1 : 0);
		this.showFound();
		this.hot.fill();
		this.graph.schedule();
		this.noteStep();
	}

	showFound() {
		if (!this.matches) {
			this.found.textContent = "";
			return;
		}
		let count = 0;
		this.matches.forEach((isMatch, func) => count += isMatch && this.sums.functionTotal[func] > 0 ? 1 : 0);
		const share = this.sums.weightOf(this.matches) / (this.sums.total || 1);
		this.found.replaceChildren(make("b", {}, percent(share)), ` in ${plural(count, "function", "functions")}`);
	}

	resetAll() {
		this.search.value = "";
		this.searchFor("");
		this.select(-1);
		this.graph.focused = this.root;
		this.graph.zoomTo(this.root);
	}

	key(event) {
		if (event.target.closest("dialog"))
			return; // it closes itself
		const isTyping = event.target.matches('select, input[type="search"]');
		if (event.key === "Escape") {
			event.preventDefault(); // else the search would be emptied
			this.steps.back();
		}
		if (/^(Escape|Enter)$/.test(event.key) && event.target === this.search)
			this.graph.scroller.focus();
		if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey)
			this.command(event);
	}

	/** Keys of one letter; see KEYS_HELP. */
	command(event) {
		const press = box => box.offsetParent && box.click();
		const commands = {
			"/": () => this.search.select(), "?": () => this.keys.showModal(), l: () => this.steps.copyLink(),
			f: () => this.setShape("flame"), c: () => this.setShape("icicle"), o: () => this.setShape("outline"),
			i: () => press(this.boxes.isInverted), t: () => press(this.boxes.byThread), p: () => press(this.pythonBox),
		};
		if (!Object.hasOwn(commands, event.key))
			return;
		event.preventDefault();
		if (event.key === "/")
			this.search.focus();
		commands[event.key]();
	}

	tipRows(node) {
		const {sums} = this, event = this.data.summary.events[this.event];
		const share = weight => `${percent(weight / (sums.total || 1))}  ·  ${weightText(event, weight)}`;
		const rows = [["here", share(node.weight)]];
		if (node.self)
			rows.push(["self", share(node.self)]);
		if (node.code < 0)
			return rows;
		const func = this.data.functions[node.func];
		rows.push(["all calls", share(sums.functionTotal[node.func])]);
		if (func.module)
			rows.push(["module", func.module]);
		if (func.file)
			rows.push(["file", fileName(this.data.strings[func.file]) + (func.line ? ":" + func.line : "")]);
		rows.push(["kind", KIND_LABELS[KINDS[node.code & 1 ? INLINED_KIND : func.kind]]]);
		return rows;
	}

	showTip(node, event) {
		this.tip.hidden = !node;
		if (!node)
			return;
		this.tip.replaceChildren(make("p", {}, make("bdi", {}, this.labelOf(node))), make("dl", {},
			...this.tipRows(node).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])));
		const {offsetWidth: width, offsetHeight: height} = this.tip;
		const left = event.clientX + 16 + width > innerWidth ? event.clientX - 12 - width : event.clientX + 16;
		const top = event.clientY + 18 + height > innerHeight ? event.clientY - 12 - height : event.clientY + 18;
		this.tip.style.left = Math.max(4, left) + "px";
		this.tip.style.top = Math.max(4, top) + "px";
	}
}

function show() {
	document.documentElement.dataset.theme =
		matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
	const begin = performance.now(), data = readReport();
	performance.measure("wperf-read", {start: begin, end: performance.now()});
	if (!data.samples.event.length)
		document.body.append(make("p", {className: "empty"}, "This recording has no samples."));
	else
		new Page(data);
	performance.measure("wperf-load", {start: 0, end: performance.now()});
}

show();
