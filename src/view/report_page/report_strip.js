// SPDX-License-Identifier: Apache-2.0
// The strip over the graph: samples over time, of all threads and of each. A range of time that is
// marked in it, and the threads that are pressed, are the filter of everything else.

const LANE_HEIGHT = 24;
const OVERVIEW_HEIGHT = 46;
const AXIS_HEIGHT = 18;
const MAX_LANES = 100;

function shortTime(ns) {
	const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
	const [scale, unit] = units.find(([each]) => ns >= each) || units[3];
	return `${+(ns / scale).toPrecision(4)} ${unit}`;
}

function niceStep(rough) {
	const power = 10 ** Math.floor(Math.log10(rough));
	return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough * 0.999);
}

/** What a thread did: in which slots its samples are, and what these weigh over time. */
class Lane {
	constructor(thread, slots) {
		this.threads = [thread];
		this.begun = new Float64Array(slots);
		this.sums = null; // set by spread()
		this.rows = [];
		this.weight = 0;
		this.count = 0;
		this.label = "";
	}

	add(samples, i) {
		this.rows.push(i);
		this.begun[samples.slot[i]] += samples.weight[i];
		this.weight += samples.weight[i];
		this.count += samples.count[i];
	}

	/**
	 * A sample stands for some time: for what it weighs if that is a time, or for the time between
	 * two samples. Drawn as points, regular samples would make waves that nothing did, and a wait
	 * would only be seen where it began.
	 */
	spread(samples, event, slotNs) {
		const steps = new Float64Array(this.begun.length + 1); // of what whole slots have
		this.sums = new Float64Array(this.begun.length);
		const {rows} = this, slots = samples.slot;
		const gap = (slots[rows[rows.length - 1]] - slots[rows[0]]) / this.count;
		for (const i of rows) {
			const each = samples.weight[i] / samples.count[i];
			const length = event.unit === "nanoseconds" ? each / slotNs : gap;
			this.put(samples.slot[i], Math.max(1, length) * (event.isAhead ? 1 : -1), samples.weight[i], steps);
		}
		let level = 0;
		for (let slot = 0; slot < this.sums.length; slot++) {
			level += steps[slot];
			// What is left of sums that cancel each other is not zero.
			this.sums[slot] += level > 1e-9 * this.weight ? level : 0;
		}
		this.rows = null;
	}

	/** The weight from the slot on, or up to and with it if the length is negative. */
	put(slot, length, weight, steps) {
		const slots = this.sums.length;
		const begin = Math.max(0, length > 0 ? slot : slot + 1 + length);
		const end = Math.min(slots, length > 0 ? slot + length : slot + 1);
		const first = Math.ceil(begin), last = Math.floor(end), density = weight / (end - begin);
		if (first > last) { // within one slot
			this.sums[last] += weight;
			return;
		}
		steps[first] += density;
		steps[last] -= density;
		if (begin < first)
			this.sums[first - 1] += (first - begin) * density;
		if (last < end)
			this.sums[last] += (end - last) * density;
	}
}

function joinLanes(lanes, label) {
	const slots = lanes.length ? lanes[0].sums.length : 0;
	const joined = {label, threads: lanes.flatMap(lane => lane.threads), begun: new Float64Array(slots),
		sums: new Float64Array(slots)};
	for (const lane of lanes) {
		for (let slot = 0; slot < slots; slot++) {
			joined.begun[slot] += lane.begun[slot];
			joined.sums[slot] += lane.sums[slot];
		}
	}
	return joined;
}

class Strip {
	/** onChange(isDragging): .from and .to are slots, .threads a Set, or null for all. */
	constructor(report, onChange) {
		this.report = report;
		this.onChange = onChange;
		this.slots = report.data.summary.numSlots;
		this.slotNs = report.data.summary.slotNs;
		this.from = 0;
		this.to = this.slots;
		this.threads = null;
		this.lanes = [];
		this.build();
	}

	get hasTimes() {
		return this.slots > 1;
	}

