// SPDX-License-Identifier: Apache-2.0
// The page as a whole: what is shown, what is asked of it, and what changes with what.
//
//	mixed    as recorded
//	data     what the rules make of it (report_rules.js): stacks and the tree of calls
//	sums     of the shown event, in the marked time, of the pressed threads; otherSums: of what it is
//	         compared with
//	root     the tree that the graph and the outline show

const SHAPES = [
	{id: "flame", label: "Flame", title: "Callers below, callees above"},
	{id: "icicle", label: "Icicle", title: "Callers above, callees below"},
	{id: "time", label: "Time order", title: "What each thread did when"},
	{id: "sandwich", label: "Sandwich", title: "Of the selected function: what calls it, and what it calls"},
	{id: "outline", label: "Outline", title: "The same call tree as a table"},
];

const PAPER = {width: 700, height: 560}; // of A4 and Letter inside of their margins, for a graph
const PYTHON_PROGRAM = 0.5; // of the samples have frames of Python
const CXX_PROGRAM = 0.1; // of the native functions have a namespace or class
const TRUNK = 0.9; // of all samples are in its functions
const MAX_KEPT_DATA = 6; // what rules made of the recording, for Back and Forward

const GRAPH_HELP = "Arrow keys move to callers, callees and neighbours, Enter zooms in, Backspace zooms " +
	"out, m opens a menu, Escape takes back the last step, slash starts a search. The outline shows the same tree as a table.";

/**
 * text, /regular expression/, module:text, file:text; null: no search. find(text) is where it is:
 * [from, to], or undefined.
 */
function parseSearch(query) {
	const [, where, words] = /^(?:(module|file):)?\s*(.*)$/is.exec(query.trim());
	if (!words)
		return null;
	const expression = /^\/(.+)\/?$/s.exec(words), wanted = words.toLowerCase();
	const matcher = expression && new RegExp(expression[1].replace(/\/$/, ""), "i");
	const find = matcher ? text => {
		const found = matcher.exec(text);
		return found && found[0] ? [found.index, found.index + found[0].length] : undefined;
	} : text => {
		const at = text.toLowerCase().indexOf(wanted);
		return at < 0 ? undefined : [at, at + wanted.length];
	};
	return {where: where?.toLowerCase(), find, test: matcher ? text => matcher.test(text) : text => find(text) !== undefined};
}

/** What the program is decides what comes first: its lines of Python, or its functions. */
function firstChoice(data, event) {
	const {functions, frames, stacks, samples} = data;
	const hasFrame = new Uint8Array(stacks.parent.length + 1); // of Python, by number of the stack
	let python = 0, all = 0, hasCallers = false;
	stacks.parent.forEach((parent, i) => {
		hasFrame[i + 1] = functions[frames.func[stacks.frame[i]]].kind === PYTHON_KIND ? 1 : hasFrame[parent + 1];
		hasCallers = hasCallers || parent >= 0;
	});
	for (let i = 0; i < samples.event.length; i++) {
		if (samples.event[i] !== event)
			continue;
		all += samples.weight[i];
		python += hasFrame[samples.stack[i]] * samples.weight[i];
	}
	const native = functions.filter(func => KINDS[func.kind] === "native");
	const isCxx = native.filter(func => func.name.includes("::")).length > CXX_PROGRAM * native.length;
	const isPython = all > 0 && python >= PYTHON_PROGRAM * all;
	return {isPython, isFolded: isCxx, tab: isPython ? "lines" : "functions", hasCallers};
}

class Page {
	constructor(data) {
		this.mixed = data;
		this.kept = new Map(); // by the words of the rules
		this.used = new Set(data.samples.event);
		this.event = this.firstEvent();
		this.against = this.firstAgainst();
		const {isPython, isFolded, tab, hasCallers} = firstChoice(data, this.event);
		this.options = {isInverted: false, byThread: false, isPython, isFolded};
		this.rules = [];
		this.data = this.ruled();
		this.hasInlined = data.frames.inlined.includes(1);
		this.palette = new Palette(this.data.functions);
		this.labels = new Map();
		this.selected = -1;
		this.selectedLine = 0;
		this.search = this.matches = null;
		this.shape = "flame";
		this.makeParts();
		this.tables.tab = tab;
		this.build();
		document.body.classList.toggle("flat", !hasCallers);
		this.tracks.setEvent(this.event);
		this.refilter();
		this.pickFirst();
		this.steps = new Steps(this);
	}

