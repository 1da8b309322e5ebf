// SPDX-License-Identifier: Apache-2.0
// The tracks over the graph: samples over time, of all threads and of each. A lane shows when its
// thread was on a CPU (solid), off it (hatched) or waiting for the GIL (a colour of its own). A range
// of time that is marked in them, and the threads that are pressed, are the filter of everything else.

const LANE_HEIGHT = 24;
const OVERVIEW_HEIGHT = 46;
const AXIS_HEIGHT = 18;
const MAX_LANES = 100;
const COLUMN_WIDTH = 3;
const TIP_FRAMES = 6;
const STATES = ["unknown", "held", "free", "waited"]; // of the GIL, as enum gil_state has them
const GIL_WAITED = STATES.indexOf("waited");

function niceStep(rough) {
	const power = 10 ** Math.floor(Math.log10(rough));
	return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough * 0.999);
}

const NICE_LONG_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map(minutes => minutes * 60e9);

/** Of nanoseconds: also whole minutes and hours. */
function niceTimeStep(rough) {
	return rough < 50e9 ? niceStep(rough) : NICE_LONG_STEPS.find(step => step >= rough) || Math.ceil(rough / 86400e9) * 86400e9;
}

/** All of an axis in one unit. */
function axisTime(time, step) {
	const [scale, unit] = [[3600e9, "h"], [60e9, "min"]].find(([each]) => step >= each) || [];
	return unit ? `${+(time / scale).toPrecision(4)} ${unit}` : shortTime(time);
}

/** The weight from the slot on, or up to and with it if the length is negative. */
function spreadSample(slot, length, weight, steps, sums) {
	const slots = sums.length;
	const begin = Math.max(0, length > 0 ? slot : slot + 1 + length);
	const end = Math.min(slots, length > 0 ? slot + length : slot + 1);
	const first = Math.ceil(begin), last = Math.floor(end), density = weight / (end - begin);
	if (first > last) { // within one slot
		sums[last] += weight;
		return;
	}
	steps[first] += density;
	steps[last] -= density;
	if (begin < first)
		sums[first - 1] += (first - begin) * density;
	if (last < end)
		sums[last] += (end - last) * density;
}

/**
 * What samples of one thread weigh over time, by slot. A sample stands for some time: for what it
 * weighs if that is a time, or for the time between two samples. Drawn as points, regular samples
 * would make waves that nothing did, and a wait would only be seen where it began.
 */
function spreadRows(samples, rows, event, slotNs, slots) {
	const sums = new Float64Array(slots), steps = new Float64Array(slots + 1); // steps: of what whole slots have
	if (!rows.length)
		return sums;
	let whole = 0;
	const lengthOf = sampleLength(samples, rows, event, slotNs);
	for (const row of rows) {
		const length = Math.max(1, lengthOf(row) / samples.count[row]) * (event.isAhead ? 1 : -1);
		spreadSample(samples.slot[row], length, samples.weight[row], steps, sums);
		whole += samples.weight[row];
	}
	let level = 0;
	for (let slot = 0; slot < slots; slot++) {
		level += steps[slot];
		// What is left of sums that cancel each other is not zero.
		sums[slot] += level > 1e-9 * whole ? level : 0;
	}
	return sums;
}

/** Rows of the samples of one event, by thread; they stand together. */
function rowsByThread(samples, event) {
	const begin = lowerBound(samples.event, event), end = lowerBound(samples.event, event + 1, begin), threads = new Map();
	for (let i = begin; i < end; i++) {
		if (!threads.has(samples.thread[i]))
			threads.set(samples.thread[i], []);
		threads.get(samples.thread[i]).push(i);
	}
	return threads;
}

function addTo(sums, more) {
	for (let i = 0; i < sums.length; i++)
		sums[i] += more[i];
}

/** What a thread did over time: on, off and gil (a part of off) by slot; begun: the event that is shown. */
class Lane {
	constructor(threads, label, slots) {
		this.threads = threads;
		this.label = label;
		this.begun = new Float64Array(slots);
		this.on = new Float64Array(slots);
		this.off = new Float64Array(slots);
		this.gil = new Float64Array(slots);
		this.weight = 0;
	}

	add(other) {
		this.threads.push(...other.threads);
		for (const what of ["begun", "on", "off", "gil"])
			addTo(this[what], other[what]);
		this.weight += other.weight;
	}
}