	build() {
		this.overview = make("canvas", {className: "overview"});
		this.heat = make("canvas", {className: "heat"});
		this.labels = make("div", {className: "lanes", attributes: {
			role: "group", "aria-label": "Threads: press to show only these"}});
		this.area = make("div", {className: "time", tabIndex: 0, attributes: {
			role: "slider", "aria-label": "Time range: arrow keys move it, with Shift they make it " +
				"longer or shorter", "aria-valuemin": 0, "aria-valuemax": this.slots,
		}}, this.overview);
		this.clear = make("button", {type: "button", className: "quiet", hidden: true}, "Whole time");
		this.range = make("span", {className: "range"});
		this.element = make("section", {className: "strip card", attributes: {"aria-label": "Time and threads"}},
			make("div", {className: "corner"}, make("span", {className: "caption"}, "Samples over time"),
				this.range, this.clear),
			this.area,
			make("div", {className: "scroll"}, this.labels, this.heat));
		this.area.hidden = !this.hasTimes;
		this.listen();
	}

	listen() {
		const brush = canvas => {
			canvas.addEventListener("pointerdown", event => this.beginBrush(event, canvas));
		};
		brush(this.overview);
		brush(this.heat);
		this.area.addEventListener("keydown", event => this.key(event));
		this.clear.addEventListener("click", () => this.setRange(0, this.slots));
		new ResizeObserver(() => this.draw()).observe(this.element);
	}

	slotAt(event, canvas) {
		const box = canvas.getBoundingClientRect();
		return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * this.slots;
	}

	beginBrush(event, canvas) {
		if (!this.hasTimes || event.button !== 0)
			return;
		const anchor = this.slotAt(event, canvas);
		canvas.setPointerCapture(event.pointerId);
		let frame = 0, at = anchor;
		const follow = () => {
			frame = 0;
			this.setRange(Math.floor(Math.min(anchor, at)), Math.ceil(Math.max(anchor, at)), true);
		};
		const move = moved => {
			at = this.slotAt(moved, canvas);
			frame = frame || requestAnimationFrame(follow);
		};
		const end = ended => {
			canvas.removeEventListener("pointermove", move);
			if (frame) {
				cancelAnimationFrame(frame);
				follow();
			}
			const isClick = Math.abs(ended.clientX - event.clientX) < 3;
			this.setRange(isClick ? 0 : this.from, isClick ? this.slots : this.to);
		};
		canvas.addEventListener("pointermove", move);
		canvas.addEventListener("pointerup", end, {once: true});
	}

	key(event) {
		const step = Math.max(1, Math.round(this.slots / 50));
		const length = this.to - this.from, isWhole = length === this.slots;
		const sign = {ArrowLeft: -1, ArrowRight: 1}[event.key];
		if (!sign)
			return;
		event.preventDefault();
		if (isWhole)
			this.setRange(0, Math.max(1, Math.round(this.slots / 10)));
		else if (event.shiftKey)
			this.setRange(this.from, Math.max(this.from + 1, Math.min(this.slots, this.to + sign * step)));
		else
			this.setRange(Math.max(0, Math.min(this.slots - length, this.from + sign * step)),
				Math.max(length, Math.min(this.slots, this.to + sign * step)));
	}

	/** @isDragging: it may soon be another one. */
	setRange(from, to, isDragging = false) {
		this.from = Math.max(0, Math.min(from, this.slots - 1));
		this.to = Math.min(this.slots, Math.max(to, this.from + 1));
		this.changed(isDragging);
	}

	/** As they were once; the caller filters by them. */
	restore([from, to], threads) {
		const known = threads.filter(thread => thread in this.report.data.summary.threads);
		this.from = Math.max(0, Math.min(from, this.slots - 1));
		this.to = Math.min(this.slots, Math.max(to, this.from + 1));
		this.threads = known.length ? new Set(known) : null;
		this.describe();
		this.draw();
	}

