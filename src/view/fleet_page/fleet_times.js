// SPDX-License-Identifier: Apache-2.0
// Instants as texts. Machines of a fleet are everywhere, so dates are shown in UTC first, and beside it
// as the reader's clock has them. Times are milliseconds since 1970.

const MINUTE_MS = 60e3, HOUR_MS = 60 * MINUTE_MS, DAY_MS = 24 * HOUR_MS;

function twoDigits(number) {
	return String(number).padStart(2, "0");
}

/** "2026-03-01T12:30:05Z", as the server and the command line take it. */
function addressTime(ms) {
	return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Of the reader's clock; not a constant: of summer and winter. */
function zoneOffset(ms) {
	return -new Date(ms).getTimezoneOffset() * MINUTE_MS;
}

/** "UTC+1", "UTC-3:30". */
function zoneName(ms) {
	const minutes = Math.abs(zoneOffset(ms)) / MINUTE_MS, rest = minutes % 60;
	return minutes ? `UTC${zoneOffset(ms) < 0 ? "-" : "+"}${Math.floor(minutes / 60)}${rest ? ":" + twoDigits(rest) : ""}` : "UTC";
}

/** {date: "2026-03-01", time: "12:30"}, with seconds if there are some; offset: of a zone. */
function instantTexts(ms, offset = 0) {
	const text = new Date(ms + offset).toISOString();
	return {date: text.slice(0, 10), time: text.slice(11, 17) === "00:00:" ? "00:00" : text.slice(11, text.slice(17, 19) === "00" ? 16 : 19)};
}

function instantText(ms, offset = 0) {
	const {date, time} = instantTexts(ms, offset);
	return `${date} ${time}`;
}

/** "2026-03-01 12:30 – 13:30": the date once if it is the same. */
function rangeText(from, until, offset = 0) {
	const first = instantTexts(from, offset), last = instantTexts(until, offset);
	return `${first.date} ${first.time} – ${first.date === last.date ? "" : last.date + " "}${last.time}`;
}

/** In UTC, and as the reader's clock has it if that is another: without the date where that is the same. */
function rangeTexts(from, until) {
	const offset = zoneOffset(until), utc = rangeText(from, until) + " UTC", here = rangeText(from, until, offset);
	const {date} = instantTexts(from);
	return offset ? [utc, `(${here.startsWith(date) ? here.slice(date.length + 1) : here} ${zoneName(until)})`] : [utc];
}

/** "3 h", "45 min": of a range. */
function lengthText(ms) {
	const units = [[DAY_MS, "d"], [HOUR_MS, "h"], [MINUTE_MS, "min"]];
	const [scale, unit] = units.find(([each]) => ms >= each) || [1e3, "s"];
	return `${+(ms / scale).toFixed(ms / scale < 10 ? 1 : 0)} ${unit}`;
}

/** "5 min ago", for what is not long ago. */
function agoText(ms, now) {
	const age = now - ms;
	return age < MINUTE_MS ? "now" : age < 2 * DAY_MS ? `${lengthText(age)} ago` : instantText(ms) + " UTC";
}
