// SPDX-License-Identifier: Apache-2.0
// The page as a whole: its header, the sections of charts with their legends, and the tip.

const HELP = "Arrow keys move from count to count, Page Up and Page Down by ten, Home and End to the first and the " +
	"last, Escape leaves.";
const PAPER_CLASS = "paper";

// ---- tip -----------------------------------------------------------------------------------

/** What the count at the cursor was: beside the pointer, and as words for people who cannot see it. */
class Tip {
	constructor() {
		this.element = make("div", {className: "tip", hidden: true, attributes: {"aria-hidden": "true"}});
		this.live = make("div", {className: "unseen", attributes: {"aria-live": "polite"}});
	}

	show(plot, x, y, isSpoken) {
		const index = state.cursor, rows = plot.rows(index);
		const head = this.words(index), more = rows.length - MAX_TIP_ROWS;
		const table = make("table", {}, ...rows.slice(0, MAX_TIP_ROWS).map(row => make("tr", {}, make("td", {}, row.swatch),
			make("td", {}, row.label), make("td", {}, row.value), make("td", {className: "more"}, row.more))));
		this.element.replaceChildren(make("p", {}, make("b", {}, plot.tipTitle()), " " + head), table,
			more > 0 ? make("p", {}, `and ${more} lower values`) : "");
		this.place(x, y);
		if (isSpoken)
			this.live.textContent = `${head}: ` + rows.slice(0, MAX_SPOKEN_ROWS)
				.map(row => `${row.label} ${row.value}`).join(", ") +
				(rows.length > MAX_SPOKEN_ROWS ? `, and ${rows.length - MAX_SPOKEN_ROWS} more` : "");
	}

	words(index) {
		const number = `count ${index + 1} of ${run.counts.length}`;
		if (!run.hasClock)
			return number;
		const clock = new Date(run.counts[index].time_ms).toLocaleTimeString();
		return `${number} · ${spanWords(index)} · ${clock}`;
	}

	place(x, y) {
		const {element} = this;
		element.hidden = false;
		const {offsetWidth: width, offsetHeight: height} = element;
		const left = x + 16 + width > innerWidth ? x - 16 - width : x + 16;
		element.style.left = Math.max(4, Math.min(left, innerWidth - width - 4)) + "px";
		element.style.top = Math.max(4, Math.min(y + 12, innerHeight - height - 4)) + "px";
	}

	hide() {
		this.element.hidden = true;
		this.live.textContent = "";
	}
}

// ---- legends -------------------------------------------------------------------------------

function updateLegend(group) {
	group.chips.forEach((chip, series) => {
		chip.setAttribute("aria-pressed", !group.hidden.has(series));
		chip.firstChild.style.background = seriesColor(series);
	});
	redraw(group);
}

function setHidden(group, series) {
	group.hidden = new Set(series);
	updateLegend(group);
}

function makeChip(group, label, series) {
	const chip = make("button", {type: "button", title: "Double-click to show only this one"},
		make("span", {className: "swatch"}), label);
	const highlight = index => {
		group.highlight = index;
		redraw(group);
	};
	chip.addEventListener("click", () => setHidden(group, group.hidden.has(series)
		? [...group.hidden].filter(each => each !== series) : [...group.hidden, series]));
	chip.addEventListener("dblclick", () =>
		setHidden(group, [...group.series.keys()].filter(each => each !== series)));
	chip.addEventListener("pointerenter", () => highlight(series));
	chip.addEventListener("pointerleave", () => highlight(null));
	return chip;
}

/** Nothing to choose from where there is one core. */
function makeLegend(group) {
	group.chips = [];
	if (group.series.length < 2)
		return make("p", {className: "only"}, group.series[0]);
	group.chips = group.series.map((label, series) => makeChip(group, label, series));
	const legend = make("div", {className: "legend",
		attributes: {role: "group", "aria-label": "Lines of " + group.title}}, ...group.chips);
	if (group.series.length > 2) {
		const all = make("button", {type: "button", className: "all"}, "all");
		const none = make("button", {type: "button", className: "all"}, "none");
		all.addEventListener("click", () => setHidden(group, []));
		none.addEventListener("click", () => setHidden(group, group.series.keys()));
		legend.prepend(all, none);
	}
	return legend;
}

// ---- sections ------------------------------------------------------------------------------

/** Why there is nothing to draw; "": there is. */
function emptyWords(chart) {
	const values = chart.lines.flatMap(line => line.values);
	if (values.some(isKnown))
		return "";
	if (values.every(value => value === false))
		return "Not supported: this machine cannot count it.";
	return chart.isCount ? "Not counted: it never had a counter." :
		"Not counted: one of its events never had a counter.";
}

