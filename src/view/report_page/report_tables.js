// SPDX-License-Identifier: Apache-2.0
// The tables below the graph: lines, functions, files and threads. Which columns they have depends on
// what was recorded: another event beside the shown one, latencies of SPE, or what is compared.

const ROWS_AT_ONCE = 100;
const MAX_EVENT_COLUMNS = 5;

const TABLES = [
	{id: "lines", label: "Lines"}, {id: "functions", label: "Functions"},
	{id: "files", label: "Files"}, {id: "threads", label: "Threads"},
];

function weightCell(weight, total) {
	const share = total ? weight / total : 0;
	const bar = make("i", {className: "bar"});
	bar.style.width = (share * 100).toFixed(2) + "%";
	const cell = make("td", {className: "weight"}, bar, make("span", {}, percent(share)));
	cell.dataset.weight = weight;
	cell.title = weight.toLocaleString("en");
	return cell;
}

function numberCell(text, title = "") {
	return make("td", {className: "number", title}, text);
}

/** The text, with what was searched for marked in it. */
function markedText(text, search) {
	const [from, to] = search?.find(text) || [0, 0];
	return from === to ? [text] : [text.slice(0, from), make("mark", {}, text.slice(from, to)), text.slice(to)];
}

function nameCell(report, text, {title = text, swatch = "", where = ""} = {}) {
	const isSearched = report.search && (report.search.where || "") === where;
	return make("td", {className: where === "" ? "name" : where, title},
		swatch ? make("i", {className: "swatch " + swatch}) : "",
		make("bdi", {}, ...markedText(text, isSearched ? report.search : null)));
}

function functionCell(report, func) {
	const each = report.data.functions[func], label = labelOfFunction(each);
	return nameCell(report, report.search ? label : shortName(label), {title: label, swatch: "kind-" + KINDS[each.kind]});
}

