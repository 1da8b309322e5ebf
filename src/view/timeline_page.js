// SPDX-License-Identifier: Apache-2.0
// Draws the page that timeline_html.c writes: reads the blocks of data, makes one chart for each
// event and metric. Texts of the data only become text nodes, never markup.
"use strict";

(() => {
const MARGIN = {left: 58, right: 10, top: 8, bottom: 22};
const GOLDEN_ANGLE = 137.508; // neighbours in a legend get hues far from each other
const FIRST_HUE = 212;
const MAX_TIP_ROWS = 16;
const MAX_DOTS = 120; // more counts than these on a line are a line without dots
const CLASS_TITLES = {
	core: "Core events",
	dsu: "DSU events",
	dmc_clk: "Memory controller events (clk)",
	dmc_clkdiv2: "Memory controller events (clkdiv2)",
	perf: "Kernel events",
};

// ---- data ----------------------------------------------------------------------------------

function readBlocks(kind) {
	const blocks = [];
	for (const element of document.querySelectorAll("script." + kind)) {
		try {
			blocks.push(JSON.parse(element.textContent));
		} catch {
			// The last block of a run that was killed may be cut off.
		}
	}
	return blocks;
}

function eventGroup(section, index, counts) {
	const charts = section.events.map((event, i) => ({
		name: event.name,
		note: event.note === "e" ? "" : event.note,
		unit: event.unit,
		lines: section.units.map((_, unit) =>
			counts.map(count => count.sections[index][i * section.units.length + unit])),
	}));
	const title = CLASS_TITLES[section.class] || section.class;
	return {title, series: section.units, charts};
}

/** Metrics come as a list of cores' values: a chart takes those of one name, each core once. */
function metricGroup(metrics, counts, precision) {
	const series = [...new Set(metrics.map(metric => metric.core))];
	const charts = new Map();
	const seen = new Map();
	metrics.forEach((metric, i) => {
		const occurrence = JSON.stringify([metric.name, metric.core]);
		const nth = (seen.get(occurrence) || 0) + 1;
		seen.set(occurrence, nth);
		const key = JSON.stringify([metric.name, nth]);
		if (!charts.has(key))
			charts.set(key, {
				name: metric.name,
				note: nth > 1 ? "group " + nth : "",
				unit: metric.unit,
				decimals: precision,
				lines: series.map(() => counts.map(() => null)),
			});
		charts.get(key).lines[series.indexOf(metric.core)] =
			counts.map(count => count.metrics[i]);
	});
	const labels = series.map(core => (/^\d/.test(core) ? "core " + core : core));
	return {title: "Metrics", series: labels, charts: [...charts.values()]};
}

function makeGroups(legend, counts) {
	const groups = legend.sections.map((section, i) => eventGroup(section, i, counts));
	groups.unshift(metricGroup(legend.metrics, counts, legend.precision));
	return groups.filter(group => group.charts.length && group.series.length);
}

/** Seconds since the first count; numbers of counts if the clock did not tell them apart. */
function setTimes(counts) {
	const times = counts.map(count => (count.time_ms - counts[0].time_ms) / 1000);
	state.hasClock = times.every((time, i) => i === 0 || time > times[i - 1]);
	state.times = state.hasClock ? times : times.map((_, i) => i + 1);
}

// ---- words ---------------------------------------------------------------------------------

function shortNumber(value) {
	const size = Math.abs(value);
	for (const [limit, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
		if (size >= limit)
			return +(value / limit).toPrecision(4) + letter;
	}
	return String(+value.toPrecision(4));
}

function exactNumber(value, decimals) {
	if (value === null)
		return "not counted";
	const digits = decimals === undefined ? {maximumFractionDigits: 6}
		: {minimumFractionDigits: decimals, maximumFractionDigits: decimals};
	return value.toLocaleString("en-US", digits);
}

/** @step: between two ticks; tells how fine it has to be. */
function shortTime(seconds, step) {
	if (step < 60)
		return +seconds.toFixed(3) + " s";
	const part = (size, count) => String(Math.floor(seconds / size) % count).padStart(2, "0");
	return Math.floor(seconds / 3600) + ":" + part(60, 60) + (step < 3600 ? ":" + part(1, 60) : " h");
}

function niceStep(span, count) {
	const rough = span / count;
	const power = 10 ** Math.floor(Math.log10(rough));
	return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough * 0.999);
}

function niceTimeStep(span, count) {
	const steps = [60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
	const rough = span / count;
	if (rough < 30)
		return niceStep(span, count);
	return steps.find(step => step >= rough) || niceStep(span / 86400, count) * 86400;
}

// ---- page ----------------------------------------------------------------------------------

function make(tag, properties = {}, ...children) {
	const element = Object.assign(document.createElement(tag), properties);
	element.append(...children);
	return element;
}

const state = {cursor: null, fromZero: true, times: [], hasClock: true, counts: []};
const views = []; // of all charts

function seriesColor(index) {
	const hue = (FIRST_HUE + index * GOLDEN_ANGLE) % 360;
	const style = getComputedStyle(document.documentElement);
	return `hsl(${hue.toFixed(1)} ${style.getPropertyValue("--series-saturation")} ` +
		`${style.getPropertyValue("--series-lightness")})`;
}

function isShown(group, series) {
	return !group.hidden.has(series);
}

/** Lowest and highest value of the lines that are shown. */
function valueRange(view) {
	let low = Infinity, high = -Infinity;
	view.chart.lines.forEach((line, series) => {
		if (!isShown(view.group, series))
			return;
		for (const value of line) {
			if (value === null)
				continue;
			low = Math.min(low, value);
			high = Math.max(high, value);
		}
	});
	if (low > high)
		return [0, 1];
	if (state.fromZero)
		[low, high] = [Math.min(low, 0), Math.max(high, 0)];
	if (low === high)
		[low, high] = low === 0 ? [0, 1] : [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
	return [low, high];
}

function makeScale(view) {
	const {clientWidth: width, clientHeight: height} = view.plot;
	const times = state.times;
	let first = times[0], last = times[times.length - 1];
	if (first === last)
		[first, last] = [first - 0.5, last + 0.5];
	const [low, high] = valueRange(view);
	const step = niceStep(high - low, 4);
	const bottom = Math.floor(low / step + 1e-9) * step, top = Math.ceil(high / step - 1e-9) * step;
	const right = width - MARGIN.right, base = height - MARGIN.bottom;
	return {
		width, height, first, last, bottom, top, step, right, base,
		x: time => MARGIN.left + (time - first) / (last - first) * (right - MARGIN.left),
		y: value => base - (value - bottom) / (top - bottom) * (base - MARGIN.top),
	};
}

function prepareCanvas(canvas, scale) {
	const ratio = window.devicePixelRatio || 1;
	canvas.width = Math.round(scale.width * ratio);
	canvas.height = Math.round(scale.height * ratio);
	const context = canvas.getContext("2d");
	context.scale(ratio, ratio);
	return context;
}

function drawAxes(context, scale) {
	const style = getComputedStyle(document.documentElement);
	context.font = "11px system-ui, sans-serif";
	context.fillStyle = style.getPropertyValue("--faint");
	context.strokeStyle = style.getPropertyValue("--grid");
	context.textBaseline = "middle";
	context.textAlign = "right";
	const rows = Math.round((scale.top - scale.bottom) / scale.step);
	for (let i = 0; i <= rows; i++) {
		const value = scale.bottom + i * scale.step, y = Math.round(scale.y(value)) + 0.5;
		context.beginPath();
		context.moveTo(MARGIN.left, y);
		context.lineTo(scale.right, y);
		context.stroke();
		context.fillText(shortNumber(+value.toPrecision(12)), MARGIN.left - 8, y);
	}
	drawTimeAxis(context, scale);
}

function drawTimeAxis(context, scale) {
	context.textBaseline = "top";
	context.textAlign = "center";
	const wanted = Math.max(1, Math.floor((scale.right - MARGIN.left) / 90));
	const step = state.hasClock ? niceTimeStep(scale.last - scale.first, wanted)
		: Math.max(1, niceStep(scale.last - scale.first, wanted));
	const end = state.times[state.times.length - 1] * (1 + 1e-9);
	for (let i = Math.ceil(state.times[0] / step); i * step <= end; i++) {
		const x = scale.x(i * step), text = state.hasClock ? shortTime(i * step, step) : `count ${i * step}`;
		const half = context.measureText(text).width / 2;
		context.fillText(text, Math.min(x, scale.width - half), scale.base + 7);
	}
}

function drawLine(context, view, line, series) {
	const {scale, group} = view, times = state.times;
	context.strokeStyle = context.fillStyle = seriesColor(series);
	const others = group.highlight !== null && group.highlight !== series;
	context.globalAlpha = others ? 0.15 : 1;
	context.lineWidth = group.highlight === series ? 2.5 : 1.6;
	context.beginPath();
	let gap = true;
	line.forEach((value, i) => {
		if (value !== null)
			context[gap ? "moveTo" : "lineTo"](scale.x(times[i]), scale.y(value));
		gap = value === null;
	});
	context.stroke();
	line.forEach((value, i) => {
		// A count between two gaps has no line.
		const alone = (line[i - 1] ?? null) === null && (line[i + 1] ?? null) === null;
		if (value !== null && (alone || line.length <= MAX_DOTS))
			drawDot(context, scale.x(times[i]), scale.y(value), alone ? 2.5 : 1.8);
	});
	context.globalAlpha = 1;
}

function drawDot(context, x, y, radius) {
	context.beginPath();
	context.arc(x, y, radius, 0, 2 * Math.PI);
	context.fill();
}

function drawChart(view) {
	view.dirty = false;
	view.scale = makeScale(view);
	const context = prepareCanvas(view.canvas, view.scale);
	context.lineJoin = "round";
	drawAxes(context, view.scale);
	view.chart.lines.forEach((line, series) => {
		if (isShown(view.group, series))
			drawLine(context, view, line, series);
	});
	drawCursor(view);
}

function drawCursor(view) {
	const {scale} = view, context = prepareCanvas(view.overlay, scale);
	if (state.cursor === null)
		return;
	const x = scale.x(state.times[state.cursor]);
	context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--faint");
	context.setLineDash([3, 3]);
	context.beginPath();
	context.moveTo(x, MARGIN.top);
	context.lineTo(x, scale.base);
	context.stroke();
	view.chart.lines.forEach((line, series) => {
		const value = line[state.cursor];
		if (value === null || !isShown(view.group, series))
			return;
		context.fillStyle = seriesColor(series);
		drawDot(context, x, scale.y(value), 3.5);
	});
}

let frame = 0;

/** Draw what changed and can be seen, once per frame. */
function schedule() {
	if (frame)
		return;
	frame = requestAnimationFrame(() => {
		frame = 0;
		for (const view of views.filter(each => each.visible)) {
			if (view.dirty || !view.scale)
				drawChart(view);
			else if (view.drawnCursor !== state.cursor)
				drawCursor(view);
			view.drawnCursor = state.cursor;
		}
	});
}

function redraw(group) {
	for (const view of views) {
		if (!group || view.group === group)
			view.dirty = true;
	}
	schedule();
}

// ---- tip -----------------------------------------------------------------------------------

const tip = make("div", {className: "tip", hidden: true});

function fillTip(view) {
	const index = state.cursor, {chart, group} = view;
	const clock = new Date(state.counts[index].time_ms).toLocaleTimeString();
	const head = `count ${index + 1} of ${state.times.length}` +
		(state.hasClock ? ` · ${+state.times[index].toFixed(3)} s · ${clock}` : "");
	const rows = chart.lines
		.map((line, series) => ({series, value: line[index]}))
		.filter(row => isShown(group, row.series))
		.sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity) || a.series - b.series);
	const table = make("table");
	for (const {series, value} of rows.slice(0, MAX_TIP_ROWS)) {
		const swatch = make("div", {className: "swatch"});
		swatch.style.background = seriesColor(series);
		table.append(make("tr", {}, make("td", {}, swatch), make("td", {}, group.series[series]),
			make("td", {}, exactNumber(value, chart.decimals))));
	}
	const more = rows.length - MAX_TIP_ROWS;
	tip.replaceChildren(make("p", {}, head), table,
		more > 0 ? make("p", {}, `and ${more} lower values`) : "");
}

function placeTip(x, y) {
	tip.hidden = false;
	const {offsetWidth: width, offsetHeight: height} = tip;
	const left = x + 16 + width > innerWidth ? x - 16 - width : x + 16;
	tip.style.left = Math.max(4, left) + "px";
	tip.style.top = Math.max(4, Math.min(y + 12, innerHeight - height - 4)) + "px";
}

function nearestCount(time) {
	const times = state.times;
	let low = 0, high = times.length - 1;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if (times[middle] <= time)
			low = middle;
		else
			high = middle;
	}
	return time - times[low] <= times[high] - time ? low : high;
}

function moveCursor(view, index, x, y) {
	state.cursor = Math.max(0, Math.min(state.times.length - 1, index));
	fillTip(view);
	placeTip(x, y);
	schedule();
}

function leaveChart() {
	state.cursor = null;
	tip.hidden = true;
	schedule();
}

function pointAt(view, event) {
	const {scale} = view, box = view.plot.getBoundingClientRect();
	if (!scale)
		return;
	const share = (event.clientX - box.left - MARGIN.left) / (scale.right - MARGIN.left);
	const time = scale.first + share * (scale.last - scale.first);
	moveCursor(view, nearestCount(time), event.clientX, event.clientY);
}

function stepCursor(view, event) {
	const steps = {ArrowLeft: -1, ArrowRight: 1};
	if (!(event.key in steps) || !view.scale)
		return;
	event.preventDefault();
	const index = state.cursor === null ? 0 : state.cursor + steps[event.key];
	const box = view.plot.getBoundingClientRect();
	const time = state.times[Math.max(0, Math.min(state.times.length - 1, index))];
	moveCursor(view, index, box.left + view.scale.x(time), box.top + box.height / 3);
}

// ---- parts ---------------------------------------------------------------------------------

const watcher = new IntersectionObserver(entries => {
	for (const entry of entries)
		entry.target.view.visible = entry.isIntersecting;
	schedule();
}, {rootMargin: "200px"});

const resizes = new ResizeObserver(entries => {
	for (const entry of entries)
		entry.target.view.dirty = true;
	schedule();
});

function makeChart(group, chart) {
	const canvas = make("canvas"), overlay = make("canvas");
	const plot = make("div", {className: "plot", tabIndex: 0}, canvas, overlay);
	plot.setAttribute("role", "img");
	plot.setAttribute("aria-label", `${chart.name}: ${chart.lines.length} lines over ` +
		`${state.times.length} counts; arrow keys show the values`);
	const figure = make("figure", {}, make("figcaption", {}, make("b", {}, chart.name),
		make("span", {}, chart.unit), make("span", {}, chart.note)), plot);
	const view = {group, chart, canvas, overlay, plot, figure, visible: false, dirty: true};
	plot.view = view;
	plot.addEventListener("pointermove", event => pointAt(view, event));
	plot.addEventListener("pointerleave", leaveChart);
	plot.addEventListener("keydown", event => stepCursor(view, event));
	plot.addEventListener("blur", leaveChart);
	watcher.observe(plot);
	resizes.observe(plot);
	views.push(view);
	return figure;
}

function updateLegend(group) {
	group.chips.forEach((chip, series) => {
		chip.setAttribute("aria-pressed", isShown(group, series));
		chip.firstChild.style.background = seriesColor(series);
	});
	redraw(group);
}

function setHidden(group, series) {
	group.hidden = new Set(series);
	updateLegend(group);
}

function makeChip(group, label, series) {
	const chip = make("button", {type: "button", title: "double-click to show only this one"},
		make("span", {className: "swatch"}), label);
	const highlight = index => {
		group.highlight = index;
		redraw(group);
	};
	chip.addEventListener("click", () => {
		const hidden = group.hidden;
		setHidden(group, hidden.has(series) ? [...hidden].filter(each => each !== series)
			: [...hidden, series]);
	});
	chip.addEventListener("dblclick", () =>
		setHidden(group, [...group.series.keys()].filter(each => each !== series)));
	chip.addEventListener("pointerenter", () => highlight(series));
	chip.addEventListener("pointerleave", () => highlight(null));
	return chip;
}

function makeLegend(group) {
	group.chips = group.series.map((label, series) => makeChip(group, label, series));
	const legend = make("div", {className: "legend"}, ...group.chips);
	if (group.series.length > 2) {
		const all = make("button", {type: "button", className: "all"}, "all");
		const none = make("button", {type: "button", className: "all"}, "none");
		all.addEventListener("click", () => setHidden(group, []));
		none.addEventListener("click", () => setHidden(group, group.series.keys()));
		legend.prepend(all, none);
	}
	return legend;
}

function makeSection(group) {
	Object.assign(group, {hidden: new Set(), highlight: null});
	group.section = make("section", {},
		make("div", {className: "bar"}, make("h2", {}, group.title), makeLegend(group)),
		make("div", {className: "charts"}, ...group.charts.map(chart => makeChart(group, chart))));
	return group.section;
}

function filterCharts(groups, text) {
	const words = text.toLowerCase();
	for (const view of views)
		view.figure.hidden = !(view.chart.name + " " + view.chart.note).toLowerCase().includes(words);
	for (const group of groups)
		group.section.hidden = !group.section.querySelector("figure:not([hidden])");
}

function setTheme(theme, groups) {
	document.documentElement.dataset.theme = theme;
	groups.forEach(updateLegend);
}

function makeTools(groups) {
	const search = make("input", {type: "search", placeholder: "Find an event or metric"});
	search.addEventListener("input", () => filterCharts(groups, search.value.trim()));
	const zero = make("input", {type: "checkbox", checked: state.fromZero});
	zero.addEventListener("change", () => {
		state.fromZero = zero.checked;
		redraw();
	});
	const theme = make("button", {type: "button"}, "Light or dark");
	theme.addEventListener("click", () =>
		setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark", groups));
	return make("div", {className: "tools"}, search,
		make("label", {}, zero, "axes from zero"), theme);
}

function factsOf(legend) {
	const number = state.counts.length;
	const facts = [legend.vendor, `${number} ${number === 1 ? "count" : "counts"}`];
	if (legend.count_interval > 0)
		facts.push(`${legend.count_interval} s between counts`);
	facts.push(legend.kernel_mode ? "kernel mode included" : "kernel mode excluded");
	if (legend.sections.some(section => section.multiplexed))
		facts.push("multiplexed, values scaled");
	if (number && state.counts[0].time_ms)
		facts.push("from " + new Date(state.counts[0].time_ms).toLocaleString());
	return facts.filter(Boolean).join(" · ");
}

function show() {
	const [legend] = readBlocks("wperf-legend");
	state.counts = readBlocks("wperf-count");
	setTimes(state.counts);
	const groups = state.counts.length ? makeGroups(legend, state.counts) : [];
	document.body.append(make("header", {},
		make("div", {}, make("h1", {}, "wperf timeline"),
			make("p", {className: "facts"}, factsOf(legend))), makeTools(groups)));
	document.body.append(...groups.map(makeSection), tip);
	if (!groups.length)
		document.body.append(make("p", {className: "empty"}, "This recording has no counts."));
	const dark = matchMedia("(prefers-color-scheme: dark)");
	dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light", groups));
	setTheme(dark.matches ? "dark" : "light", groups);
}

document.addEventListener("DOMContentLoaded", show);
})();
