// SPDX-License-Identifier: Apache-2.0
// The inspector: all that the page knows of the selected function. Its name and figures, who calls it
// and what it calls, its source and instructions, and what SPE measured of it.

const NEIGHBOURS_AT_ONCE = 100;

const PANELS = [
	{id: "code", label: "Code"},
	{id: "latency", label: "Latency"},
	{id: "lines", label: "Shared lines"},
	{id: "branches", label: "Branches"},
];

function neighbourTable(report, title, none, weights, total, pick) {
	const order = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, NEIGHBOURS_AT_ONCE);
	const body = make("tbody");
	order.forEach(([func, weight], i) => {
		const row = make("tr", {tabIndex: i === 0 ? 0 : -1}, weightCell(weight, total),
			func >= 0 ? functionCell(report, func) : make("td", {className: "name faint"}, none));
		if (func >= 0)
			row.pick = {func};
		body.append(row);
	});
	makeRowsUsable(body, ({func}) => pick(func));
	return make("div", {className: "scroll"}, make("table", {}, make("caption", {}, title), body));
}

class Inspector {
	/** on: {pick(func), menu(x, y), panel()}. */
	constructor(report, on) {
		this.report = report;
		this.on = on;
		this.panel = PANELS[0].id;
		this.isWide = false;
		this.build();
	}

	build() {
		const {spe} = this.report.data;
		this.title = make("h2");
		this.fullName = make("p", {className: "full-name"});
		this.where = make("p", {className: "where"});
		this.figures = make("dl", {className: "figures"});
		this.neighbours = make("div", {id: "panel-neighbours", className: "neighbours"});
		this.source = make("div", {id: "panel-source", className: "scroll source", tabIndex: 0,
			attributes: {role: "region", "aria-label": "Source"}});
		this.instructions = make("div", {id: "panel-instructions", className: "scroll instructions", tabIndex: 0,
			attributes: {role: "region", "aria-label": "Instructions"}});
		linkPanels(this.source, this.instructions);
		const isThere = {code: true, latency: spe, lines: spe?.data_lines.samples, branches: spe?.branches?.length};
		this.panels = new Map(PANELS.filter(({id}) => isThere[id]).map(({id}) => [id, make("div", {id: "panel-" + id,
			className: "panel " + id + (id === "code" ? "" : " scroll"), tabIndex: id === "code" ? -1 : 0, attributes: {role: "tabpanel", "aria-labelledby": "tab-" + id}})]));
		this.panels.get("code").append(this.source, this.instructions);
		this.tabs = PANELS.filter(({id}) => this.panels.has(id)).map(({id, label}) => {
			const tab = make("button", {type: "button", id: "tab-" + id, attributes: {role: "tab", "aria-controls": "panel-" + id}}, label);
			tab.addEventListener("click", () => this.setPanel(id));
			return tab;
		});
		const tabs = makeTabList("Details", this.tabs);
		tabs.hidden = this.tabs.length < 2;
		this.menuButton = make("button", {type: "button", className: "quiet", attributes: {"aria-haspopup": "menu"}}, "Actions");
		this.menuButton.addEventListener("click", () => {
			const box = this.menuButton.getBoundingClientRect();
			this.on.menu(box.left, box.bottom);
		});
		this.wideButton = make("button", {type: "button", className: "quiet wide", attributes: {"aria-pressed": "false"}}, "Wide");
		this.wideButton.addEventListener("click", () => this.widen(!this.isWide));
		this.element = make("section", {className: "card details", attributes: {"aria-label": "Selected function"}},
			make("div", {className: "bar-head"}, this.title, this.menuButton, this.wideButton),
			make("div", {className: "summary"}, this.fullName, this.where, this.figures), this.neighbours, tabs, ...this.panels.values());
	}

	/** Two thirds of the width instead of one. */
	widen(isWide) {
		this.isWide = isWide;
		this.wideButton.setAttribute("aria-pressed", isWide);
		this.element.classList.toggle("is-wide", isWide);
		this.element.style.flexBasis = "";
	}

	show() {
		const {report} = this, func = report.selected, isThere = func >= 0;
		const each = isThere && report.data.functions[func];
		this.title.replaceChildren(...isThere ? [make("i", {className: "swatch kind-" + KINDS[each.kind]}),
			make("bdi", {title: each.name}, shortName(labelOfFunction(each)))] : [make("span", {className: "faint"}, "Nothing selected")]);
		this.fullName.textContent = isThere && shortName(each.name) !== each.name ? each.name : "";
		this.menuButton.hidden = !isThere;
		this.where.textContent = isThere ? [each.module, each.file ? report.data.strings[each.file] + (each.line ? ":" + each.line : "") : "",
			KIND_LABELS[KINDS[each.kind]]].filter((part, i, all) => part && all.indexOf(part) === i).join("  ·  ") : "";
		this.where.title = this.where.textContent;
		this.showFigures();
		this.showNeighbours();
		this.setPanel(this.panel);
	}

	showFigures() {
		const {report} = this, {sums, otherSums, selected: func} = report;
		if (func < 0) {
			this.figures.replaceChildren();
			return;
		}
		const event = report.data.summary.events[report.event], rows = [];
		for (const [name, weight, other] of [["Self", sums.functionSelf[func], otherSums?.functionSelf[func]],
			["Total", sums.functionTotal[func], otherSums?.functionTotal[func]]]) {
			const share = sums.total ? weight / sums.total : 0, {low, high} = shareInterval(share, sums.count);
			const within = event.isWhole || event.isWait ? "" : ` (${(low * 100).toFixed(1)} – ${(high * 100).toFixed(1)})`;
			const before = report.isDiff ? `, was ${percent(otherSums.total ? other / otherSums.total : 0)}` : "";
			rows.push(make("dt", {}, name), make("dd", {}, make("b", {}, percent(share)), within + before + ` · ${weightText(event, weight)}`));
		}
		this.figures.replaceChildren(...rows);
	}

	/** Callers beside callees; the weights are shares of the selected function's. */
	showNeighbours() {
		const {report} = this, {sums, selected} = report;
		if (selected < 0) {
			this.neighbours.replaceChildren(make("p", {className: "empty"}, "Select a function in the graph or in a table."));
			return;
		}
		const {callers, callees} = sums.neighbours(selected), total = sums.functionTotal[selected];
		if (sums.functionSelf[selected] > 0)
			callees.set(-1, sums.functionSelf[selected]);
		this.neighbours.replaceChildren(
			neighbourTable(report, "Called by", "no caller: outermost frame", callers, total, this.on.pick),
			neighbourTable(report, "Calls", "self: no call", callees, total, this.on.pick));
	}

	/** The search has changed: source is marked anew, where it stands. */
	markMatches() {
		for (const cell of this.source.querySelectorAll(".code"))
			cell.replaceChildren(...markedText(cell.textContent, this.report.search));
	}

	setPanel(id) {
		this.panel = id;
		makeTabSelected(this.tabs, "tab-" + id);
		for (const [each, panel] of this.panels)
			panel.hidden = each !== id;
		const show = {
			code: () => {
				showSource(this.report, this.source);
				showInstructions(this.report, this.instructions);
			},
			latency: () => showLatency(this.report, this.panels.get(id)),
			lines: () => showLines(this.report, this.panels.get(id)),
			branches: () => showBranches(this.report, this.panels.get(id)),
		};
		show[id]();
		this.on.panel();
	}
}
