// SPDX-License-Identifier: Apache-2.0
// The bar above a report: pickers for what is shown, and the heat map. What is chosen there is another
// address, and the server makes its page. A comparison has two bars.

const PRESETS = [["15m", "Last 15 min"], ["1h", "Last hour"], ["6h", "Last 6 h"], ["24h", "Last 24 h"], ["7d", "Last 7 d"]];
const MAX_LABEL_PICKERS = 3; // beside the host's; others are behind a button
const ZOOM_OUT = 4;

function goTo(address) {
	location.assign(address);
}

function makeButton(label, act, {title = "", className = ""} = {}) {
	const button = make("button", {type: "button", title, className, attributes: title && label.length < 2 ? {"aria-label": title} : {}}, label);
	button.addEventListener("click", act);
	return button;
}

function named(text) {
	return text ? safeName(text) : "(no name)";
}

class Bar {
	/** which: of fleet.bars. */
	constructor(fleet, which) {
		this.fleet = fleet;
		this.which = which;
		this.choice = fleet.bars[which].choice;
		this.labels = fleet.bars[which].labels;
		this.service = fleet.services.find(({name}) => name === this.choice.service);
		this.element = make("section", {className: "choice", attributes: {"aria-label": this.name || "What is shown"}},
			this.makePickers(), ...this.makeMap());
	}

	get choices() {
		return this.fleet.bars.map(({choice}) => choice);
	}

	get isPair() {
		return this.fleet.bars.length > 1;
	}

	get name() {
		return !this.isPair ? "" : this.which ? "Compared with" : "Shown";
	}

	go(choice) {
		goTo(choicesAddress(this.choices.map((each, i) => i === this.which ? choice : each)));
	}

	servicePicker(choice, set) {
		const options = this.fleet.services.map(({name}) => ({value: name, text: named(name)}));
		const known = options.some(({value}) => value === choice.service) || choice.service === null;
		return makePicker("Service", known ? options : [{value: choice.service, text: named(choice.service)}, ...options], choice.service,
			value => set(withService(choice, this.fleet.services.find(({name}) => name === value))));
	}

	eventPicker(choice, set) {
		const names = (this.service?.events || []).map(({name}) => name);
		const options = [{value: "", text: "all"}, ...[...new Set([...names, ...choice.event ? [choice.event] : []])].map(name => ({value: name, text: named(name)}))];
		return makePicker("Event", options, choice.event || "", value => set({...choice, event: value || null}));
	}

	/** For the host first, then for each key that has something to choose. */
	labelPickers(choice, set) {
		const values = new Map([[HOST_KEY, []]]);
		for (const {key, value} of [...this.labels, ...choice.labels]) {
			if (key !== SERVICE_KEY && !values.has(key))
				values.set(key, []);
			if (key !== SERVICE_KEY && !values.get(key).includes(value))
				values.get(key).push(value);
		}
		return [...values].flatMap(([key, all]) => {
			const chosen = choice.labels.find(label => label.key === key)?.value || "";
			if (all.length < 2 && !chosen)
				return [];
			const options = [{value: "", text: `any of ${all.length.toLocaleString("en")}`}, ...all.map(value => ({value, text: named(value)}))];
			return [makePicker(key === HOST_KEY ? "Host" : named(key), options, chosen, value => set(withLabel(choice, key, value)))];
		});
	}

	timePicker() {
		const {choice} = this, isPreset = !choice.until && PRESETS.some(([value]) => value === choice.since);
		const fixed = isPreset ? [] : [{value: "fixed", text: lengthText(choice.untilMs - choice.fromMs)}];
		const options = [...fixed, ...PRESETS.map(([value, text]) => ({value, text})), {value: "own", text: "Other…"}];
		const picker = makePicker("Time", options, isPreset ? choice.since : "fixed", value => {
			if (value === "own") {
				picker.querySelector("select").value = isPreset ? choice.since : "fixed";
				openRangeDialog(choice, next => this.go(next));
			} else if (value !== "fixed") {
				this.go({...choice, since: value, until: null});
			}
		});
		return picker;
	}