function makeFigure(group, chart, tip) {
	const empty = emptyWords(chart);
	const caption = make("figcaption", {}, make("b", {}, chart.name));
	const figure = make("figure", {}, caption);
	figure.words = [chart.name, ...chart.variants].join(" ").toLowerCase();
	if (empty) {
		figure.append(make("p", {className: "empty"}, empty));
		return figure;
	}
	const plot = new LineChart(group, chart, tip);
	const note = chart.variants.length === 1 ? chart.variants[0] : "";
	caption.append(note && make("span", {}, note), plot.variantList());
	figure.append(plot.element);
	return figure;
}

function makeSection(group, tip) {
	group.section = make("section", {attributes: {"aria-label": group.title}},
		make("div", {className: "bar"}, make("h2", {}, group.title), makeLegend(group)),
		make("div", {className: "charts"}, ...group.charts.map(chart => makeFigure(group, chart, tip))));
	return group.section;
}

function makeSelect(label, options, change) {
	const select = make("select", {}, ...options.map((text, value) => make("option", {value}, text)));
	select.addEventListener("change", () => change(+select.value));
	return make("label", {hidden: options.length < 2}, label + " ", select);
}

/** The stack of the top-down metrics, if they were counted. */
function makeTopdown(groups, tip) {
	const stacks = groups.length ? makeStacks() : [], metrics = groups[0];
	if (!stacks.length)
		return [];
	const plot = new StackChart(metrics, stacks, tip);
	const figure = make("figure", {className: "stack"}, plot.legend, plot.element, plot.sumText);
	const section = make("section", {className: "topdown", attributes: {"aria-label": "Top-down"}},
		make("div", {className: "bar"}, make("h2", {}, "Top-down"), make("div", {className: "choices"},
			makeSelect("Core", metrics.series, series => plot.select(plot.stack, series)),
			makeSelect("Layers", stacks.map(stack => stack.label), i => plot.select(stacks[i], plot.series)))), figure);
	if (metrics.series.length === 1)
		section.querySelector(".choices").append(make("p", {className: "only"}, metrics.series[0]));
	return [section];
}

// ---- header --------------------------------------------------------------------------------

function plural(count, one) {
	return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}

/** The program, or the processes or cores that were counted. */
function titleOf() {
	const {legend} = run;
	if (!legend)
		return "wperf timeline";
	if (legend.program)
		return safeName(legend.program).replace(/^.*[/\\](?=.)/, "");
	const units = [...new Set(legend.sections.filter(section => section.class === legend.sections[0].class)
		.flatMap(section => section.units))];
	return units.length === 1 ? safeName(units[0])
		: units.length ? plural(units.length, units[0].split(" ")[0]) : "wperf timeline";
}

/** How long, when, where: as the page of a recording says it. */
function runFacts() {
	const {legend, counts, lengths} = run, facts = [];
	if (run.hasClock)
		facts.push(duration(run.end) + " elapsed");
	else if (counts.length)
		facts.push(duration(lengths.reduce((sum, each) => sum + each, 0)) + " of simulated time");
	if (counts.length && counts[0].time_ms)
		facts.push(new Date(counts[0].time_ms).toLocaleString());
	if (legend)
		facts.push([legend.host, legend.machine].filter(Boolean).join(", "), legend.system);
	return facts.filter(Boolean).map(fact => make("span", {className: "run"}, safeName(fact)));
}

/** "1 s each", of what was measured; the last one may be cut off. */
function lengthWords() {
	const whole = run.lengths.length > 1 ? run.lengths.slice(0, -1) : run.lengths;
	const low = whole.reduce((a, b) => Math.min(a, b)), high = whole.reduce((a, b) => Math.max(a, b));
	return duration(low) === duration(high) ? duration(low) + " each" : `${duration(low)} to ${duration(high)} each`;
}

function facts() {
	const {legend, counts} = run;
	if (!legend)
		return [];
	const words = [plural(counts.length, "count") + (counts.length ? ", " + lengthWords() : "")];
	if (legend.count_interval > 0)
		words.push(`pauses of ${duration(legend.count_interval)}`);
	words.push(legend.kernel_mode ? "kernel mode included" : "kernel mode excluded");
	if (counts.some(count => count.multiplexed))
		words.push("multiplexed, values scaled");
	return [...words, legend.vendor].filter(Boolean).map(word => make("span", {}, safeName(word)));
}