class Tracks {
	/** on: {change(isDragging), tip(words, event)}: .from and .to are slots, .threads a Set, or null for all. */
	constructor(report, on) {
		this.report = report;
		this.on = on;
		this.slots = report.mixed.summary.numSlots;
		this.slotNs = report.mixed.summary.slotNs;
		this.from = 0;
		this.to = this.slots;
		this.threads = null;
		this.lanes = [];
		this.isOpen = true;
		this.build();
	}

	get hasTimes() {
		return this.slots > 1;
	}

	/** Memory in use over time: points of slot, most and last bytes; null where samples have times of their own. */
	get memory() {
		const {memory, events} = this.report.mixed.summary;
		return memory && events[this.event].isInUse ? memory : null;
	}

	get peak() {
		return this.memory.reduce((best, point) => point[1] > best[1] ? point : best);
	}

	get peakText() {
		return `peak ${shortBytes(this.peak[1])} at ${shortTime(this.peak[0] * this.slotNs)}`;
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
		this.toggler = make("button", {type: "button", className: "quiet caption", attributes: {"aria-expanded": "true"}},
			"Threads over time");
		this.key = make("ul", {className: "legend", hidden: true, attributes: {"aria-label": "Threads are"}},
			...[["on", "on CPU"], ["off", "off CPU"], ["gil", "waits for the GIL"]].map(([id, label]) =>
				make("li", {}, make("i", {className: "swatch track-" + id}), label)));
		this.lanesBox = make("div", {className: "scroll"}, this.labels, this.heat);
		this.element = make("section", {className: "strip card", attributes: {"aria-label": "Time and threads"}},
			make("div", {className: "corner"}, this.toggler, this.range, this.clear),
			this.area, this.lanesBox, this.key);
		this.area.hidden = !this.hasTimes;
		this.listen();
	}

	listen() {
		for (const canvas of [this.overview, this.heat])
			canvas.addEventListener("pointerdown", event => this.beginBrush(event, canvas));
		this.heat.addEventListener("pointermove", event => this.point(event));
		this.heat.addEventListener("pointerleave", () => this.on.tip(null));
		this.area.addEventListener("keydown", event => this.moveByKey(event));
		this.clear.addEventListener("click", () => this.setRange(0, this.slots));
		this.toggler.addEventListener("click", () => this.open(!this.isOpen));
		new ResizeObserver(() => this.redraw()).observe(this.element);
	}

	/** With its lanes, or only the sum of all threads. */
	open(isOpen) {
		this.isOpen = isOpen;
		this.toggler.setAttribute("aria-expanded", isOpen);
		this.lanesBox.hidden = !isOpen;
		this.redraw();
		this.on.fold();
	}

	slotAt(event, canvas) {
		const box = canvas.getBoundingClientRect();
		return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * this.slots;
	}

	beginBrush(event, canvas) {
		if (!this.hasTimes || this.memory || event.button !== 0)
			return;
		const anchor = this.slotAt(event, canvas), before = [this.from, this.to], listening = new AbortController();
		canvas.setPointerCapture(event.pointerId);
		let frame = 0, at = anchor;
		const follow = () => {
			frame = 0;
			this.setRange(Math.floor(Math.min(anchor, at)), Math.ceil(Math.max(anchor, at)), true);
		};
		const stop = () => {
			listening.abort();
			if (frame)
				cancelAnimationFrame(frame);
		};
		const on = (type, act) => canvas.addEventListener(type, act, {signal: listening.signal});
		on("pointermove", moved => {
			at = this.slotAt(moved, canvas);
			frame = frame || requestAnimationFrame(follow);
		});
		on("pointerup", ended => {
			stop();
			if (frame)
				follow();
			const isClick = Math.abs(ended.clientX - event.clientX) < 3;
			this.setRange(isClick ? 0 : this.from, isClick ? this.slots : this.to);
		});
		// A finger that turned out to scroll the page.
		on("pointercancel", () => {
			stop();
			this.setRange(...before);
		});
	}

