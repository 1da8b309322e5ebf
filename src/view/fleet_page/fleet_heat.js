// SPDX-License-Identifier: Apache-2.0
// The heat map over the report: what each step of time weighs, by height and by colour. A day or less is
// one row; of more, each day of UTC is a row, so that what happens each day at the same time stands
// in a column. Steps are in the order of reading, and so is the range that is marked in them.
//
// A range is marked by pointer, finger or keys; letting go, or Enter, shows the report of that range.

const HEAT_GUTTER = 66; // for dates, or the names of the zones
const HEAT_AXIS = 15;
const HEAT_ROW = 40; // of a single row
const HEAT_DAY_ROW = 16;
const HEAT_STRIP = 22; // on the start page
const MIN_TICK_WIDTH = 56;
const TICKS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map(minutes => minutes * MINUTE_MS);

/** What the canvas draws with. */
function heatColors() {
	const style = getComputedStyle(document.documentElement), color = name => style.getPropertyValue(name).trim();
	return {heat: color("--heat"), ink: color("--ink"), faint: color("--faint"), line: color("--line"), veil: color("--veil"),
		accent: color("--accent"), font: color("--axis-font")};
}

class Heat {
	/**
	 * data: {startMs, stepMs, weights, unit, event}; chosen: {fromMs, untilMs} or null; on: {range(fromMs,
	 * untilMs), tip(text)}, or null for a strip that is only looked at.
	 */
	constructor(data, chosen, name, on) {
		this.data = data;
		this.on = on;
		this.steps = data.weights.length;
		this.max = Math.max(1, ...data.weights);
		const lengthMs = this.steps * data.stepMs;
		this.columns = lengthMs > 1.5 * DAY_MS ? DAY_MS / data.stepMs : this.steps;
		this.rows = Math.max(1, Math.ceil(this.steps / this.columns));
		this.chosen = chosen && [this.stepOf(chosen.fromMs, Math.floor), this.stepOf(chosen.untilMs, Math.ceil)];
		this.range = this.chosen;
		this.canvas = make("canvas");
		this.element = on ? make("div", {className: "heat", tabIndex: 0, attributes: {role: "slider",
			"aria-label": `${name}: arrow keys move the range, with Shift they make it longer or shorter, Enter shows it`,
			"aria-valuemin": 0, "aria-valuemax": this.steps}}, this.canvas)
			: make("div", {className: "heat", attributes: {role: "img", "aria-label": name}}, this.canvas);
		if (on)
			this.listen();
		new ResizeObserver(() => this.draw()).observe(this.element);
		new MutationObserver(() => this.draw()).observe(document.documentElement, {attributeFilter: ["data-theme"]});
		this.describe();
	}

	stepOf(ms, round) {
		return Math.max(0, Math.min(this.steps, round((ms - this.data.startMs) / this.data.stepMs)));
	}

	msOf(step) {
		return this.data.startMs + step * this.data.stepMs;
	}

	get rowHeight() {
		return !this.on ? HEAT_STRIP : this.rows > 1 ? HEAT_DAY_ROW : HEAT_ROW;
	}

	get gutter() {
		return this.on ? HEAT_GUTTER : 0;
	}

	get offset() {
		return zoneOffset(this.msOf(this.steps));
	}

	/** Of UTC above the rows, of the reader's clock below. */
	get axes() {
		return !this.on ? 0 : this.offset ? 2 : 1;
	}

	draw() {
		const width = this.element.clientWidth, top = this.axes ? HEAT_AXIS : 0;
		if (!width)
			return;
		this.width = width - this.gutter;
		this.colors = heatColors();
		const context = prepareCanvas(this.canvas, width, this.axes * HEAT_AXIS + this.rows * (this.rowHeight + 1));
		context.font = this.colors.font;
		context.textBaseline = "middle";
		for (let row = 0; row < this.rows; row++)
			this.drawRow(context, row, top + row * (this.rowHeight + 1));
		if (this.axes > 0)
			this.drawAxis(context, 0, HEAT_AXIS / 2, "UTC");
		if (this.axes > 1)
			this.drawAxis(context, this.offset, top + this.rows * (this.rowHeight + 1) + HEAT_AXIS / 2 + 1, zoneName(this.msOf(this.steps)));
	}

	xOf(column) {
		return this.gutter + column * this.width / this.columns;
	}

	drawRow(context, row, top) {
		const {colors, rowHeight, columns} = this, {weights} = this.data;
		const first = row * columns, count = Math.min(columns, this.steps - first);
		context.fillStyle = colors.line;
		context.fillRect(this.gutter, top + rowHeight, this.width * count / columns, 1);
		context.fillStyle = colors.heat;
		for (let column = 0; column < count; column++) {
			const share = weights[first + column] / this.max;
			if (!share)
				continue;
			const left = this.xOf(column), height = Math.max(2, share * (rowHeight - 1));
			context.globalAlpha = 0.35 + 0.65 * share;
			context.fillRect(left, top + rowHeight - height, Math.max(1, this.xOf(column + 1) - left - (this.width / columns > 4 ? 1 : 0)), height);
		}
		context.globalAlpha = 1;
		if (this.rows > 1) {
			context.fillStyle = colors.faint;
			context.textAlign = "right";
			context.fillText(instantTexts(this.msOf(first)).date.slice(5), this.gutter - 7, top + rowHeight / 2);
		}
		if (this.range)
			this.drawRange(context, first, count, top);
	}

