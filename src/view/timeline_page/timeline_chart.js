// SPDX-License-Identifier: Apache-2.0
// A plot over time, and the chart of an event or a metric in it: a line for each core. A value holds
// for its whole count, so that lines are steps; where nothing was counted between two counts, a
// faint line leads over the pause.

const MARGIN = {right: 14, top: 8, bottom: 20};
const MIN_LEFT = 44;
const GOLDEN_ANGLE = 137.508; // neighbours in a legend get hues far from each other
const FIRST_HUE = 212;
const NUM_COLORS = 8; // that people of all kinds of sight tell apart
const DASHES = [[], [7, 3], [2, 3], [10, 3, 2, 3], [5, 2, 1, 2, 1, 2], [14, 4]];
const MAX_TIP_ROWS = 16, MAX_SPOKEN_ROWS = 6;
const MIN_STEP = 3; // pixels of a count between long pauses: as much as can be seen
const GAP_HEIGHT = 15; // of the mark where other lines have values
const CROSS = 3; // half of the width of the mark of a missing value
const STEPS_OF_KEYS = {ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity};

const state = {cursor: null, plot: null, fromZero: true, isRate: true, isOnPaper: false};
const plots = []; // all of the page

function themeColor(name) {
	return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

function seriesColor(index) {
	if (index < NUM_COLORS)
		return themeColor("series-" + index);
	const hue = (FIRST_HUE + index * GOLDEN_ANGLE) % 360;
	return `hsl(${hue.toFixed(1)} ${themeColor("series-saturation")} ${themeColor("series-lightness")})`;
}

/** Lines that lean to the right, for what is not there. */
function hatchPattern(context, color) {
	const tile = make("canvas", {width: 8, height: 8}), pen = tile.getContext("2d");
	pen.strokeStyle = color;
	pen.beginPath();
	for (const offset of [-4, 0, 4]) {
		pen.moveTo(offset - 1, 9);
		pen.lineTo(offset + 9, -1);
	}
	pen.stroke();
	return context.createPattern(tile, "repeat");
}

let frame = 0;

/** Draws what changed and can be seen, once per frame. */
function schedule() {
	frame = frame || requestAnimationFrame(() => {
		frame = 0;
		for (const plot of plots.filter(each => each.isVisible)) {
			if (plot.isDirty || !plot.scale)
				plot.draw();
			else if (plot.drawnCursor !== state.cursor)
				plot.drawCursor();
		}
	});
}

function redraw(group) {
	for (const plot of plots) {
		if (!group || plot.group === group)
			plot.isDirty = true;
	}
	schedule();
}

const watcher = new IntersectionObserver(entries => {
	for (const entry of entries)
		entry.target.plot.isVisible = entry.isIntersecting;
	schedule();
}, {rootMargin: "200px"});

const resizes = new ResizeObserver(entries => {
	for (const entry of entries)
		entry.target.plot.isDirty = true;
	schedule();
});

/** Two canvases, the data and the cursor, between the titles of their axes. */
class Plot {
	/** @tip: see Tip. */
	constructor(tip) {
		this.tip = tip;
		this.canvas = make("canvas");
		this.overlay = make("canvas");
		this.valueTitle = make("p", {className: "axis value"});
		this.timeTitle = make("p", {className: "axis time"});
		this.area = make("div", {className: "plot", tabIndex: 0, attributes: {role: "application",
			"aria-roledescription": "chart", "aria-describedby": "chart-help"}}, this.canvas, this.overlay);
		this.element = make("div", {}, this.valueTitle, this.area, this.timeTitle);
		this.isDirty = true;
		this.isVisible = false;
		this.area.plot = this;
		this.area.addEventListener("pointermove", event => this.pointAt(event));
		this.area.addEventListener("pointerdown", event => this.pointAt(event));
		// A finger that is lifted has left, too, but wants to read.
		this.area.addEventListener("pointerleave", event => event.pointerType !== "touch" && this.leave());
		this.area.addEventListener("pointercancel", () => this.leave());
		this.area.addEventListener("keydown", event => this.key(event));
		this.area.addEventListener("blur", () => this.leave());
		watcher.observe(this.area);
		resizes.observe(this.area);
		plots.push(this);
	}

	/** The labels of values decide how much room is left of the axis. */
	makeScale(context) {
		const {clientWidth: width, clientHeight: height} = this.area;
		const values = valueTicks(...this.range(), height < 160 ? 3 : 5);
		const measure = text => context.measureText(text).width;
		const left = Math.max(MIN_LEFT, Math.ceil(Math.max(...values.ticks.map(tick => measure(tick.text)))) + 12);
		const right = width - MARGIN.right, base = height - MARGIN.bottom;
		return {
			width, height, left, right, base, values, times: timeTicks(right - left, measure),
			x: time => left + time / run.end * (right - left),
			y: value => base - (value - values.bottom) / (values.top - values.bottom) * (base - MARGIN.top),
		};
	}

	draw() {
		const {clientWidth: width, clientHeight: height} = this.area;
		if (!width || !height)
			return;
		const context = prepareCanvas(this.canvas, width, height, this.ratio());
		context.font = themeColor("axis-font");
		context.lineJoin = "round";
		this.isDirty = false;
		this.scale = this.makeScale(context);
		this.timeTitle.textContent = this.scale.times.title;
		this.drawAxes(context);
		context.save();
		context.beginPath();
		context.rect(this.scale.left, 0, this.scale.right - this.scale.left + 1, height);
		context.clip();
		this.drawData(context);
		context.restore();
		this.drawCursor();
	}

	ratio() {
		return Math.max(window.devicePixelRatio || 1, state.isOnPaper ? 2 : 1);
	}

	drawAxes(context) {
		const {scale} = this, line = (x0, y0, x1, y1) => {
			context.beginPath();
			context.moveTo(x0, y0);
			context.lineTo(x1, y1);
			context.stroke();
		};
		context.fillStyle = themeColor("faint");
		context.textBaseline = "middle";
		context.textAlign = "right";
		for (const {at, text} of scale.values.ticks) {
			const y = Math.round(scale.y(at)) + 0.5;
			context.strokeStyle = themeColor("grid");
			line(scale.left, y, scale.right, y);
			context.fillText(text, scale.left - 8, y);
		}
		context.textBaseline = "top";
		context.textAlign = "center";
		context.strokeStyle = themeColor("faint");
		for (const {at, text} of scale.times.ticks) {
			const x = scale.x(at), half = context.measureText(text).width / 2;
			line(Math.round(x) + 0.5, scale.base, Math.round(x) + 0.5, scale.base + 4);
			context.fillText(text, Math.max(half, Math.min(x, scale.width - half)), scale.base + 7);
		}
	}

	/** Hatches counts for which @isGap holds, up to @height. */
	drawGaps(context, isGap, height = this.scale.base - MARGIN.top) {
		const {scale} = this;
		context.fillStyle = hatchPattern(context, themeColor("gap"));
		run.spans.forEach(([start, end], i) => {
			if (isGap(i))
				context.fillRect(scale.x(start), scale.base - height, Math.max(MIN_STEP, scale.x(end) - scale.x(start)), height);
		});
	}

	/** The count as a band, with a line in its middle. */
	drawCursor() {
		const {scale} = this, context = prepareCanvas(this.overlay, scale.width, scale.height, this.ratio());
		this.drawnCursor = state.cursor;
		if (state.cursor === null)
			return;
		const [left, right] = run.spans[state.cursor].map(scale.x), x = (left + right) / 2;
		context.fillStyle = themeColor("cursor");
		context.fillRect(left, MARGIN.top, Math.max(1, right - left), scale.base - MARGIN.top);
		context.strokeStyle = themeColor("faint");
		context.setLineDash([3, 3]);
		context.beginPath();
		context.moveTo(x, MARGIN.top);
		context.lineTo(x, scale.base);
		context.stroke();
		for (const {value, color} of this.dots(state.cursor)) {
			context.fillStyle = color;
			context.beginPath();
			context.arc(x, scale.y(value), 3.5, 0, 2 * Math.PI);
			context.fill();
		}
	}

	/** @isSpoken: to people who cannot see the tip. */
	moveCursor(index, x, y, isSpoken) {
		state.cursor = Math.max(0, Math.min(run.counts.length - 1, index));
		state.plot = this;
		this.tip.show(this, x, y, isSpoken);
		schedule();
	}

	leave() {
		state.cursor = state.plot = null;
		this.tip.hide();
		schedule();
	}

	pointAt(event) {
		if (!this.scale)
			return;
		const {left, right} = this.scale, box = this.area.getBoundingClientRect();
		const time = (event.clientX - box.left - left) / (right - left) * run.end;
		this.moveCursor(nearestCount(time), event.clientX, event.clientY, false);
	}

	key(event) {
		if (event.key === "Escape") {
			this.leave();
			return;
		}
		const step = STEPS_OF_KEYS[event.key];
		if (!step || !this.scale || event.ctrlKey || event.altKey || event.metaKey)
			return;
		event.preventDefault();
		const last = run.counts.length - 1;
		const from = state.cursor === null ? (step > 0 ? -1 : last + 1) : state.cursor;
		const index = Math.max(0, Math.min(last, from + step)), box = this.area.getBoundingClientRect();
		const [start, end] = run.spans[index];
		this.moveCursor(index, box.left + this.scale.x((start + end) / 2), box.top + box.height / 3, true);
	}
}

function nearestCount(time) {
	const {spans} = run;
	let low = 0, high = spans.length - 1;
	while (high > low) {
		const middle = (low + high + 1) >> 1;
		if (spans[middle][0] <= time)
			low = middle;
		else
			high = middle - 1;
	}
	// In a pause, the nearer of both.
	const isLater = low + 1 < spans.length && time - spans[low][1] > spans[low + 1][0] - time;
	return isLater ? low + 1 : low;
}

/** Runs of counts for which @test holds: calls @each with the first and the last. */
function forRuns(test, each) {
	for (let i = 0; i < run.counts.length; i++) {
		const first = i;
		while (i < run.counts.length && test(i))
			i++;
		if (i > first)
			each(first, i - 1);
	}
}

// ---- lines ---------------------------------------------------------------------------------

class LineChart extends Plot {
	constructor(group, chart, tip) {
		super(tip);
		this.group = group;
		this.chart = chart;
		this.setUnit();
	}

	setUnit() {
		const {chart} = this, unit = unitOf(chart, state.isRate);
		this.unit = unit;
		this.values = chart.lines.map(line => shownValues(chart, line, state.isRate));
		this.valueTitle.textContent = unit.title;
		this.area.setAttribute("aria-label", `${chart.name}, ${unit.title}`);
		this.isDirty = true;
	}

	/** One core has one colour, whatever it counts; groups on one core have several. */
	color(line) {
		return seriesColor(this.group.series.length > 1 ? line.series : line.variant);
	}

	label(line) {
		const {chart, group} = this, variant = chart.variants.length > 1 ? chart.variants[line.variant] : "";
		const core = group.series.length > 1 || !variant ? group.series[line.series] : "";
		return [core, variant].filter(Boolean).join(" · ");
	}

	shownLines() {
		return [...this.chart.lines.keys()].filter(i => !this.group.hidden.has(this.chart.lines[i].series));
	}

	/** Lowest and highest value of the lines that are shown. */
	range() {
		let low = Infinity, high = -Infinity;
		for (const i of this.shownLines()) {
			for (const value of this.values[i].filter(isKnown)) {
				low = Math.min(low, value);
				high = Math.max(high, value);
			}
		}
		if (low > high)
			return [0, 1];
		if (state.fromZero)
			[low, high] = [Math.min(low, 0), Math.max(high, 0)];
		if (low === high)
			[low, high] = low === 0 ? [0, 1] : [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
		return [low, high];
	}

	drawData(context) {
		const shown = this.shownLines(), isMissing = i => line => !isKnown(this.values[line][i]);
		this.drawGaps(context, i => shown.length > 0 && shown.every(isMissing(i)));
		this.drawGaps(context, i => shown.some(isMissing(i)) && !shown.every(isMissing(i)), GAP_HEIGHT);
		for (const i of shown)
			this.drawLine(context, this.chart.lines[i], this.values[i]);
		let row = 0;
		for (const i of shown) {
			if (this.values[i].every(isKnown) || this.scale.base - row * 3 * CROSS < this.scale.height / 2)
				continue;
			this.drawCrosses(context, this.chart.lines[i], this.values[i], row++);
		}
	}

	drawLine(context, line, values) {
		const {scale, group} = this;
		const isOther = group.highlight !== null && group.highlight !== line.series;
		context.strokeStyle = this.color(line);
		context.globalAlpha = isOther ? 0.15 : 1;
		context.lineWidth = group.highlight === line.series ? 2.6 : 1.8;
		context.setLineDash(DASHES[line.variant % DASHES.length]);
		context.beginPath();
		values.forEach((value, i) => {
			if (!isKnown(value))
				return;
			const [start, end] = run.spans[i].map(scale.x), y = scale.y(value);
			context[isJoined(i) && isKnown(values[i - 1]) ? "lineTo" : "moveTo"](start, y);
			context.lineTo(isJoined(i + 1) ? end : Math.max(end, start + MIN_STEP), y);
		});
		context.stroke();
		context.setLineDash([]);
		context.lineWidth = 1;
		context.globalAlpha = isOther ? 0.08 : 0.4;
		context.beginPath();
		values.forEach((value, i) => {
			if (i === 0 || isJoined(i) || !isKnown(value) || !isKnown(values[i - 1]))
				return;
			context.moveTo(scale.x(run.spans[i - 1][1]), scale.y(values[i - 1]));
			context.lineTo(scale.x(run.spans[i][0]), scale.y(value));
		});
		context.stroke();
		context.globalAlpha = 1;
	}

	/** A cross in the middle of each gap, in the colour of its line. */
	drawCrosses(context, line, values, row) {
		const {scale} = this, y = scale.base - 8 - row * 3 * CROSS;
		context.strokeStyle = this.color(line);
		context.lineWidth = 1.6;
		context.beginPath();
		forRuns(i => !isKnown(values[i]), (first, last) => {
			const x = scale.x((run.spans[first][0] + run.spans[last][1]) / 2);
			context.moveTo(x - CROSS, y - CROSS);
			context.lineTo(x + CROSS, y + CROSS);
			context.moveTo(x - CROSS, y + CROSS);
			context.lineTo(x + CROSS, y - CROSS);
		});
		context.stroke();
	}

	dots(index) {
		return this.shownLines().filter(i => isKnown(this.values[i][index]))
			.map(i => ({value: this.values[i][index], color: this.color(this.chart.lines[i])}));
	}

	valueText(value) {
		const {chart, unit} = this;
		if (!chart.isCount)
			return exactNumber(value, chart.decimals);
		return (state.isRate ? shortNumber(value) : exactNumber(value)) + unit.short;
	}

	/** What the tip says of a count. The number itself is beside its rate. */
	rows(index) {
		const {chart} = this, plain = unitOf(chart, false).short;
		const rows = this.shownLines().map(i => {
			const line = chart.lines[i], value = this.values[i][index], counted = line.values[index];
			return {
				swatch: this.swatch(line), label: this.label(line), size: isKnown(value) ? value : -Infinity,
				value: isKnown(value) ? this.valueText(value) : missingWords(counted),
				more: chart.isCount && state.isRate && isKnown(counted) ? exactNumber(counted) + plain : "",
			};
		});
		return rows.sort((a, b) => b.size - a.size);
	}

	tipTitle() {
		return this.chart.name;
	}

	/** A piece of the line, with its dashes. */
	swatch(line) {
		const canvas = make("canvas", {className: "swatch", attributes: {"aria-hidden": "true"}});
		const context = prepareCanvas(canvas, 22, 8);
		context.strokeStyle = this.color(line);
		context.lineWidth = 2.5;
		context.setLineDash(DASHES[line.variant % DASHES.length]);
		context.beginPath();
		context.moveTo(0, 4);
		context.lineTo(22, 4);
		context.stroke();
		return canvas;
	}

	/** Which line is which group; nothing if there is one. */
	variantList() {
		const {chart, group} = this;
		if (chart.variants.length < 2)
			return "";
		return make("ul", {className: "variants", attributes: {"aria-label": "Groups"}}, ...chart.variants.map(
			(text, variant) => make("li", {}, this.swatch({series: group.series.length > 1 ? 0 : variant, variant}), text)));
	}
}