	/** A click shows one thread, another one all again; Ctrl or Shift adds and removes. */
	toggle(thread, isAdding) {
		const now = this.threads || new Set();
		if (isAdding)
			this.threads = new Set(now.has(thread) ? [...now].filter(each => each !== thread)
				: [...now, thread]);
		else
			this.threads = now.size === 1 && now.has(thread) ? null : new Set([thread]);
		if (this.threads && !this.threads.size)
			this.threads = null;
		this.changed();
	}

	changed(isDragging) {
		this.describe();
		this.draw();
		this.onChange(isDragging);
	}

	describe() {
		const isWhole = this.from === 0 && this.to === this.slots;
		const text = isWhole ? "" : `${shortTime(this.from * this.slotNs)} – ` +
			`${shortTime(this.to * this.slotNs)}, ${shortTime((this.to - this.from) * this.slotNs)}`;
		this.range.textContent = text;
		this.clear.hidden = isWhole;
		this.area.setAttribute("aria-valuenow", this.from);
		this.area.setAttribute("aria-valuetext", isWhole ? "the whole time" : text);
		for (const lane of this.lanes) {
			if (lane.button)
				lane.button.setAttribute("aria-pressed",
					!!this.threads && lane.threads.every(thread => this.threads.has(thread)));
		}
		this.element.classList.toggle("picking", !!this.threads);
		this.showShares();
	}

	/** Of what the range of time has. */
	showShares() {
		const weights = this.lanes.map(lane => lane.begun.slice(this.from, this.to).reduce((a, b) => a + b, 0));
		const total = weights.reduce((a, b) => a + b, 0);
		this.lanes.forEach(({button, label}, i) => {
			const share = percent(total ? weights[i] / total : 0);
			button.lastChild.textContent = share;
			button.title = `${label}: ${share}`;
		});
	}

	/** Lanes of the event, the busiest first; those that are too many are one together. */
	setEvent(event) {
		const {samples, summary} = this.report.data, byThread = new Map();
		for (let i = 0; i < samples.event.length; i++) {
			if (samples.event[i] !== event)
				continue;
			const thread = samples.thread[i];
			if (!byThread.has(thread))
				byThread.set(thread, new Lane(thread, this.slots));
			byThread.get(thread).add(samples, i);
		}
		const lanes = [...byThread.values()].sort((a, b) => b.weight - a.weight);
		this.isWait = summary.events[event].isWait;
		for (const lane of lanes) {
			lane.label = threadLabel(summary.threads[lane.threads[0]]);
			lane.spread(samples, summary.events[event], this.slotNs);
		}
		this.sums = joinLanes(lanes, "").sums;
		this.lanes = lanes.slice(0, MAX_LANES);
		if (lanes.length > MAX_LANES)
			this.lanes.push(joinLanes(lanes.slice(MAX_LANES), `${lanes.length - MAX_LANES} other threads`));
		this.threads = null;
		this.showLabels();
		this.describe();
		this.draw();
	}

	showLabels() {
		this.labels.replaceChildren(...this.lanes.map(lane => {
			lane.button = make("button", {type: "button"}, make("bdi", {}, lane.label),
				make("span", {className: "number"}));
			lane.button.addEventListener("click", event => {
				if (lane.threads.length === 1)
					this.toggle(lane.threads[0], event.ctrlKey || event.shiftKey || event.metaKey);
			});
			return lane.button;
		}));
		this.heat.hidden = !this.hasTimes;
	}

	draw() {
		if (!this.sums || !this.hasTimes)
			return;
		const width = this.area.clientWidth;
		if (width < 10)
			return;
		this.drawOverview(width);
		this.drawHeat(width);
	}

	/** Sums of slots as those of @count columns of the screen. */
	columns(sums, count) {
		const columns = new Float64Array(count);
		const scale = count / this.slots;
		if (scale > 1) { // a slot is several columns
			for (let column = 0; column < count; column++)
				columns[column] = sums[Math.min(this.slots - 1, Math.floor(column / scale))];
			return columns;
		}
		for (let slot = 0; slot < this.slots; slot++) {
			const column = Math.min(count - 1, Math.floor(slot * scale)), end = (slot + 1) * scale;
			const over = Math.max(0, Math.min(1, (end - column - 1) / scale)); // the part of the next column
			columns[column] += sums[slot] * (1 - over);
			if (over > 0 && column + 1 < count)
				columns[column + 1] += sums[slot] * over;
		}
		return columns;
	}

