// SPDX-License-Identifier: Apache-2.0
// The counts of the page, as timeline_html.c wrote them, and the charts that they make: one for each
// event and each metric. A chart has a line for each core that counted it, and one more for each
// group that the event is in.

const CLASS_TITLES = {
	core: "Core events",
	dsu: "DSU events",
	dmc_clk: "Memory controller events (clk)",
	dmc_clkdiv2: "Memory controller events (clkdiv2)",
	perf: "Kernel events",
};

/** Units of events that are not numbers of something that happens: what they are per second. */
const UNITS = {
	msec: {count: "ms", factor: 1e-3, rate: "CPUs"},
	Joules: {count: "J", factor: 1, rate: "W"},
};

const WHOLE_US = 1e6;
const SAME_TIME = 0.01; // of a count: less than that between two counts is no pause

/** The run that is drawn. */
const run = {legend: null, counts: [], spans: [], lengths: [], end: 0, hasClock: false, isComplete: false};

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

/**
 * A count is from its start to its end. Simulated time has no time of day, and says nothing of when
 * something was: such counts stand side by side, each as wide as the other.
 */
function setTimes() {
	const {counts} = run;
	const starts = counts.map(count => count.start_us / WHOLE_US);
	run.lengths = counts.map(count => count.length_us / WHOLE_US);
	const ends = starts.map((start, i) => start + run.lengths[i]);
	run.hasClock = counts.every((count, i) => count.time_ms > 0 && (i === 0 || starts[i] > starts[i - 1])) &&
		ends[ends.length - 1] > 0;
	run.spans = counts.map((_, i) => run.hasClock ? [starts[i], ends[i]] : [i, i + 1]);
	run.end = counts.length ? run.spans[counts.length - 1][1] : 0;
}

function readRun() {
	run.legend = readBlocks("wperf-legend")[0] || null;
	run.counts = run.legend ? readBlocks("wperf-count") : [];
	run.isComplete = document.querySelector("script.wperf-end") !== null;
	setTimes();
}

/** Does the count begin where the one before it ended? */
function isJoined(index) {
	const {spans} = run;
	return index > 0 && index < spans.length && spans[index][0] - spans[index - 1][1] <= SAME_TIME * (spans[index][1] - spans[index][0]);
}

/** A value is a number, null (its event never had a counter) or false (no such event here). */
function isKnown(value) {
	return typeof value === "number";
}

function missingWords(value) {
	return value === false ? "not supported" : "not counted";
}

// ---- charts --------------------------------------------------------------------------------

class Group {
	constructor(title) {
		this.title = title;
		this.series = []; // labels of cores
		this.charts = [];
		this.hidden = new Set();
		this.highlight = null;
	}

	/** @nth: of the units with this label, as threads may have the same name. */
	seriesOf(label, nth) {
		for (let i = 0; i < this.series.length; i++) {
			if (this.series[i] === label && nth-- === 0)
				return i;
		}
		return this.series.push(label) - 1;
	}

	chartOf(name, properties) {
		let chart = this.charts.find(each => each.name === name);
		if (!chart) {
			chart = {name, variants: [], lines: [], ...properties};
			this.charts.push(chart);
		}
		return chart;
	}
}

/** @label: of the group of events. The same one twice on a core is told apart by its number. */
function addLine(chart, series, label, values) {
	const isTaken = text => chart.lines.some(line => line.series === series && chart.variants[line.variant] === text);
	let text = label;
	for (let nth = 2; isTaken(text); nth++)
		text = `${label} #${nth}`.trim();
	let variant = chart.variants.indexOf(text);
	if (variant < 0)
		variant = chart.variants.push(text) - 1;
	chart.lines.push({series, variant, values});
}

function addSection(group, section, index) {
	const seen = new Map();
	const units = section.units.map(label => {
		const nth = seen.get(label) || 0;
		seen.set(label, nth + 1);
		return group.seriesOf(safeName(label), nth);
	});
	section.events.forEach((event, i) => {
		const chart = group.chartOf(safeName(event.name), {unit: safeName(event.unit), isCount: true});
		const note = event.note === "e" ? "" : safeName(event.note);
		units.forEach((series, unit) => addLine(chart, series, note,
			run.counts.map(count => count.sections[index][i * units.length + unit])));
	});
}

/** Sections of the same class are one group: cores may count events of their own. */
function eventGroups() {
	const groups = new Map();
	run.legend.sections.forEach((section, i) => {
		if (!groups.has(section.class))
			groups.set(section.class, new Group(CLASS_TITLES[section.class] || section.class));
		addSection(groups.get(section.class), section, i);
	});
	return [...groups.values()];
}

function coreLabel(core) {
	return /^\d/.test(core) ? "core " + core : safeName(core);
}

function metricGroup() {
	const {metrics, precision} = run.legend, group = new Group("Metrics"), seen = new Map();
	metrics.forEach((metric, i) => {
		const key = JSON.stringify([metric.name, metric.core]), nth = (seen.get(key) || 0) + 1;
		seen.set(key, nth);
		const chart = group.chartOf(safeName(metric.name),
			{unit: safeName(metric.unit), isCount: false, decimals: precision});
		addLine(chart, group.seriesOf(coreLabel(metric.core), 0), nth > 1 ? "group " + nth : "",
			run.counts.map(count => count.metrics[i]));
	});
	return group;
}

/** Variants that have no name of their own get one where there are several. */
function nameVariants(chart) {
	const first = chart.isCount ? "#1" : "group 1";
	if (chart.variants.length > 1)
		chart.variants = chart.variants.map(text => text || first);
}

function makeGroups() {
	const groups = [metricGroup(), ...eventGroups()].filter(group => group.charts.length && group.series.length);
	groups.forEach(group => group.charts.forEach(nameVariants));
	return groups;
}

// ---- units ---------------------------------------------------------------------------------

function countedThing(name) {
	const plain = name.replace(/:\w+$/, "");
	if (/^(cpu[-_])?cycles?$/.test(plain))
		return "cycles";
	return /^(instructions|inst_retired)$/.test(plain) ? "instructions" : "events";
}

/** What a value of the chart is, per second or per count: {title, short, factor}; factor: of a rate. */
function unitOf(chart, isRate) {
	if (!chart.isCount)
		return {title: chart.unit, short: "", factor: 1};
	const known = UNITS[chart.unit];
	if (known)
		return isRate ? {title: known.rate, short: " " + known.rate, factor: known.factor}
			: {title: known.count + " per count", short: " " + known.count, factor: 1};
	const thing = chart.unit || countedThing(chart.name), short = chart.unit ? " " + chart.unit : "";
	return isRate ? {title: thing + "/s", short: short + "/s", factor: 1}
		: {title: thing + " per count", short, factor: 1};
}

/** The values of a line as they are drawn; a count that took no time has no rate. */
function shownValues(chart, line, isRate) {
	if (!chart.isCount || !isRate)
		return line.values;
	const {factor} = unitOf(chart, true);
	return line.values.map((value, i) => !isKnown(value) ? value
		: run.lengths[i] > 0 ? value * factor / run.lengths[i] : null);
}