	move(lengths) {
		const {fromMs, untilMs} = this.choice, by = lengths * (untilMs - fromMs);
		this.go(withRange(this.choice, fromMs + by, untilMs + by));
	}

	zoomOut() {
		const {fromMs, untilMs} = this.choice, more = (ZOOM_OUT - 1) / 2 * (untilMs - fromMs);
		this.go(withRange(this.choice, fromMs - more, untilMs + more));
	}

	makePickers() {
		const set = choice => this.go(choice), labels = this.labelPickers(this.choice, set);
		const rest = labels.slice(1 + MAX_LABEL_PICKERS), more = make("span", {className: "more-labels", hidden: true}, ...rest);
		const opener = makeButton(`${plural(rest.length, "more label")}`, () => {
			more.hidden = !more.hidden;
			opener.setAttribute("aria-expanded", !more.hidden);
		}, {className: "quiet"});
		opener.setAttribute("aria-expanded", "false");
		return make("div", {className: "pickers"}, this.which ? "" : make("a", {href: "./", className: "home"}, "All services"),
			this.name ? make("h2", {className: "part"}, this.name) : "", this.servicePicker(this.choice, set), this.eventPicker(this.choice, set),
			...labels.slice(0, 1 + MAX_LABEL_PICKERS), ...rest.length ? [opener, more] : [], this.timePicker(),
			make("span", {className: "moves"}, makeButton("‹", () => this.move(-1), {title: "Earlier"}),
				makeButton("›", () => this.move(1), {title: "Later"}), makeButton("Zoom out", () => this.zoomOut(), {title: `A range ${ZOOM_OUT} times as long`})),
			...this.makeCompare());
	}

	makeCompare() {
		if (!this.isPair)
			return [makeButton("Compare…", () => new CompareForm(this, other => goTo(choicesAddress([this.choice, other]))))];
		return !this.which ? [] : [makeButton("Swap", () => goTo(choicesAddress([...this.choices].reverse()))),
			makeButton("End comparison", () => goTo(choicesAddress([this.choices[0]])))];
	}

	/** What is marked, and below it the map. */
	makeMap() {
		const {choice} = this, {heat, hosts} = this.fleet.bars[this.which], tip = make("span", {className: "tip-line"});
		const words = make("p", {className: "caption"}, make("span", {className: "ranges"},
			...rangeTexts(choice.fromMs, choice.untilMs).map(text => make("span", {}, text))), tip, ...heat ? this.makeRowSwitch() : []);
		if (!heat)
			return [words];
		const name = `${named(heat.event)} over time${hosts ? `, of ${plural(hosts.rows.length, "host")}` : ""}`;
		const on = {range: (fromMs, untilMs) => this.go(withRange(choice, fromMs, untilMs)), tip: text => tip.textContent = text || name,
			href: host => choicesAddress(this.choices.map((each, i) => i === this.which ? {...withLabel(choice, HOST_KEY, host), isByHost: false} : each))};
		tip.textContent = name;
		if (!hosts)
			return [words, new Heat(heat, choice, name, on).element];
		const more = hosts.leftOut ? [make("p", {className: "note"}, `${plural(hosts.leftOut, "more host")}: choose one with Host, or a label.`)] : [];
		return [words, new HostHeat(hosts, choice, name, on).whole, ...more];
	}

	/** What a row of the map is; of one host there is nothing to choose. */
	makeRowSwitch() {
		const {choice} = this, numHosts = this.labels.filter(({key}) => key === HOST_KEY).length;
		if (numHosts < 2 || choice.labels.some(({key}) => key === HOST_KEY))
			return [];
		const button = (label, isByHost) => make("button", {type: "button", attributes: {"aria-pressed": isByHost === choice.isByHost}}, label);
		const buttons = [button("By service", false), button("By host", true)];
		buttons.forEach((each, i) => each.addEventListener("click", () => i === Number(choice.isByHost) || this.go({...choice, isByHost: i === 1})));
		return [make("span", {className: "segments", attributes: {role: "group", "aria-label": "Rows of the map"}}, ...buttons)];
	}
}
