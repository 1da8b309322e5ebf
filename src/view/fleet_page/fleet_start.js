// SPDX-License-Identifier: Apache-2.0
// Pages without a report: the services of the store, an empty store, and what cannot be shown.

const MANY_SERVICES = 20; // from there on a search helps

function makeCommand(text) {
	return make("pre", {tabIndex: 0}, make("code", {}, text));
}

function makeEmptyStore() {
	return make("main", {className: "words"}, make("div", {className: "card"}, make("h1", {}, "The store is empty"),
		make("p", {}, "Start an agent on each machine, which sends what it samples to this server:"),
		makeCommand(`wperf agent --server ${location.origin}`),
		make("p", {}, "Or put a recording into the store by hand:"),
		makeCommand("wperf record -g -o shop.data -- ./shop\nwperf store put STORE shop.data --service shop")));
}

/** Messages of the command line begin small. */
function sentence(text) {
	return safeText(text[0].toUpperCase() + text.slice(1));
}

/** Why there is no report, and a link to what there is. */
function makeProblem({problem, bars, services}, nowMs) {
	const service = services.find(({name}) => name === bars[bars.length - 1]?.choice.service);
	const links = service?.events.length ? [make("p", {}, make("a", {href: choicesAddress([newestHour(service, nowMs)])},
		`Show the last hour that '${named(service.name)}' has`))] : [];
	return make("main", {className: "words"}, make("div", {className: "card", attributes: {role: "alert"}}, make("h1", {}, sentence(problem.words)),
		problem.hint ? make("p", {}, sentence(problem.hint)) : "", ...links, make("p", {}, make("a", {href: "./"}, "All services"))));
}

/** What the strip of a service shows in all; 0 without a strip. */
function stripWeight({heat}) {
	return heat ? heat.weights.reduce((sum, weight) => sum + weight, 0) : 0;
}

class Start {
	constructor(fleet) {
		this.fleet = fleet;
		this.services = [...fleet.services].sort((one, other) => stripWeight(other) - stripWeight(one)); // equal ones by name
		this.rows = this.services.map(service => this.makeRow(service));
		const search = make("input", {type: "search", placeholder: "Search services", attributes: {"aria-label": "Search services"}, hidden: this.rows.length < MANY_SERVICES});
		search.addEventListener("input", () => this.find(search.value));
		this.count = make("p", {className: "note", attributes: {role: "status"}}, plural(this.rows.length, "service"));
		const heads = ["Service", "Events", "Last seen", `24 h until ${instantText(fleet.heatUntilMs)} UTC`, "In 24 h", "Batches", "Dropped", "Samples lost"];
		const titles = {Dropped: "Batches that agents dropped before they could be sent"};
		this.element = make("main", {className: "start"}, make("div", {className: "start-head"}, make("h1", {}, "Services"), this.count, search),
			make("div", {className: "card scroll", tabIndex: 0, attributes: {role: "region", "aria-label": "Services"}},
				make("table", {attributes: {role: "table"}}, make("thead", {attributes: {role: "rowgroup"}}, make("tr", {attributes: {role: "row"}},
					...heads.map(head => make("th", {title: titles[head] || "", attributes: {scope: "col", role: "columnheader"}}, head)))),
				make("tbody", {attributes: {role: "rowgroup"}}, ...this.rows))));
	}

	find(words) {
		const wanted = words.trim().toLowerCase();
		this.rows.forEach((row, i) => row.hidden = !this.services[i].name.toLowerCase().includes(wanted));
		this.count.textContent = plural(this.rows.filter(row => !row.hidden).length, "service");
	}

	makeRow(service) {
		const {nowMs} = this.fleet, newest = service.events.length ? newestHour(service, nowMs) : null;
		const link = (text, choice) => choice ? make("a", {href: choicesAddress([choice])}, make("bdi", {}, text)) : make("bdi", {}, text);
		const events = service.events.flatMap(({name}, i) => [i ? ", " : "", link(named(name), {...newest, event: name})]);
		const cell = (className, label, ...content) => make("td", {className, attributes: {role: "cell", "data-label": label}}, ...content);
		const number = (label, value, isBad) => cell(isBad && value ? "number lost" : "number", label, value.toLocaleString("en"));
		const end = Math.max(...service.events.map(({endMs}) => endMs)), seen = newest ? agoText(end, nowMs) : "dropped: too old";
		const row = make("tr", {attributes: {role: "row"}}, cell("name", "Service", link(named(service.name), newest)), cell("events", "Events", ...events),
			cell("seen", "Last seen", make("span", {title: newest ? `${instantText(end)} UTC` : ""}, seen)), cell("strip", "", ...this.makeStrip(service)),
			cell("number", "In 24 h", this.makeAmount(service)),
			number("Batches", service.batches), number("Dropped", service.dropped, true), number("Samples lost", service.lost, true));
		return row;
	}

	/** Of the event that the strip shows. */
	makeAmount(service) {
		const weight = stripWeight(service);
		return weight ? weightText({unit: service.heat.unit, name: service.heat.event}, weight) : "";
	}

	makeStrip({name, heat}) {
		if (!heat)
			return [make("span", {className: "note"}, "not drawn: too many services")];
		if (!heat.weights.some(weight => weight > 0))
			return [make("span", {className: "note"}, "no samples")];
		return [new Heat(heat, null, `${named(heat.event)} of ${named(name)} over this time`, null).element];
	}
}