	moveByKey(event) {
		const step = Math.max(1, Math.round(this.slots / 50));
		const length = this.to - this.from, isWhole = length === this.slots;
		const sign = {ArrowLeft: -1, ArrowRight: 1}[event.key];
		if (!sign || this.memory)
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
		const known = threads.filter(thread => thread in this.report.mixed.summary.threads);
		this.from = Math.max(0, Math.min(from, this.slots - 1));
		this.to = Math.min(this.slots, Math.max(to, this.from + 1));
		this.threads = known.length ? new Set(known) : null;
		this.describe();
		this.redraw();
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
		this.image = null;
		this.changed();
	}

	changed(isDragging) {
		this.describe();
		this.draw();
		this.on.change(isDragging);
	}

	describe() {
		const isWhole = this.from === 0 && this.to === this.slots;
		const text = isWhole ? "" : `${shortTime(this.from * this.slotNs)} – ` +
			`${shortTime(this.to * this.slotNs)}, ${shortTime((this.to - this.from) * this.slotNs)}`;
		this.range.textContent = text;
		this.clear.hidden = isWhole;
		this.area.setAttribute("aria-valuenow", this.from);
		this.area.setAttribute("aria-valuetext", this.memory ? this.peakText : isWhole ? "the whole time" : text);
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

	/** Events of the same recording: what threads did on their CPUs, and when they were off. */
	findEvents(event) {
		const {events} = this.report.mixed.summary, {recording} = events[event];
		const used = events.map((each, i) => each.recording === recording && this.report.isUsed(i));
		const work = events[event].isWait ? events.findIndex((each, i) => used[i] && !each.isWait) : event;
		return {work: work < 0 ? event : work, wait: events.findIndex((each, i) => used[i] && each.isWait)};
	}

	/** Lanes of the event, the busiest first; those that are too many are one together. */
	setEvent(event) {
		const {samples, summary} = this.report.mixed, {work, wait} = this.findEvents(event), lanes = new Map();
		const laneOf = thread => {
			if (!lanes.has(thread))
				lanes.set(thread, new Lane([thread], threadLabel(summary.threads[thread]), this.slots));
			return lanes.get(thread);
		};
		const spread = (rows, which) => spreadRows(samples, rows, summary.events[which], this.slotNs, this.slots);
		for (const [thread, rows] of rowsByThread(samples, event)) {
			const lane = laneOf(thread);
			for (const row of rows) {
				lane.begun[samples.slot[row]] += samples.weight[row];
				lane.weight += samples.weight[row];
			}
		}
		this.hasWork = work !== wait;
		for (const [thread, rows] of this.hasWork ? rowsByThread(samples, work) : [])
			laneOf(thread).on = spread(rows, work);
		this.hasWaits = wait >= 0;
		for (const [thread, rows] of this.hasWaits ? rowsByThread(samples, wait) : []) {
			laneOf(thread).off = spread(rows, wait);
			laneOf(thread).gil = spread(rows.filter(row => samples.state[row] === GIL_WAITED), wait);
		}
		this.event = event;
		if (this.memory)
			[this.from, this.to] = [0, this.slots];
		this.toggler.textContent = this.memory ? "Memory in use over time" : "Threads over time";
		this.samplesOf = [...new Set([work, wait])].filter(each => each >= 0).map(which =>
			({which, byThread: rowsByThread(samples, which)}));
		this.joinLanes([...lanes.values()].sort((a, b) => b.weight - a.weight || a.threads[0] - b.threads[0]));
		this.threads = null;
		this.showLabels();
		this.describe();
		this.redraw();
	}

	joinLanes(lanes) {
		this.lanes = lanes.slice(0, MAX_LANES);
		if (lanes.length > MAX_LANES) {
			const rest = new Lane([], `${lanes.length - MAX_LANES} other threads`, this.slots);
			lanes.slice(MAX_LANES).forEach(lane => rest.add(lane));
			this.lanes.push(rest);
		}
		const isWait = this.report.mixed.summary.events[this.event].isWait;
		this.sums = new Float64Array(this.slots);
		this.hasGil = false;
		for (const lane of lanes) {
			addTo(this.sums, isWait ? lane.off : lane.on);
			this.hasGil = this.hasGil || lane.gil.some(Boolean);
		}
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
		this.heat.hidden = !this.hasTimes || !!this.memory;
		this.key.hidden = !this.hasTimes || !this.hasWaits;
		this.key.lastChild.hidden = !this.hasGil;
	}

	/** What the thread did at that time: the sample that is nearest, its state and the end of its stack. */
	point(event) {
		const box = this.heat.getBoundingClientRect(), lane = this.lanes[Math.floor((event.clientY - box.top) / LANE_HEIGHT)];
		const slot = Math.floor(this.slotAt(event, this.heat));
		const found = lane && lane.threads.length === 1 && this.sampleAt(lane.threads[0], slot);
		this.on.tip(found ? this.tipOf(lane, found) : null, event);
	}

	sampleAt(thread, slot) {
		const {samples, summary} = this.report.mixed, reach = Math.max(1, this.slots * COLUMN_WIDTH / (this.heat.clientWidth || 1));
		let best = null;
		for (const {which, byThread} of this.samplesOf) {
			const event = summary.events[which];
			for (const row of byThread.get(thread) || []) {
				const length = event.unit === "nanoseconds" ? samples.weight[row] / this.slotNs : 0;
				const begin = event.isAhead ? samples.slot[row] : samples.slot[row] - length;
				const end = event.isAhead ? samples.slot[row] + length : samples.slot[row];
				const far = Math.max(begin - slot, slot - end, 0);
				if (far <= reach && (!best || far < best.far))
					best = {row, which, far};
			}
		}
		return best;
	}

	tipOf(lane, {row, which}) {
		const {samples, tree, functions} = this.report.data, event = this.report.mixed.summary.events[which], names = [];
		const state = samples.state[row] === GIL_WAITED ? "waits for the GIL" : event.isWait ? "off CPU" : "on CPU";
		for (let node = samples.stack[row] < 0 ? 0 : tree.nodeOf[samples.stack[row]]; node > 0 && names.length < TIP_FRAMES;
			node = tree.parent[node])
			names.push(shortName(labelOfFunction(functions[tree.code[node] >> 1])));
		return {title: lane.label, rows: [["at", shortTime(samples.slot[row] * this.slotNs)], [state,
			weightText(event, samples.weight[row])], ["stack", names.join("\n") || "left out by the rules above"]]};
	}

	/** What the lanes are drawn from has changed. */
	redraw() {
		this.image = null;
		this.draw();
	}

	/** The range of time is drawn over a picture that is kept: a drag draws nothing else anew. */
	draw() {
		const width = this.area.clientWidth;
		if (!this.sums || !this.hasTimes || width < 10)
			return;
		if (!this.image) {
			this.image = {overview: make("canvas"), heat: make("canvas")};
			if (this.memory)
				this.drawMemory(this.image.overview, width);
			else
				this.drawOverview(this.image.overview, width);
			if (this.isOpen)
				this.drawHeat(this.image.heat, width);
		}
		this.copy(this.overview, this.image.overview, width, OVERVIEW_HEIGHT + AXIS_HEIGHT, OVERVIEW_HEIGHT);
		if (this.isOpen && this.lanes.length)
			this.copy(this.heat, this.image.heat, width, this.lanes.length * LANE_HEIGHT, this.lanes.length * LANE_HEIGHT);
	}

	copy(canvas, image, width, height, brushHeight) {
		const context = prepareCanvas(canvas, width, height);
		context.drawImage(image, 0, 0, width, height);
		this.drawBrush(context, width, brushHeight);
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

	drawOverview(canvas, width) {
		const context = prepareCanvas(canvas, width, OVERVIEW_HEIGHT + AXIS_HEIGHT);
		const {palette} = this.report, step = COLUMN_WIDTH, columns = this.columns(this.sums, Math.ceil(width / step));
		const high = columns.reduce((most, each) => Math.max(most, each), 0) || 1;
		context.fillStyle = palette.get("bar");
		columns.forEach((sum, i) => {
			const height = sum > 0 ? Math.max(1, sum / high * (OVERVIEW_HEIGHT - 4)) : 0;
			context.fillRect(i * step, OVERVIEW_HEIGHT - height, step - 1, height);
		});
		this.drawAxis(context, width);
	}

	/** What was in use, as an area, with a mark at the peak. */
	drawMemory(canvas, width) {
		const context = prepareCanvas(canvas, width, OVERVIEW_HEIGHT + AXIS_HEIGHT), {palette} = this.report;
		const peak = this.peak, high = peak[1] || 1;
		const heights = new Float64Array(width), column = slot => Math.min(width - 1, Math.floor(slot / this.slots * width));
		let level = 0, at = 0;
		for (const [slot, most, last] of this.memory) {
			heights.fill(level, at, column(slot));
			at = column(slot);
			heights[at] = Math.max(heights[at], most, level);
			level = last;
			at++;
		}
		heights.fill(level, at);
		context.fillStyle = palette.get("bar");
		heights.forEach((bytes, x) => {
			const height = bytes / high * (OVERVIEW_HEIGHT - 14);
			context.fillRect(x, OVERVIEW_HEIGHT - height, 1, height);
		});
		const x = column(peak[0]), text = this.peakText;
		context.font = palette.get("axis-font");
		context.textBaseline = "top";
		context.fillStyle = palette.accent;
		context.fillRect(x, 2, 1.5, OVERVIEW_HEIGHT - 2);
		const length = context.measureText(text).width, isRight = x + length + 6 > width;
		context.fillText(text, isRight ? x - length - 5 : x + 5, 1);
		this.drawAxis(context, width);
	}

	drawAxis(context, width) {
		const {palette} = this.report, total = this.slots * this.slotNs;
		const step = niceTimeStep(total / Math.max(2, width / 110));
		context.fillStyle = palette.line;
		context.fillRect(0, OVERVIEW_HEIGHT, width, 1);
		context.font = palette.get("axis-font");
		context.textBaseline = "top";
		for (let time = 0; time <= total * 1.0001; time += step) {
			const x = time / total * width, text = time ? axisTime(time, step) : "0";
			const length = context.measureText(text).width;
			context.fillStyle = palette.line;
			context.fillRect(Math.min(x, width - 1), OVERVIEW_HEIGHT, 1, 4);
			context.fillStyle = palette.faint;
			context.fillText(text, Math.max(0, Math.min(x - length / 2, width - length)), OVERVIEW_HEIGHT + 6);
		}
	}

	drawHeat(canvas, width) {
		const context = prepareCanvas(canvas, width, this.lanes.length * LANE_HEIGHT);
		const count = Math.ceil(width / COLUMN_WIDTH), {palette} = this.report;
		const lanes = this.lanes.map(lane => ({on: this.columns(lane.on, count), off: this.columns(lane.off, count),
			gil: this.columns(lane.gil, count)}));
		const high = lanes.reduce((most, lane) => lane.on.reduce((a, b) => Math.max(a, b), most), 0) || 1;
		const colors = {work: palette.get("heat"), off: palette.get("track-off"), gil: palette.get("track-gil")};
		lanes.forEach((lane, i) => {
			const isOff = this.threads && !this.lanes[i].threads.some(thread => this.threads.has(thread));
			const strength = isOff ? 0.25 : 1, top = i * LANE_HEIGHT + 3;
			this.drawWaits(context, lane, top, colors, strength);
			context.fillStyle = colors.work;
			lane.on.forEach((sum, column) => {
				if (!sum)
					return;
				// The root makes few samples visible beside many.
				context.globalAlpha = (0.14 + 0.86 * Math.sqrt(sum / high)) * strength;
				context.fillRect(column * COLUMN_WIDTH, top, COLUMN_WIDTH, LANE_HEIGHT - 6);
			});
			context.globalAlpha = 1;
		});
	}

	/** Waiting is no work: a thin hatched band, in a colour of its own where the thread waits for the GIL. */
	drawWaits(context, {on, off, gil}, top, colors, strength) {
		const height = LANE_HEIGHT - 6;
		context.globalAlpha = strength;
		context.lineWidth = 1.2;
		for (const what of ["off", "gil"]) {
			context.fillStyle = context.strokeStyle = colors[what];
			context.beginPath();
			off.forEach((sum, column) => {
				const isGil = gil[column] > sum / 2, left = column * COLUMN_WIDTH;
				if (!sum || isGil !== (what === "gil") || on[column] > sum)
					return;
				context.globalAlpha = 0.22 * strength;
				context.fillRect(left, top, COLUMN_WIDTH, height);
				if (column % 2 === 0) {
					context.moveTo(left, top + height);
					context.lineTo(left + 2 * COLUMN_WIDTH, top);
				}
			});
			context.globalAlpha = strength;
			context.stroke();
		}
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