	makeParts() {
		const pick = func => this.select(func);
		const on = {
			select: node => this.selectNode(node), zoom: node => this.showPath(node),
			point: (node, event) => this.showTip(node && this.tipOf(node), event),
			menu: (node, x, y) => this.openMenu(node.code >= 0 ? node.func : -1, node, x, y),
		};
		this.graph = new Graph(this, on, "Flame graph");
		const half = {...on, zoom: () => {}};
		this.callers = new Graph(this, half, "Callers of the selected function");
		this.callees = new Graph(this, half, "Callees of the selected function");
		this.outline = new Outline(this, {select: on.select, zoom: node => {
			this.setShape("flame");
			this.zoomIn(node);
		}});
		this.tracks = new Tracks(this, {change: isDragging => this.refilter(isDragging), tip: (tip, event) => this.showTip(tip, event),
			fold: () => this.noteStep()});
		this.tables = new Tables(this, {pick: row => this.pickRow(row), change: () => this.noteStep()});
		this.inspector = new Inspector(this, {pick, panel: () => this.noteStep(),
			menu: (x, y) => this.openMenu(this.selected, null, x, y)});
		this.menu = new Menu();
		this.header = new Header(this, {event: number => this.setEvent(number, this.against), against: number => this.setEvent(this.event, number),
			keys: () => this.keys.showModal(), link: () => this.steps.copyLink(),
			theme: () => this.setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark")});
	}

	/** Before the page is complete nothing is a step, nor is what will soon be something else. */
	noteStep() {
		if (this.steps && !this.isDragging)
			this.steps.note();
	}

	isUsed(event) {
		return this.used.has(event);
	}

	/** Events with columns of their own beside the shown one: those of the same recording. */
	eventsBeside(event) {
		const {events} = this.mixed.summary;
		return events.map((_, i) => i).filter(i => i !== event && this.isUsed(i) && events[i].recording === events[event].recording);
	}

	/** The one that was asked for first, of the later recording; where threads waited only if there is nothing else. */
	firstEvent() {
		const {events, recordings} = this.mixed.summary, last = recordings ? recordings.length - 1 : undefined;
		const find = test => events.findIndex((event, i) => this.isUsed(i) && test(event));
		return Math.max(0, [event => !event.isWait && event.recording === last, event => !event.isWait, () => true]
			.map(find).find(found => found >= 0) ?? 0);
	}

	/** In a comparison of recordings: the same event of the other one. */
	firstAgainst() {
		const {events, recordings} = this.mixed.summary, {name, recording} = events[this.event] || {};
		return recordings ? events.findIndex((event, i) => this.isUsed(i) && event.name === name && event.recording !== recording) : -1;
	}

	get isDiff() {
		return this.against >= 0 && this.against !== this.event;
	}

	/** Of the share of all samples, from what is compared with to now. */
	changeOf(node) {
		return node.weight / (this.sums.total || 1) - node.other / (this.otherSums.total || 1);
	}

	labelOf(node) {
		if (node.code < 0)
			return node.label;
		let label = this.labels.get(node.func);
		if (label === undefined)
			this.labels.set(node.func, label = shortName(labelOfFunction(this.data.functions[node.func])));
		const points = this.isDiff && !node.isTimed ? pointsText(this.changeOf(node)) : "";
		return points ? `${label} ${points}` : label;
	}

	/** What the rules of now make of the recording. */
	ruled() {
		const {isPython, isFolded} = this.options, words = [isPython, isFolded, ...this.rules.map(ruleWord)].join();
		if (!this.kept.has(words)) {
			if (this.kept.size >= MAX_KEPT_DATA)
				this.kept.delete(this.kept.keys().next().value);
			this.kept.set(words, applyRules(this.mixed, {isPython, isFolded, rules: this.rules}));
		}
		return this.kept.get(words);
	}

	/**
	 * Most graphs have a trunk, which says little: the interpreter below interpreted code, or what nearly
	 * all samples are in. It can be scrolled to.
	 */
	skipTrunk() {
		if (this.options.isInverted)
			return;
		const hasMost = (node, share) => node && node.weight > share * this.root.weight;
		const isPython = node => node.code >= 0 && this.data.functions[node.func].kind === PYTHON_KIND;
		let node = this.root;
		while (node && !isPython(node))
			node = node.children[0];
		if (hasMost(node, 0.5)) {
			this.graph.startAt(node);
			return;
		}
		for (node = this.root; hasMost(node.children[0], TRUNK);)
			node = node.children[0];
		if (node !== this.root)
			this.graph.startAt(node);
	}

	build() {
		this.tip = make("div", {className: "tip", hidden: true, attributes: {"aria-hidden": "true"}});
		this.live = make("div", {className: "unseen", attributes: {"aria-live": "polite"}});
		this.keys = makeKeysDialog();
		this.sandwich = make("div", {className: "sandwich", hidden: true},
			make("p", {className: "note"}, "Callers"), this.callers.scroller, make("p", {className: "note"}, "Callees"), this.callees.scroller);
		this.ruleBar = make("ul", {className: "rules", hidden: true, attributes: {"aria-label": "Rules"}});
		this.graphNote = make("p", {className: "note graph-note", hidden: true});
		const graphCard = make("section", {className: "card graphs", attributes: {"aria-label": "Calls"}},
			this.makeBar(), this.ruleBar, this.graph.scroller, this.sandwich, this.outline.element, this.graphNote,
			make("footer", {}, this.makePath(), this.makeLegend()));
		const flat = make("p", {className: "card flat-note note"}, "No stacks were recorded, so there is no flame graph. ",
			this.mixed.spe ? "Samples of SPE have none." : "wperf record -g records them.");
		const left = make("div", {className: "left"}, flat, graphCard,
			makeSplitter(graphCard, {label: "Height of the graph", isVertical: false, least: 150, keep: 170}), this.tables.element);
		const columns = make("div", {className: "columns"}, left, makeSplitter(this.inspector.element,
			{label: "Width of the details", isVertical: true, least: 280, keep: 320}), this.inspector.element);
		this.header.element.append(this.makeSearch());
		document.body.append(this.header.element, make("main", {}, this.tracks.element, columns,
			this.live, make("p", {id: "graph-help", className: "unseen"}, GRAPH_HELP)), this.tip, this.menu.element, this.keys);
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

	setEvent(event, against) {
		const isOther = event !== this.event;
		this.event = event;
		this.against = against === event ? -1 : against;
		if (isOther)
			this.tracks.setEvent(event);
		this.refilter();
	}

	makeBar() {
		this.boxes = {};
		this.shapes = SHAPES.map(shape => {
			const button = make("button", {type: "button", title: shape.title}, shape.label);
			button.addEventListener("click", () => this.setShape(shape.id));
			return button;
		});
		const option = (label, key, title, act) => {
			const box = this.boxes[key] = make("input", {type: "checkbox", checked: this.options[key]});
			box.addEventListener("change", () => act(box.checked));
			return make("label", {className: "check", title}, box, label);
		};
		const setTree = key => isSet => {
			this.options[key] = isSet;
			this.retree();
		};
		const setRule = key => isSet => {
			this.options[key] = isSet;
			this.rule();
		};
		const python = option("Python only", "isPython", "Hides native code: its samples count for the Python line that called it", setRule("isPython"));
		python.hidden = !hasPython(this.mixed);
		const folded = option("Fold inlined", "isFolded", "Inlined calls count for the function that they are inlined into", setRule("isFolded"));
		folded.hidden = !this.hasInlined;
		return make("div", {className: "bar-head"},
			make("div", {className: "segments", attributes: {role: "group", "aria-label": "Shape"}}, ...this.shapes),
			option("Invert", "isInverted", "Start at the sampled functions and show their callers", setTree("isInverted")),
			option("By thread", "byThread", "Split the graph by thread", setTree("byThread")), folded, python);
	}

	makeSearch() {
		this.searchBox = make("input", {type: "search", placeholder: "Search: text or /regex/", spellcheck: false,
			title: "module:text and file:text search modules and files", attributes: {"aria-label": "Search functions"}});
		this.searchBox.addEventListener("input", () => this.searchFor(this.searchBox.value));
		this.found = make("output", {className: "found"});
		const reset = make("button", {type: "button", className: "quiet"}, "Reset");
		reset.addEventListener("click", () => this.resetAll());
		return make("div", {className: "search"}, this.found, this.searchBox, reset);
	}

	addRule(rule) {
		if (!this.rules.some(each => ruleWord(each) === ruleWord(rule)))
			this.rules = [...this.rules, rule];
		this.rule();
	}

	removeRule(word) {
		this.rules = this.rules.filter(each => ruleWord(each) !== word);
		this.rule();
	}

	/** The rules have changed: other stacks, and everything that shows them. */
	rule() {
		for (const key of ["isPython", "isFolded"])
			this.boxes[key].checked = this.options[key];
		this.data = this.ruled();
		this.labels.clear();
		if (this.selected >= this.mixed.functions.length)
			this.selected = -1; // a marker, which is another one now
		this.palette = new Palette(this.data.functions);
		this.legend.replaceChildren(...this.legendItems());
		this.showRules();
		this.match();
		this.refilter();
		if (!(this.selected >= 0 && this.sums.functionTotal[this.selected] > 0))
			this.pickFirst();
		this.noteStep();
	}

	showRules() {
		this.ruleBar.hidden = !this.rules.length;
		this.ruleBar.replaceChildren(...this.rules.map(rule => {
			const text = `${RULES[rule.letter].label}: ${shortName(ruleName(rule, this.mixed))}`;
			const button = make("button", {type: "button", attributes: {"aria-label": `Take back ${text}`}}, text, make("span", {className: "cross"}, "×"));
			button.addEventListener("click", () => this.removeRule(ruleWord(rule)));
			return make("li", {}, button);
		}));
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
		const item = (name, label) => make("li", {}, make("i", {className: "swatch " + name}), label);
		if (this.isDiff)
			return [item("shrank", "less than before"), item("same", "same"), item("grew", "more")];
		const used = new Set();
		for (let node = 1; node < this.data.tree.count; node++)
			used.add(this.palette.kindOf(this.data.tree.code[node]));
		return KINDS.filter((kind, i) => used.has(i)).map(kind => item("kind-" + kind, KIND_LABELS[kind]));
	}

	/** Event, time or threads have changed: new sums, and everything that shows them. While a range
	    of time is dragged, what is slow to make waits for its end. */
	refilter(isDragging) {
		const begin = performance.now(), {from, to, threads} = this.tracks;
		this.isDragging = isDragging;
		this.sums = new Sums(this.data, {event: this.event, threads, from, to});
		this.otherSums = this.isDiff ? this.sums.ofEvent(this.against) : null;
		this.header.show();
		this.retree();
		if (!isDragging) {
			this.legend.replaceChildren(...this.legendItems());
			this.tables.fill();
			this.showFound();
			this.inspector.show();
			this.noteStep();
		}
		performance.measure("wperf-filter", {start: begin, end: performance.now()});
	}

	/** The same sums as another tree. */
	retree() {
		const {options, boxes} = this;
		for (const key of ["isInverted", "byThread"])
			boxes[key].checked = options[key];
		boxes.byThread.disabled = this.isDiff;
		this.root = makeTree(this.data, this.sums, options, this.otherSums);
		this.showShape();
		if (this.graph.zoomed === this.graph.root && this.isCallGraph)
			this.skipTrunk();
		this.noteStep();
	}

	get isCallGraph() {
		return this.shape === "flame" || this.shape === "icicle";
	}

	setShape(id) {
		const isTurned = this.shape !== id;
		this.shape = id;
		if (isTurned)
			this.showShape();
		if (isTurned && this.graph.zoomed === this.graph.root && this.isCallGraph)
			this.skipTrunk();
		this.noteStep();
	}

	/** The tree in the chosen shape. */
	showShape() {
		const {shape} = this, isGraph = /^(flame|icicle|time)$/.test(shape);
		SHAPES.forEach(({id}, i) => this.shapes[i].setAttribute("aria-pressed", id === shape));
		this.graph.scroller.hidden = !isGraph;
		this.sandwich.hidden = shape !== "sandwich";
		this.outline.element.hidden = shape !== "outline";
		this.path.hidden = !isGraph;
		for (const key of ["isInverted", "byThread"])
			this.boxes[key].closest("label").hidden = shape === "time" || shape === "sandwich";
		this.graphNote.hidden = true;
		if (shape === "time")
			this.showTimes();
		else if (shape === "sandwich")
			this.showSandwich();
		else if (shape === "outline")
			this.outline.show(this.root);
		else
			this.graph.show(this.root, shape === "flame");
	}

	showTimes() {
		const {root, numLeftOut} = makeTimeTree(this.data, this.sums);
		this.graph.show(root, false);
		this.graphNote.hidden = !numLeftOut && this.tracks.hasTimes;
		this.graphNote.textContent = this.tracks.hasTimes
			? `${plural(numLeftOut, "thread")} with fewer samples left out: press a thread above to see it alone.`
			: "This recording has no times.";
	}

	showSandwich() {
		const isThere = this.selected >= 0 && this.sums.functionTotal[this.selected] > 0;
		this.graphNote.hidden = isThere;
		this.graphNote.textContent = "Select a function that has samples.";
		if (!isThere)
			return;
		const {callers, callees} = makeSandwich(this.data, this.sums, this.selected);
		this.callers.show(callers, true);
		this.callees.show(callees, false);
	}

	setTheme(theme) {
		document.documentElement.dataset.theme = theme;
		this.palette.refresh();
		for (const graph of [this.graph, this.callers, this.callees])
			graph.draw();
		this.tracks.redraw();
	}

	/** Canvases do not follow the paper's width by themselves, and there is no scrolling on paper. */
	layOutFor(paper) {
		document.body.classList.toggle("on-paper", !!paper);
		document.body.style.width = paper ? `${paper.width}px` : "";
		this.graph.scroller.style.flex = paper
			? `0 0 ${Math.min(this.graph.height, paper.height)}px` : "";
		this.graph.relayout();
		this.graph.relayout(); // once more without the scroll bar, for which there is no need now
		this.tracks.redraw();
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

	zoomIn(node) {
		const graph = [this.callers, this.callees].find(each => !this.sandwich.hidden && each.nodes.includes(node)) || this.graph;
		graph.focusOn(node);
		graph.zoomTo(node);
	}

	describe(node) {
		const {sums} = this, func = node.code >= 0 && this.data.functions[node.func];
		const parts = func ? [func.name] : [node.label];
		if (func && func.module)
			parts.push(func.module);
		parts.push(percent(node.weight / (sums.total || 1)));
		return parts.join(", ");
	}

	/** Heard, and seen where there is a place for it. */
	say(words) {
		this.live.textContent = words;
		this.header.sayOfLink(words);
	}

	selectNode(node) {
		this.live.textContent = `${this.describe(node)}, level ${node.depth}, ` +
			plural(node.children.length, "branch", "branches");
		// A sandwich stays that of its function while somebody walks through it.
		if (node.code >= 0)
			this.select(node.func, 0, this.shape === "sandwich");
	}

	/** line: of the function, to look at first; 0: the hottest. */
	select(func, line = 0, keepsSandwich = false) {
		this.selected = func;
		this.selectedLine = line;
		this.tables.markSelected();
		if (this.shape === "sandwich" && !keepsSandwich)
			this.showSandwich();
		for (const graph of [this.graph, this.callers, this.callees])
			graph.schedule();
		this.inspector.show();
		this.noteStep();
	}

	/** What the tables have first, so that the details are not empty. */
	pickFirst() {
		const row = this.tables.shown.find(each => each.func !== undefined);
		let func = row?.func ?? -1;
		if (func < 0)
			this.sums.functionSelf.forEach((weight, i) => func = weight > (this.sums.functionSelf[func] || 0) ? i : func);
		this.select(func, row?.line);
	}

	pickRow(row) {
		if (row.thread !== undefined)
			this.tracks.toggle(row.thread, false);
		else if (row.isHere)
			this.select(this.hottestIn(row.isHere));
		else
			this.select(row.func, row.line);
	}

	/** The function with most samples of its own in those frames. */
	hottestIn(isHere) {
		const {frames} = this.data, byFunction = this.sums.sumByFrame(frame => isHere(frame) ? frames.func[frame] : -1);
		return [...byFunction].sort((a, b) => b[1].self - a[1].self || b[1].total - a[1].total)[0]?.[0] ?? -1;
	}

	openMenu(func, node, x, y) {
		if (func >= 0)
			this.menu.open(shortName(labelOfFunction(this.data.functions[func])), functionActions(this, func, node), x, y);
	}

	/** To be shown by what fills tables and graphs. */
	setSearch(query) {
		this.search = null;
		this.searchBox.value = query;
		this.searchBox.removeAttribute("aria-invalid");
		try {
			this.search = parseSearch(query);
		} catch {
			this.searchBox.setAttribute("aria-invalid", "true");
		}
		this.match();
	}

	searchFor(query) {
		this.setSearch(query);
		this.showFound();
		this.tables.fill();
		for (const graph of [this.graph, this.callers, this.callees])
			graph.schedule();
		if (this.shape === "outline")
			this.outline.markMatches();
		this.inspector.markMatches();
		this.noteStep();
	}

	/** The functions that the search finds. */
	match() {
		const {search} = this, field = {module: each => each.module, file: each => this.data.strings[each.file]};
		const textOf = field[search?.where] || (each => each.name);
		this.matches = search && Uint8Array.from(this.data.functions, each => search.test(textOf(each)) ? 1 : 0);
	}

	showFound() {
		if (!this.matches) {
			this.found.textContent = "";
			return;
		}
		let count = 0;
		this.matches.forEach((isMatch, func) => count += isMatch && this.sums.functionTotal[func] > 0 ? 1 : 0);
		const share = this.sums.weightOf(this.matches) / (this.sums.total || 1);
		this.found.replaceChildren(...count ? [make("b", {}, percent(share)), ` in ${plural(count, "function")}`] : ["no function matches"]);
	}

	/** Everything as at first, but for the event, the time and the threads. */
	resetAll() {
		this.rules = [];
		this.setSearch("");
		this.rule();
		this.select(-1);
		this.graph.focused = this.graph.root;
		this.graph.zoomTo(this.graph.root);
	}

	key(event) {
		if (event.target.closest("dialog"))
			return; // it closes itself
		const isTyping = event.target.matches('select, input[type="search"]');
		if (event.key === "Escape") {
			event.preventDefault(); // else the search would be emptied
			this.steps.back();
		}
		if (/^(Escape|Enter)$/.test(event.key) && event.target === this.searchBox)
			(this.graph.scroller.hidden ? this.tables.scroller.querySelector("tr[tabindex='0']") : this.graph.scroller)?.focus();
		if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey)
			this.command(event);
	}

	/** Keys of one letter; see KEYS_HELP. */
	command(event) {
		const press = box => box.offsetParent && box.click();
		const commands = {
			"/": () => this.searchBox.select(), "?": () => this.keys.showModal(), l: () => this.steps.copyLink(),
			f: () => this.setShape("flame"), c: () => this.setShape("icicle"), o: () => this.setShape("outline"),
			d: () => this.setShape("time"), s: () => this.setShape("sandwich"),
			i: () => press(this.boxes.isInverted), t: () => press(this.boxes.byThread), p: () => press(this.boxes.isPython),
			m: () => this.inspector.menuButton.click(), w: () => this.inspector.widen(!this.inspector.isWide),
			1: () => this.tables.tabs[0].click(), 2: () => this.tables.tabs[1].click(), 3: () => this.tables.tabs[2].click(),
			4: () => this.tables.tabs[3].click(), x: () => this.isDiff && this.setEvent(this.against, this.event),
		};
		if (!Object.hasOwn(commands, event.key))
			return;
		event.preventDefault();
		if (event.key === "/")
			this.searchBox.focus();
		commands[event.key]();
	}

	/** {title, rows: [[name, value]]} of a node. */
	tipOf(node) {
		const {sums, otherSums} = this, {events} = this.mixed.summary, event = events[this.event], {slotNs} = this.mixed.summary;
		const share = (weight, whole = sums, which = event) => `${percent(weight / (whole.total || 1))}  ·  ${weightText(which, weight)}`;
		const title = node.code >= 0 ? labelOfFunction(this.data.functions[node.func]) : node.label, rows = [];
		if (node.isTimed)
			rows.push(["from", `${shortTime(node.x * slotNs)}, ${shortTime(node.span * slotNs)} long`]);
		rows.push([this.isDiff && !node.isTimed ? "now" : "here", share(node.weight)]);
		if (this.isDiff && !node.isTimed && !this.options.byThread)
			rows.push(["before", share(node.other, otherSums, events[this.against])], ["change", (pointsText(this.changeOf(node)) || "0") + " points"]);
		if (node.self)
			rows.push(["self", share(node.self)]);
		if (node.code < 0)
			return {title, rows};
		const func = this.data.functions[node.func];
		rows.push(["all calls", share(sums.functionTotal[node.func])]);
		if (func.module)
			rows.push(["module", func.module]);
		if (func.file)
			rows.push(["file", fileName(this.data.strings[func.file]) + (func.line ? ":" + func.line : "")]);
		rows.push(["kind", KIND_LABELS[KINDS[this.palette.kindOf(node.code)]]]);
		return {title, rows};
	}

	showTip(tip, event) {
		this.tip.hidden = !tip;
		if (!tip)
			return;
		this.tip.replaceChildren(make("p", {}, make("bdi", {}, tip.title)), make("dl", {},
			...tip.rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])));
		const {offsetWidth: width, offsetHeight: height} = this.tip;
		const left = event.clientX + 16 + width > innerWidth ? event.clientX - 12 - width : event.clientX + 16;
		const top = event.clientY + 18 + height > innerHeight ? event.clientY - 12 - height : event.clientY + 18;
		this.tip.style.left = Math.max(4, left) + "px";
		this.tip.style.top = Math.max(4, top) + "px";
	}
}

/**
 * Beside the element, whose size it sets: as a separator for pointer and keys. isVertical: the bar is,
 * and the element is to the right of it. keep: pixels for what is on the other side.
 */
function makeSplitter(element, {label, isVertical, least, keep}) {
	const splitter = make("div", {className: `splitter${isVertical ? " upright" : ""}`, tabIndex: 0, attributes: {role: "separator",
		"aria-orientation": isVertical ? "vertical" : "horizontal", "aria-valuenow": 0, "aria-label": label}});
	const sizeOf = box => isVertical ? box.offsetWidth : box.offsetHeight;
	const setSize = size => {
		const most = sizeOf(splitter.parentElement) - keep, next = Math.round(Math.max(least, Math.min(most, size)));
		element.style.flex = `0 0 ${next}px`;
		splitter.setAttribute("aria-valuenow", next);
		splitter.setAttribute("aria-valuemax", Math.max(next, most));
	};
	const at = event => isVertical ? -event.clientX : event.clientY;
	splitter.addEventListener("pointerdown", event => {
		splitter.setPointerCapture(event.pointerId);
		const offset = sizeOf(element) - at(event);
		splitter.onpointermove = moved => setSize(at(moved) + offset);
	});
	splitter.addEventListener("pointerup", () => splitter.onpointermove = null);
	splitter.addEventListener("keydown", event => {
		const step = (isVertical ? {ArrowLeft: 24, ArrowRight: -24} : {ArrowDown: 24, ArrowUp: -24})[event.key];
		if (step) {
			event.preventDefault();
			setSize(sizeOf(element) + step);
		}
	});
	return splitter;
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