/** Arrow keys go from row to row; Enter and a click pick one. */
function makeRowsUsable(body, pick) {
	body.addEventListener("click", event => {
		const row = event.target.closest("tr");
		if (row?.pick)
			pick(row.pick);
	});
	body.addEventListener("keydown", event => {
		const row = event.target.closest("tr");
		const moves = {ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling"};
		if (moves[event.key]) {
			event.preventDefault();
			const next = row[moves[event.key]];
			if (next) {
				row.tabIndex = -1;
				next.tabIndex = 0;
				next.focus();
			}
		}
		if ((event.key === "Enter" || event.key === " ") && row.pick) {
			event.preventDefault();
			pick(row.pick);
		}
	});
}

const SELF = {id: "self", label: "Self", title: "Samples in it", isNumber: true, value: row => row.self,
	cell: (report, row) => weightCell(row.self, report.sums.total)};
const TOTAL = {id: "total", label: "Total", title: "Samples in it and in what it calls", isNumber: true,
	value: row => row.total, cell: (report, row) => weightCell(row.total, report.sums.total)};

/** How far off chance may be; waits, and events of which each was taken, are measured. */
const WITHIN = {id: "within", label: "Within (95 %)", title: "In 95 of 100 recordings like this one, the true share of Self is between these",
	isNumber: true, value: row => row.self, cell(report, row) {
		const {sums} = report, event = report.data.summary.events[sums.filter.event];
		if (event.isWhole || event.isWait)
			return numberCell("measured");
		const {low, high} = shareInterval(sums.total ? row.self / sums.total : 0, sums.count);
		return numberCell(`${(low * 100).toFixed(1)} – ${(high * 100).toFixed(1)}`);
	}};

/**
 * The change of a share, and how far off chance may be: Newcombe's hybrid score interval (Newcombe
 * 1998, method 10), as src/profile/hot/share.c has it.
 */
function changeInterval(before, beforeCount, now, nowCount) {
	const old = shareInterval(before, beforeCount), recent = shareInterval(now, nowCount), change = now - before;
	return {low: change - Math.hypot(now - recent.low, old.high - before), high: change + Math.hypot(recent.high - now, before - old.low)};
}

const CHANGE_WITHIN = {...WITHIN, title: "In 95 of 100 pairs of recordings like these, the true change of Self is between these",
	value: row => row.change, cell(report, row) {
		const {sums, otherSums, data: {summary: {events}}} = report, isMeasured = event => events[event].isWhole || events[event].isWait;
		if (isMeasured(report.event) && isMeasured(report.against))
			return numberCell("measured");
		const {low, high} = changeInterval(otherSums.total ? row.otherSelf / otherSums.total : 0, otherSums.count,
			sums.total ? row.self / sums.total : 0, sums.count);
		return numberCell(`${pointsText(low) || "0"} to ${pointsText(high) || "0"}`);
	}};

/** Columns of a comparison: what is shown against what it is compared with. */
const CHANGE_COLUMNS = [
	{id: "change", label: "Change", title: "Of the share of Self, in percentage points", isNumber: true,
		value: row => Math.abs(row.change), cell: (report, row) => changeCell(row.change)},
	CHANGE_WITHIN,
	{id: "before", label: "Before", title: "Self, of what is compared with", isNumber: true,
		value: row => row.otherSelf, cell: (report, row) => weightCell(row.otherSelf, report.otherSums.total)},
	{...SELF, label: "Now"},
	{id: "total-change", label: "Change, total", title: "Of the share of Total, in percentage points", isNumber: true,
		value: row => Math.abs(row.totalChange), cell: (report, row) => changeCell(row.totalChange)},
];

function changeCell(change) {
	const cell = numberCell(pointsText(change) || "0");
	cell.classList.add(change > 0.0005 ? "grew" : change < -0.0005 ? "shrank" : "same");
	return cell;
}

function textColumn(id, label, text, cell) {
	return {id, label, title: "", isNumber: false, value: text, cell};
}

const NAME_COLUMNS = {
	lines: [
		textColumn("line", "Line", row => row.location, (report, row) =>
			nameCell(report, row.location, {title: row.path, where: "file"})),
		textColumn("name", "Function", row => row.name, (report, row) => functionCell(report, row.func)),
		textColumn("source", "Source", row => row.source, (report, row) =>
			make("td", {className: "source", title: row.source}, ...markedText(row.source, report.search))),
	],
	functions: [
		textColumn("name", "Function", row => row.name, (report, row) => functionCell(report, row.func)),
		textColumn("module", "Module", row => row.module, (report, row) => nameCell(report, row.module, {where: "module"})),
	],
	files: [textColumn("file", "File", row => row.name, (report, row) => nameCell(report, row.name, {title: row.path, where: "file"}))],
	threads: [textColumn("name", "Thread", row => row.name, (report, row) => nameCell(report, row.name))],
};

/** Self of another event, of the same threads and times. */
function eventColumn(report, event) {
	const {name} = report.data.summary.events[event], label = safeName(name);
	return {id: "event", label, title: `Self, of ${label}`, isNumber: true, value: row => row.events[event] || 0,
		cell: (page, row) => weightCell(row.events[event] || 0, page.sums.ofEvent(event).total)};
}

/** What the row has of the event per instruction, and its interval. */
function ratioColumn(report, event) {
	const {name, ratio} = report.data.summary.events[event], of = safeName(name);
	const per = ratio.factor === 1 ? "instruction" : `${ratio.factor.toLocaleString("en")} instructions`;
	return {
		id: `ratio-${event}`, label: ratio.name, isNumber: true, value: row => row.ratios[event]?.value ?? -1,
		title: `Self: ${of} per ${per}; in 95 of 100 recordings like this one, the truth is in the range beside it`,
		cell(_, row) {
			const found = row.ratios[event];
			if (!found)
				return numberCell("–", `Fewer than ${MIN_RATIO_SAMPLES} samples of ${of} or of ${safeName(ratio.instructions)}`);
			const within = `${found.low.toFixed(2)} – ${found.high.toFixed(2)}`, cell = numberCell(found.value.toFixed(2), within);
			cell.append(make("span", {className: "interval"}, within));
			return cell;
		},
	};
}

function partColumn(id, label, title, value) {
	return {id, label, title, isNumber: true, value: row => value(row) || 0,
		cell: (report, row) => value(row) === undefined ? numberCell("") : weightCell(value(row), row.whole)};
}

/** What SPE knows of a function: {mean, level: share of loads}. */
function speColumns(report) {
	const loadsOf = stats => Object.values(stats.data_from).reduce((sum, count) => sum + count, 0);
	const stats = row => report.data.spe.byFunction.get(row.func);
	const levels = Object.keys(report.data.spe.whole.data_from);
	const wanted = [levels.find(level => /^L1/.test(level)), levels.find(level => /DRAM|memory/i.test(level)) || levels.at(-1)];
	const mean = row => stats(row)?.latency.total?.mean;
	return [
		{id: "latency", label: "Mean latency", title: "Mean of SPE's total latency, in cycles", isNumber: true,
			value: row => mean(row) || 0, cell: (_, row) => numberCell(mean(row) === undefined ? "" : mean(row).toFixed(1))},
		...[...new Set(wanted)].filter(Boolean).map(level => ({id: "level", label: level, title: `Loads whose data came from ${level}`,
			isNumber: true, value: row => stats(row)?.data_from[level] || 0, cell: (_, row) => stats(row) && loadsOf(stats(row))
				? weightCell(stats(row).data_from[level] || 0, loadsOf(stats(row))) : numberCell("")})),
	];
}

class Tables {
	/** on: {pick(row), change()}. */
	constructor(report, on) {
		this.report = report;
		this.on = on;
		this.tab = "functions";
		this.sort = null; // the column's id; null: the first
		this.isReversed = false;
		this.shown = []; // rows in their order
		this.body = make("tbody");
		this.head = make("tr");
		this.more = make("button", {type: "button", className: "quiet more"});
		this.more.addEventListener("click", () => this.showMore());
		this.count = make("span", {className: "note"});
		this.caption = make("caption", {className: "unseen"});
		this.table = make("table", {className: "hot"}, this.caption, make("thead", {}, this.head), this.body);
		this.scroller = make("div", {className: "scroll", id: "table-panel", attributes: {role: "tabpanel"}}, this.table, this.more);
		this.scroller.addEventListener("scroll", () => {
			if (this.scroller.scrollTop + 2 * this.scroller.clientHeight > this.scroller.scrollHeight && !this.more.hidden)
				this.showMore();
		});
		this.element = make("section", {className: "card hotlist", attributes: {"aria-label": "Tables"}},
			make("div", {className: "bar-head"}, this.makeTabs(), this.count), this.scroller);
		makeRowsUsable(this.body, row => this.on.pick(row));
	}

	makeTabs() {
		this.tabs = TABLES.map(({id, label}) => {
			const tab = make("button", {type: "button", id: "table-" + id, attributes: {role: "tab", "aria-controls": "table-panel"}}, label);
			tab.addEventListener("click", () => {
				this.choose(id);
				this.fill();
				this.on.change();
			});
			return tab;
		});
		return makeTabList("Tables", this.tabs);
	}

	/** To be filled by fill(). */
	choose(tab) {
		this.tab = tab;
		this.sort = null;
		this.isReversed = false;
	}

	columns() {
		const {report, tab} = this, {data, event, sums} = report;
		if (tab === "threads")
			return [...this.threadColumns(), ...NAME_COLUMNS.threads];
		if (report.isDiff)
			return [...CHANGE_COLUMNS, ...NAME_COLUMNS[tab]];
		const others = data.spe ? [] : report.eventsBeside(event).slice(0, MAX_EVENT_COLUMNS);
		const spe = data.spe && tab === "functions" ? speColumns(report) : [];
		const ratios = this.shownRatios.map(each => ratioColumn(report, each.event));
		return [SELF, ...sums.count ? [WITHIN] : [], TOTAL, ...ratios, ...others.map(each => eventColumn(report, each)), ...spe, ...NAME_COLUMNS[tab]];
	}

	threadColumns() {
		const {report} = this, {data} = report, columns = [SELF];
		const {work, wait} = report.tracks.findEvents(report.event);
		if (wait >= 0 && work !== wait)
			columns.splice(0, 1, partColumn("cpu", "On CPU", "Part of the thread's time", row => row.on),
				partColumn("off", "Off CPU", "Part of the thread's time", row => row.off),
				{id: "time", label: "Time", title: "On its CPU and off it", isNumber: true, value: row => row.whole,
					cell: (_, row) => numberCell(shortTime(row.whole))});
		if (data.samples.state.some(Boolean))
			columns.splice(1, 0, partColumn("held", "With GIL", "On its CPU, with the GIL", row => row.held),
				...wait >= 0 ? [partColumn("waited", "Waits for GIL", "Off its CPU, waiting for the GIL", row => row.waited)] : []);
		return columns;
	}

	/** Events that have a ratio, and the event that it is of: the shown one first. Of functions and lines. */
	ratios() {
		const {report} = this, isOfCode = this.tab === "functions" || this.tab === "lines";
		if (report.isDiff || report.data.spe || !isOfCode)
			return [];
		const {events} = report.mixed.summary, all = [report.event, ...report.eventsBeside(report.event)];
		return all.flatMap(event => {
			const {ratio} = events[event] || {}, instructions = ratio ? all.find(each => events[each].name === ratio.instructions) : undefined;
			return instructions === undefined ? [] : [{event, ratio, instructions}];
		});
	}

	/** All rows of the tab, without those that the search leaves out. */
	rows() {
		return {lines: () => this.lineRows(), functions: () => this.functionRows(), files: () => this.fileRows(),
			threads: () => this.threadRows()}[this.tab]();
	}

	/** What a row shows of other events, and of what it is compared with. selfOf, totalOf: by Sums. */
	withOthers(row, selfOf, totalOf) {
		const {report} = this, {sums, otherSums} = report;
		if (report.isDiff) {
			const share = (weight, total) => total ? weight / total : 0;
			row.otherSelf = selfOf(otherSums);
			row.change = share(row.self, sums.total) - share(row.otherSelf, otherSums.total);
			row.totalChange = share(row.total, sums.total) - share(totalOf(otherSums), otherSums.total);
		} else if (!report.data.spe) {
			row.events = {};
			for (const event of report.eventsBeside(report.event).slice(0, MAX_EVENT_COLUMNS))
				row.events[event] = selfOf(sums.ofEvent(event));
			this.addRatios(row, selfOf);
		}
		return row;
	}

	addRatios(row, selfOf) {
		const amount = event => {
			const sums = this.report.sums.ofEvent(event);
			return {weight: selfOf(sums), count: selfOf(sums.counts())};
		};
		row.ratios = {};
		for (const {event, ratio, instructions} of this.shownRatios)
			row.ratios[event] = ratioInterval(ratio.factor, amount(event), amount(instructions));
	}

	functionRows() {
		const {report} = this, {sums, otherSums, matches, data: {functions}} = report, rows = [];
		for (let func = 0; func < functions.length; func++) {
			const isThere = sums.functionTotal[func] > 0 || report.isDiff && otherSums.functionTotal[func] > 0;
			if (!isThere || matches && !matches[func])
				continue;
			rows.push(this.withOthers({func, self: sums.functionSelf[func], total: sums.functionTotal[func],
				name: labelOfFunction(functions[func]), module: functions[func].module},
			each => each.functionSelf[func], each => each.functionTotal[func]));
		}
		return rows;
	}

	lineRows() {
		const {report} = this, {sums, otherSums, matches, search, data} = report, {places, functions, strings} = data, rows = [];
		const weights = sums.placeSums(), others = report.isDiff ? otherSums.placeSums() : null;
		const unknown = functions.length > report.mixed.functions.length ? functions.length - 1 : -1;
		if (unknown >= 0 && sums.functionTotal[unknown] > 0 && (!matches || matches[unknown]))
			rows.push(this.withOthers({func: unknown, self: sums.functionSelf[unknown], total: sums.functionTotal[unknown],
				name: functions[unknown].name, location: functions[unknown].name, path: "", source: ""},
			each => each.functionSelf[unknown], each => each.functionTotal[unknown]));
		for (let i = 0; i < places.length; i++) {
			if (!(weights.total[i] > 0 || others && others.total[i] > 0))
				continue;
			const {func, file, line} = places[i], path = strings[file], source = sourceLine(data, file, line).trim();
			if (matches && !matches[func] && !(search && !search.where && search.test(source)))
				continue;
			const name = labelOfFunction(functions[func]);
			rows.push(this.withOthers({func, file, line, self: weights.self[i], total: weights.total[i], name, path,
				location: line ? `${fileName(path)}:${line}` : functions[func].module || name, source},
			each => each.placeSums().self[i], each => each.placeSums().total[i]));
		}
		return rows;
	}

	/** Code without lines counts for its module. */
	fileRows() {
		const {report} = this, {search, data} = report, {frames, functions, strings, summary} = data;
		const numberOf = frame => frames.line[frame] && frames.file[frame] || strings.length + functions[frames.func[frame]].moduleNumber;
		const sumsOf = each => each.byFile = each.byFile || each.sumByFrame(numberOf), none = {self: 0, total: 0};
		const numbers = new Set([...sumsOf(report.sums).keys(), ...report.isDiff ? sumsOf(report.otherSums).keys() : []]);
		return [...numbers].flatMap(number => {
			const module = number - strings.length, path = module < 0 ? strings[number] : module > 0 ? summary.modules[module - 1].name : "[no file]";
			if (search && !search.test(path))
				return [];
			const own = sumsOf(report.sums).get(number) || none;
			const isHere = module < 0 ? frame => frames.file[frame] === number : frame => functions[frames.func[frame]].moduleNumber === module;
			return [this.withOthers({isHere, self: own.self, total: own.total, path, name: module < 0 ? fileName(path) : path},
				each => (sumsOf(each).get(number) || none).self, each => (sumsOf(each).get(number) || none).total)];
		});
	}

	threadRows() {
		const {report} = this, {search, data: {summary}} = report, {work, wait} = report.tracks.findEvents(report.event);
		const on = report.sums.ofEvent(work).threadStates(), rows = [];
		const off = wait >= 0 && work !== wait ? report.sums.ofEvent(wait).threadStates() : new Map();
		const own = report.sums.threadStates();
		for (const thread of new Set([...on.keys(), ...off.keys()])) {
			const name = threadLabel(summary.threads[thread]), is = on.get(thread), isnt = off.get(thread);
			if (search && !search.test(name))
				continue;
			const whole = (is?.weight || 0) + (isnt?.weight || 0), self = own.get(thread)?.weight || 0;
			rows.push({thread, name, self, total: self, on: is?.weight || 0, off: isnt?.weight || 0, whole,
				held: is?.states[STATES.indexOf("held")] || 0, waited: isnt?.states[GIL_WAITED] || 0});
		}
		return rows;
	}

	fill() {
		this.shownRatios = this.ratios();
		const {tab} = this, columns = this.columns(), rows = this.rows();
		const first = tab === "threads" ? columns.find(({id}) => id === "time") || columns[0] : columns[0];
		const sorted = columns.find(({id}) => id === this.sort) || first;
		const order = (a, b) => sorted.isNumber ? sorted.value(b) - sorted.value(a) : compareText(sorted.value(a), sorted.value(b));
		const sign = this.isReversed ? -1 : 1;
		rows.forEach((row, i) => row.index = i);
		this.shown = rows.sort((a, b) => sign * order(a, b) || b.total - a.total || a.index - b.index);
		this.shownColumns = columns;
		this.table.className = `hot of-${tab}`;
		this.caption.textContent = `${TABLES.find(({id}) => id === tab).label} by their samples`;
		this.head.replaceChildren(...columns.map(column => this.makeHead(column, sorted)));
		makeTabSelected(this.tabs, "table-" + tab);
		this.scroller.setAttribute("aria-labelledby", "table-" + tab);
		this.body.replaceChildren();
		this.scroller.scrollTop = 0;
		this.showMore();
		this.count.textContent = this.shown.length ? plural(this.shown.length, tab.slice(0, -1))
			: this.report.search ? "no match" : "no samples";
	}

	makeHead(column, sorted) {
		const button = make("button", {type: "button", title: column.title}, column.label);
		const head = make("th", {scope: "col", className: `col-${column.id}${column.isNumber ? " numeric" : ""}`}, button);
		const direction = column.isNumber !== this.isReversed ? "descending" : "ascending";
		head.setAttribute("aria-sort", column === sorted ? direction : "none");
		button.addEventListener("click", () => {
			this.isReversed = column === sorted && !this.isReversed;
			this.sort = column.id;
			this.fill();
			this.head.querySelector(`.col-${column.id} button`).focus();
		});
		return head;
	}

	/** The next rows of the order. */
	showMore() {
		const from = this.body.rows.length, rows = this.shown.slice(from, from + ROWS_AT_ONCE);
		this.body.append(...rows.map(row => this.makeRow(row)));
		if (!from && rows.length)
			this.body.rows[0].tabIndex = 0;
		this.more.hidden = from + rows.length >= this.shown.length;
		this.more.textContent = `Show more of ${this.shown.length.toLocaleString("en")}`;
	}

	makeRow(row) {
		const element = make("tr", {tabIndex: -1}, ...this.shownColumns.map(column => {
			const cell = column.cell(this.report, row);
			cell.classList.add("col-" + column.id);
			return cell;
		}));
		element.pick = row;
		if (this.isSelected(row))
			element.setAttribute("aria-current", "true");
		return element;
	}

	isSelected({func, thread, line}) {
		const {selected, selectedLine, tracks} = this.report;
		if (thread !== undefined)
			return !!tracks.threads && tracks.threads.has(thread);
		return func !== undefined && func === selected && (this.tab !== "lines" || !selectedLine || line === selectedLine);
	}

	markSelected() {
		let first = null;
		for (const row of this.body.rows) {
			const isSelected = this.isSelected(row.pick);
			if (isSelected !== row.hasAttribute("aria-current"))
				row.toggleAttribute("aria-current", isSelected);
			if (isSelected) {
				row.setAttribute("aria-current", "true");
				first = first || row;
			}
		}
		if (!first)
			return;
		// Not scrollIntoView(): where the page is a document, it would move that.
		const list = this.scroller, head = this.head.offsetHeight;
		if (first.offsetTop - head < list.scrollTop)
			list.scrollTop = first.offsetTop - head;
		else if (first.offsetTop + first.offsetHeight > list.scrollTop + list.clientHeight)
			list.scrollTop = first.offsetTop + first.offsetHeight - list.clientHeight;
	}
}

/** Arrow keys go from tab to tab. */
function makeTabList(label, tabs) {
	const list = make("div", {className: "tabs", attributes: {role: "tablist", "aria-label": label}}, ...tabs);
	list.addEventListener("keydown", event => {
		const step = {ArrowRight: 1, ArrowLeft: -1}[event.key], at = tabs.indexOf(event.target);
		const next = step && at >= 0 && tabs[(at + step + tabs.length) % tabs.length];
		if (next) {
			next.click();
			next.focus();
		}
	});
	return list;
}

function makeTabSelected(tabs, id) {
	for (const tab of tabs) {
		const isShown = tab.id === id;
		tab.setAttribute("aria-selected", isShown);
		tab.tabIndex = isShown ? 0 : -1;
	}
}