	/** What is not marked is veiled. */
	drawRange(context, first, count, top) {
		const [from, until] = this.range.map(step => Math.max(0, Math.min(count, step - first)));
		const left = this.xOf(from), right = Math.max(this.xOf(until), left + (until > from ? 2 : 0));
		context.fillStyle = this.colors.veil;
		context.fillRect(this.gutter, top, left - this.gutter, this.rowHeight);
		context.fillRect(right, top, this.xOf(count) - right, this.rowHeight);
		if (until <= from)
			return;
		context.strokeStyle = this.colors.accent;
		context.strokeRect(left + 0.5, top + 0.5, Math.max(1, right - left - 1), this.rowHeight);
	}

	drawAxis(context, offset, y, name) {
		const {colors, columns} = this, rowMs = columns * this.data.stepMs, start = this.data.startMs + offset;
		const rough = rowMs * MIN_TICK_WIDTH / this.width, tick = TICKS_MS.find(each => each >= rough) || DAY_MS;
		context.fillStyle = colors.faint;
		context.textAlign = "right";
		context.fillText(name, this.gutter - 7, y);
		context.textAlign = "left";
		for (let at = Math.ceil(start / tick) * tick; at < start + rowMs; at += tick) {
			const x = this.gutter + (at - start) / rowMs * this.width, {date, time} = instantTexts(at);
			const text = columns === this.steps && time === "00:00" ? date.slice(5) : time;
			if (x + context.measureText(text).width > this.gutter + this.width)
				continue;
			context.fillText(text, x + 3, y);
			context.fillRect(x, y - 4, 1, 8);
		}
	}

	columnAt(event) {
		const {left} = this.canvas.getBoundingClientRect();
		const column = Math.floor((event.clientX - left - this.gutter) / this.width * this.columns);
		return Math.max(0, Math.min(this.columns - 1, column));
	}

	stepAt(event) {
		const box = this.canvas.getBoundingClientRect(), top = this.axes ? HEAT_AXIS : 0;
		const row = Math.floor((event.clientY - box.top - top) / (this.rowHeight + 1));
		return Math.min(this.steps - 1, Math.max(0, Math.min(this.rows - 1, row)) * this.columns + this.columnAt(event));
	}

	listen() {
		this.canvas.addEventListener("pointerdown", event => this.beginBrush(event));
		this.canvas.addEventListener("pointermove", event => this.on.tip(this.tipAt(event)));
		this.canvas.addEventListener("pointerleave", () => this.on.tip(""));
		this.element.addEventListener("keydown", event => this.key(event));
		this.element.addEventListener("blur", () => this.setRange(this.chosen));
	}

	tipAt(event) {
		const step = this.stepAt(event);
		return this.tipOf(step, this.data.weights[step]);
	}

	tipOf(step, weight) {
		const {data} = this, text = rangeText(this.msOf(step), this.msOf(step + 1)) + " UTC";
		const cores = data.unit === "nanoseconds" && weight ? `, ${roundCores(weight / (data.stepMs * 1e6))}` : "";
		return `${text}: ${weight ? weightText({unit: data.unit, name: data.event}, weight) + cores : "no samples"}`;
	}

	beginBrush(event) {
		if (event.button !== 0)
			return;
		const anchor = this.stepAt(event), listening = new AbortController();
		const on = (type, act) => this.canvas.addEventListener(type, act, {signal: listening.signal});
		const mark = at => this.setRange([Math.min(anchor, at), Math.max(anchor, at) + 1]);
		this.canvas.setPointerCapture(event.pointerId);
		mark(anchor);
		on("pointermove", moved => mark(this.stepAt(moved)));
		on("pointerup", ended => {
			listening.abort();
			mark(this.stepAt(ended));
			this.show();
		});
		// A finger that turned out to scroll the page.
		on("pointercancel", () => {
			listening.abort();
			this.setRange(this.chosen);
		});
	}

	key(event) {
		const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns, PageUp: -10, PageDown: 10}[event.key];
		const [from, until] = this.range || [0, 1], length = until - from;
		const act = step ? () => {
			const end = event.shiftKey ? Math.max(from + 1, Math.min(this.steps, until + step)) : Math.max(length, Math.min(this.steps, until + step));
			this.setRange([event.shiftKey ? from : end - length, end]);
		} : {
			Home: () => this.setRange([0, length]), End: () => this.setRange([this.steps - length, this.steps]),
			Enter: () => this.show(), Escape: () => this.setRange(this.chosen),
		}[event.key];
		if (!act)
			return;
		event.preventDefault();
		event.stopPropagation(); // the report has keys, too
		act();
	}

	setRange(range) {
		this.range = range;
		this.describe();
		this.draw();
		if (range && range !== this.chosen)
			this.on.tip(`${rangeText(this.msOf(range[0]), this.msOf(range[1]))} UTC, ${lengthText((range[1] - range[0]) * this.data.stepMs)}: Enter shows it`);
	}

	describe() {
		if (!this.on)
			return;
		const [from, until] = this.range || [0, this.steps];
		this.element.setAttribute("aria-valuenow", from);
		this.element.setAttribute("aria-valuetext", `${rangeText(this.msOf(from), this.msOf(until))} UTC`);
	}

	show() {
		if (this.range)
			this.on.range(this.msOf(this.range[0]), this.msOf(this.range[1]));
	}
}

function roundCores(cores) {
	return `${cores < 0.01 ? "less than 0.01" : +cores.toPrecision(3)} cores`;
}