function makeHeader(groups) {
	const title = document.title = titleOf(), command = run.legend ? safeName(run.legend.command) : "";
	const header = make("header", {}, make("div", {className: "titles"},
		make("h1", {}, make("bdi", {}, title), ...runFacts()),
		command ? make("code", {className: "command", title: command}, command) : "",
		make("p", {className: "facts"}, ...facts())), makeTools(groups));
	if (!run.isComplete)
		header.append(make("p", {className: "incomplete"}, "Not complete: the run goes on, or was killed. " +
			"Reload the page to see what came since."));
	return header;
}

function filterCharts(groups, text) {
	const words = text.toLowerCase();
	for (const group of groups) {
		for (const figure of group.section.querySelectorAll("figure"))
			figure.hidden = !figure.words.includes(words);
		group.section.hidden = !group.section.querySelector("figure:not([hidden])");
	}
}

function setTheme(theme, groups) {
	document.documentElement.dataset.theme = theme;
	for (const plot of plots) {
		if (plot instanceof StackChart)
			plot.fillLegend();
		else
			plot.element.parentElement.querySelector(".variants")?.replaceWith(plot.variantList());
	}
	groups.forEach(updateLegend);
	redraw();
}

function setRate(isRate) {
	state.isRate = isRate;
	for (const plot of plots)
		plot.setUnit?.();
	schedule();
}

/** Two buttons of which one is pressed. */
function makeSwitch(label, choices, change) {
	const buttons = choices.map((text, i) => make("button", {type: "button", attributes: {"aria-pressed": i === 0}}, text));
	buttons.forEach((button, i) => button.addEventListener("click", () => {
		buttons.forEach(each => each.setAttribute("aria-pressed", each === button));
		change(i);
	}));
	return make("div", {className: "segments", attributes: {role: "group", "aria-label": label}}, ...buttons);
}

function makeTools(groups) {
	const search = make("input", {type: "search", placeholder: "Find an event or metric", spellcheck: false,
		attributes: {"aria-label": "Find an event or metric"}});
	search.addEventListener("input", () => filterCharts(groups, search.value.trim()));
	const zero = make("input", {type: "checkbox", checked: state.fromZero});
	zero.addEventListener("change", () => {
		state.fromZero = zero.checked;
		redraw();
	});
	const rates = makeSwitch("Unit of counts", ["Per second", "Per count"], i => setRate(i === 0));
	const theme = make("button", {type: "button", className: "quiet"}, "Light or dark");
	theme.addEventListener("click", () =>
		setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark", groups));
	const hasCharts = groups.length > 0;
	return make("div", {className: "tools"}, ...hasCharts ? [search] : [],
		...groups.some(group => group.charts.some(chart => chart.isCount)) ? [rates] : [],
		...hasCharts ? [make("label", {className: "check"}, zero, "Axes from zero")] : [], theme);
}

// ---- page ----------------------------------------------------------------------------------

/** All charts at once, as wide as paper, in the colours of paper. */
function watchPrinting(groups) {
	let theme;
	const lay = isOnPaper => {
		state.isOnPaper = isOnPaper;
		document.documentElement.classList.toggle(PAPER_CLASS, isOnPaper);
		setTheme(isOnPaper ? "light" : theme, groups);
		plots.forEach(plot => plot.draw());
	};
	addEventListener("beforeprint", () => {
		theme = document.documentElement.dataset.theme;
		lay(true);
	});
	addEventListener("afterprint", () => lay(false));
}

function show() {
	readRun();
	const groups = run.counts.length ? makeGroups() : [], tip = new Tip();
	const main = make("main", {}, ...makeTopdown(groups, tip), ...groups.map(group => makeSection(group, tip)));
	if (!groups.length)
		main.append(make("p", {className: "nothing"}, "There are no counts."));
	main.append(make("p", {id: "chart-help", className: "unseen"}, HELP), tip.live);
	document.body.append(makeHeader(groups), main, tip.element);
	addEventListener("keydown", event => {
		if (event.key === "Escape")
			state.plot?.leave();
	});
	addEventListener("pointerdown", event => {
		if (state.plot && !state.plot.area.contains(event.target))
			state.plot.leave();
	});
	watchPrinting(groups);
	const dark = matchMedia("(prefers-color-scheme: dark)");
	dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light", groups));
	setTheme(dark.matches ? "dark" : "light", groups);
}

document.addEventListener("DOMContentLoaded", show);
