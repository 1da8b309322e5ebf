// SPDX-License-Identifier: Apache-2.0
// A choice is what a page shows of the store: {service, event, labels: [{key, value}], since, until,
// fromMs, untilMs, isByHost}. since and until are the words of the address, which may be relative ("1h"); fromMs
// and untilMs are what they were when the page was made. A comparison has two choices: what is shown,
// and what it is compared with. The address has all of it, and so has a bookmark.

const HOST_KEY = "host.name", SERVICE_KEY = "service.name";
const OTHER = "other-"; // in front of the words of the second choice

function appendChoice(words, choice, prefix, isAbsolute) {
	const {service, event, labels} = choice;
	const since = isAbsolute ? addressTime(Math.floor(choice.fromMs / 1e3) * 1e3) : choice.since;
	const until = isAbsolute ? addressTime(Math.ceil(choice.untilMs / 1e3) * 1e3) : choice.until;
	for (const [key, value] of [["service", service], ["event", event], ["since", since], ["until", until]]) {
		if (value !== null && value !== undefined)
			words.append(prefix + key, value);
	}
	if (choice.isByHost)
		words.append(prefix + "rows", "host");
	for (const {key, value} of labels)
		words.append(prefix + "label", `${key}=${value}`);
	// Without a word, the second choice has the labels of the first.
	if (prefix && !labels.length)
		words.append(prefix + "label", "");
}

/** Of the page of one choice, or of two; isAbsolute: also later it shows the same. */
function choicesAddress(choices, isAbsolute = false) {
	const words = new URLSearchParams();
	choices.forEach((choice, i) => appendChoice(words, choice, i ? OTHER : "", isAbsolute));
	return `${choices.length > 1 ? "compare" : "./"}?${words}`;
}

function withRange(choice, fromMs, untilMs) {
	return {...choice, fromMs, untilMs, since: addressTime(fromMs), until: addressTime(untilMs)};
}

/** value: "" for any. */
function withLabel(choice, key, value) {
	const labels = choice.labels.filter(label => label.key !== key);
	return {...choice, labels: value ? [...labels, {key, value}] : labels};
}

/** Another service has other labels, and perhaps no such event. */
function withService(choice, service) {
	const event = service.events.some(({name}) => name === choice.event) ? choice.event : null;
	return {...choice, service: service.name, event, labels: []};
}

/** The last hour that a service has; relative if it still goes on. */
function newestHour(service, nowMs) {
	const end = Math.max(...service.events.map(({endMs}) => endMs)), choice = {service: service.name, event: null, labels: []};
	if (nowMs - end < 10 * MINUTE_MS)
		return {...choice, since: "1h", until: null};
	return withRange(choice, Math.floor((end - HOUR_MS) / MINUTE_MS) * MINUTE_MS, Math.ceil(end / MINUTE_MS) * MINUTE_MS);
}
