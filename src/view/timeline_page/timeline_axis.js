// SPDX-License-Identifier: Apache-2.0
// Axes: where ticks are, and what stands at them. All ticks of an axis have the same unit.

const PREFIXES = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
const MINUTE = 60, HOUR = 3600, DAY = 86400;
const LONG_STEPS = [1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
	HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY];
const TICK_GAP = 22; // pixels between the labels of two ticks
const TITLE_OF_COUNTS = "count";

function niceStep(span, count) {
	const rough = span / count;
	const power = 10 ** Math.floor(Math.log10(rough));
	return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough * 0.999);
}

function twoDigits(number) {
	return String(number).padStart(2, "0");
}

/** How times on an axis of this length are written. */
const TIME_FORMATS = [
	{below: 1, title: "time (ms)", text: seconds => String(+(seconds * 1e3).toPrecision(6))},
	{below: 2 * MINUTE, title: "time (s)", text: seconds => String(+seconds.toPrecision(6))},
	{below: 2 * HOUR, title: "time (min:s)", isLong: true,
		text: seconds => Math.floor(seconds / MINUTE) + ":" + twoDigits(seconds % MINUTE)},
	{below: 3 * DAY, title: "time (h:min)", isLong: true,
		text: seconds => Math.floor(seconds / HOUR) + ":" + twoDigits(Math.floor(seconds / MINUTE) % MINUTE)},
	{below: Infinity, title: "time (days)", text: seconds => String(+(seconds / DAY).toPrecision(6)), unit: DAY},
];

function timeStep(format, rough) {
	if (format.isLong)
		return LONG_STEPS.find(step => step >= rough) || niceStep(rough / DAY, 1) * DAY;
	const unit = format.unit || 1;
	return niceStep(rough / unit, 1) * unit;
}

/** @width: of the axis. @measure: of a text, in pixels. {title, ticks: [{at, text}]}: from 0 to the end. */
function timeTicks(width, measure) {
	if (!run.hasClock)
		return countTicks(width, measure);
	const format = TIME_FORMATS.find(each => run.end < each.below), {text, title} = format;
	// A label may be wider than those of a coarser step, so that the step is tried.
	for (let wanted = Math.max(1, Math.floor(width / 40)); ; wanted = Math.max(1, Math.floor(wanted / 1.3))) {
		const step = timeStep(format, run.end / wanted), ticks = [];
		for (let i = 0; i * step <= run.end * (1 + 1e-9); i++)
			ticks.push({at: i * step, text: text(i * step)});
		const widest = Math.max(...ticks.map(tick => measure(tick.text))) + TICK_GAP;
		if (wanted === 1 || widest <= step / run.end * width)
			return {title, ticks};
	}
}

/** Counts are numbered from 1; a number stands in the middle of its count. */
function countTicks(width, measure) {
	const count = run.counts.length, widest = measure(String(count)) + TICK_GAP;
	const step = Math.max(1, niceStep(count, Math.max(1, Math.floor(width / widest)))), ticks = [];
	for (let i = step; i <= count; i += step)
		ticks.push({at: i - 0.5, text: String(i)});
	return {title: TITLE_OF_COUNTS, ticks};
}

/** From @low to @high in steps that people count in: {bottom, top, ticks: [{at, text}]}. */
function valueTicks(low, high, count) {
	const step = niceStep(high - low, count);
	const first = Math.floor(low / step + 1e-9), last = Math.ceil(high / step - 1e-9);
	const size = Math.max(Math.abs(first * step), Math.abs(last * step));
	const [scale, letter] = PREFIXES.find(([limit]) => size >= limit) || [1, ""];
	const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(step / scale) + 1e-9)));
	const ticks = [];
	for (let i = first; i <= last; i++)
		ticks.push({at: i * step, text: i === 0 ? "0" : (i * step / scale).toFixed(decimals) + (letter && " " + letter)});
	return {bottom: first * step, top: last * step, ticks};
}

// ---- words ---------------------------------------------------------------------------------

/** "2.25 G": four digits. */
function shortNumber(value) {
	const [scale, letter] = PREFIXES.find(([limit]) => Math.abs(value) >= limit) || [1, ""];
	return +(value / scale).toPrecision(4) + (letter && " " + letter);
}

function exactNumber(value, decimals) {
	const digits = decimals === undefined ? {maximumFractionDigits: 6}
		: {minimumFractionDigits: decimals, maximumFractionDigits: decimals};
	return value.toLocaleString("en-US", digits);
}

/** "200 ms", "20.3 s", "5 min 3 s", "3 h 2 min". */
function duration(seconds) {
	if (seconds < 1)
		return +(seconds * 1e3).toPrecision(3) + " ms";
	if (seconds < 2 * MINUTE)
		return +seconds.toPrecision(3) + " s";
	const [size, unit, small, smallUnit] = seconds < 2 * HOUR ? [MINUTE, "min", 1, "s"]
		: seconds < 3 * DAY ? [HOUR, "h", MINUTE, "min"] : [DAY, "d", HOUR, "h"];
	const rounded = Math.round(seconds / small) * small, rest = Math.round(rounded % size / small);
	return `${Math.floor(rounded / size)} ${unit}` + (rest ? ` ${rest} ${smallUnit}` : "");
}

/** When a count was: "2 s to 3 s". Milliseconds where counts are short. */
function spanWords(index) {
	const [start, end] = run.spans[index], digits = end - start < 0.1 ? 4 : end - start < 10 ? 3 : 1;
	const text = seconds => seconds < 2 * MINUTE ? +seconds.toFixed(digits) + " s"
		: clockText(seconds, end - start < 2 ? 1 : 0);
	return `${text(start)} to ${text(end)}`;
}

/** "1:02:03" since the start. */
function clockText(seconds, decimals) {
	const whole = +seconds.toFixed(decimals), rest = (whole % MINUTE).toFixed(decimals);
	const minutes = Math.floor(whole / MINUTE);
	return `${Math.floor(minutes / MINUTE)}:${twoDigits(minutes % MINUTE)}:${rest.padStart(decimals ? 3 + decimals : 2, "0")}`;
}