	drawOverview(width) {
		const context = prepareCanvas(this.overview, width, OVERVIEW_HEIGHT + AXIS_HEIGHT);
		const {palette} = this.report, step = 3, columns = this.columns(this.sums, Math.ceil(width / step));
		const high = columns.reduce((most, each) => Math.max(most, each), 0) || 1;
		context.fillStyle = palette.get("bar");
		columns.forEach((sum, i) => {
			const height = sum > 0 ? Math.max(1, sum / high * (OVERVIEW_HEIGHT - 4)) : 0;
			context.fillRect(i * step, OVERVIEW_HEIGHT - height, step - 1, height);
		});
		this.drawAxis(context, width);
		this.drawBrush(context, width, OVERVIEW_HEIGHT);
	}

	drawAxis(context, width) {
		const {palette} = this.report, total = this.slots * this.slotNs;
		const step = niceStep(total / Math.max(2, width / 110));
		context.fillStyle = palette.line;
		context.fillRect(0, OVERVIEW_HEIGHT, width, 1);
		context.font = palette.get("axis-font");
		context.textBaseline = "top";
		for (let time = 0; time <= total * 1.0001; time += step) {
			const x = time / total * width, text = time ? shortTime(time) : "0";
			const length = context.measureText(text).width;
			context.fillStyle = palette.line;
			context.fillRect(Math.min(x, width - 1), OVERVIEW_HEIGHT, 1, 4);
			context.fillStyle = palette.faint;
			context.fillText(text, Math.max(0, Math.min(x - length / 2, width - length)), OVERVIEW_HEIGHT + 6);
		}
	}

	drawHeat(width) {
		const context = prepareCanvas(this.heat, width, this.lanes.length * LANE_HEIGHT);
		const step = 3, count = Math.ceil(width / step), {palette} = this.report;
		const lanes = this.lanes.map(lane => this.columns(lane.sums, count));
		const high = lanes.reduce((most, lane) => lane.reduce((a, b) => Math.max(a, b), most), 0) || 1;
		lanes.forEach((columns, i) => {
			const isOff = this.threads && !this.lanes[i].threads.some(thread => this.threads.has(thread));
			context.fillStyle = palette.get("heat");
			columns.forEach((sum, column) => {
				if (!sum)
					return;
				// The root makes few samples visible beside many.
				context.globalAlpha = (0.14 + 0.86 * Math.sqrt(sum / high)) * (isOff ? 0.25 : 1);
				context.fillRect(column * step, i * LANE_HEIGHT + 3, step, LANE_HEIGHT - 6);
			});
			if (this.isWait)
				this.drawHatch(context, columns, i * LANE_HEIGHT + 3, step);
			context.globalAlpha = 1;
		});
		this.drawBrush(context, width, this.lanes.length * LANE_HEIGHT);
	}

	/** Waiting is no work: gaps of the card's colour tell it apart. */
	drawHatch(context, columns, top, step) {
		context.strokeStyle = this.report.palette.card;
		context.lineWidth = 1.5;
		context.globalAlpha = 1;
		context.beginPath();
		columns.forEach((sum, column) => {
			if (sum && column % 2 === 0) {
				context.moveTo(column * step, top + LANE_HEIGHT - 6);
				context.lineTo((column + 2) * step, top);
			}
		});
		context.stroke();
	}

	drawBrush(context, width, height) {
		if (this.from === 0 && this.to === this.slots)
			return;
		const {palette} = this.report, left = this.from / this.slots * width, right = this.to / this.slots * width;
		context.fillStyle = palette.get("veil");
		context.fillRect(0, 0, left, height);
		context.fillRect(right, 0, width - right, height);
		context.fillStyle = palette.accent;
		context.fillRect(left - 0.75, 0, 1.5, height);
		context.fillRect(right - 0.75, 0, 1.5, height);
	}
}
