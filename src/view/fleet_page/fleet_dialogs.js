// SPDX-License-Identifier: Apache-2.0
// Dialogs of the bar: a range of time by its dates, and what to compare with.

function makeFleetDialog(title, onAccept, acceptLabel, ...content) {
	const cancel = make("button", {type: "button"}, "Cancel"), accept = make("button", {className: "accept"}, acceptLabel);
	const form = make("form", {method: "dialog"}, ...content, make("div", {className: "buttons"}, cancel, accept));
	const dialog = make("dialog", {className: "keys card fleet-dialog", attributes: {"aria-label": title}}, make("h2", {}, title), form);
	cancel.addEventListener("click", () => dialog.close());
	form.addEventListener("submit", event => {
		event.preventDefault();
		onAccept();
	});
	dialog.addEventListener("close", () => dialog.remove());
	document.body.append(dialog);
	dialog.showModal();
	return dialog;
}

/** From and until as dates of UTC or of the reader's clock, whichever is chosen. */
class RangeFields {
	constructor(fromMs, untilMs) {
		this.offset = 0;
		const field = label => {
			const input = make("input", {type: "datetime-local", required: true, step: 1});
			return [input, make("label", {className: "picker"}, make("span", {}, label), input)];
		};
		[this.from, this.fromLabel] = field("From");
		[this.until, this.untilLabel] = field("Until");
		this.note = make("p", {className: "note", attributes: {role: "status"}});
		const zones = zoneOffset(untilMs) ? [["UTC", 0], [`here, ${zoneName(untilMs)}`, zoneOffset(untilMs)]] : [];
		this.zones = make("fieldset", {hidden: !zones.length}, make("legend", {className: "unseen"}, "Times are of"), ...zones.map(([label, offset]) => {
			const input = make("input", {type: "radio", name: "zone", checked: !offset});
			input.addEventListener("change", () => this.setOffset(offset));
			return make("label", {className: "check"}, input, label);
		}));
		this.element = make("div", {className: "range-fields"}, this.fromLabel, this.untilLabel, this.zones, this.note);
		for (const input of [this.from, this.until])
			input.addEventListener("input", () => this.check());
		this.show(fromMs, untilMs);
	}

	show(fromMs, untilMs) {
		const text = ms => new Date(ms + this.offset).toISOString().slice(0, 19);
		this.from.value = text(fromMs);
		this.until.value = text(untilMs);
		this.check();
	}

	setOffset(offset) {
		const range = this.read();
		this.offset = offset;
		if (range)
			this.show(...range);
	}

	/** [from, until], or null. */
	read() {
		const [from, until] = [this.from, this.until].map(input => Date.parse(input.value + (input.value.length === 16 ? ":00Z" : "Z")) - this.offset);
		return from < until ? [from, until] : null;
	}

	check() {
		const range = this.read();
		this.until.setCustomValidity(range ? "" : "This is not after the begin.");
		this.note.textContent = range ? `${rangeTexts(...range).join(" ")}: ${lengthText(range[1] - range[0])}` : "The end must be after the begin.";
	}
}

function openRangeDialog(choice, go) {
	const fields = new RangeFields(choice.fromMs, choice.untilMs);
	makeFleetDialog("Range of time", () => {
		const range = fields.read();
		if (range)
			go(withRange(choice, ...range));
	}, "Show", fields.element);
}

/** Ranges to compare with: [label, milliseconds earlier]. */
function earlierRanges({fromMs, untilMs}) {
	const length = untilMs - fromMs;
	const ranges = [["The same length just before", length], ["The day before", DAY_MS], ["The week before", 7 * DAY_MS]];
	return ranges.filter(([, ms], i) => ms >= length && (!i || ms !== length));
}

class CompareForm {
	constructor(bar, compare) {
		this.bar = bar;
		this.compare = compare;
		this.other = bar.choice;
		this.body = make("div", {className: "compare-form"});
		this.fill();
		makeFleetDialog("Compare with", () => this.accept(), "Compare", make("p", {className: "note"},
			"Choose what this differs in: the time, the service, the host or another label."), this.body);
	}

	fill() {
		const {other, bar} = this, {choice} = bar, set = next => {
			this.other = next;
			this.fill();
		};
		const earlier = earlierRanges(choice), at = earlier.findIndex(([, ms]) => choice.fromMs - other.fromMs === ms);
		const chosen = this.fields ? "own" : at < 0 ? "same" : String(at);
		const ranges = [{value: "same", text: "The same"}, ...earlier.map(([text], i) => ({value: String(i), text})), {value: "own", text: "Another range"}];
		const time = makePicker("Time", ranges, chosen, value => {
			const ms = earlier[+value]?.[1] || 0;
			this.fields = value === "own" ? new RangeFields(other.fromMs, other.untilMs) : null;
			set(value === "same" || value === "own" ? {...other, since: choice.since, until: choice.until, fromMs: choice.fromMs, untilMs: choice.untilMs}
				: withRange(other, choice.fromMs - ms, choice.untilMs - ms));
		});
		const isSame = other.service === choice.service;
		this.body.replaceChildren(time, ...this.fields ? [this.fields.element] : [], bar.servicePicker(other, set),
			...isSame ? bar.labelPickers(other, set) : []);
	}

	accept() {
		const range = this.fields?.read();
		this.compare(range ? withRange(this.other, ...range) : this.other);
	}
}
