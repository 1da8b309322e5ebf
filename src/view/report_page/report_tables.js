// SPDX-License-Identifier: Apache-2.0
// Tables of functions: the hot list, and who calls the selected one and what it calls.

const ROWS_AT_ONCE = 200;

function percent(share) {
	if (!(share > 0))
		return "0%";
	return share < 0.0005 ? "<0.1%" : (share * 100).toFixed(1) + "%";
}

function weightCell(weight, total) {
	const share = total ? weight / total : 0;
	const bar = make("i", {className: "bar"});
	bar.style.width = (share * 100).toFixed(2) + "%";
	const cell = make("td", {className: "weight"}, bar, make("span", {}, percent(share)));
	cell.dataset.weight = weight;
	cell.title = weight.toLocaleString("en");
	return cell;
}

function functionCell(report, func) {
	const {name, kind} = report.data.functions[func];
	const swatch = make("i", {className: "swatch kind-" + KINDS[kind]});
	return make("td", {className: "name", title: name}, swatch, make("bdi", {}, name));
}

/** Arrow keys go from row to row; Enter and a click pick one. */
function makeRowsUsable(body, pick) {
	body.addEventListener("click", event => {
		const row = event.target.closest("tr[data-func]");
		if (row)
			pick(+row.dataset.func);
	});
	body.addEventListener("keydown", event => {
		const row = event.target.closest("tr");
		const moves = {ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling"};
		if (moves[event.key]) {
			event.preventDefault();
			const next = row[moves[event.key]];
			if (next) {
				row.tabIndex = -1;
				next.tabIndex = 0;
				next.focus();
			}
		}
		if ((event.key === "Enter" || event.key === " ") && row.dataset.func !== undefined) {
			event.preventDefault();
			pick(+row.dataset.func);
		}
	});
}

const HOT_COLUMNS = [
	{id: "self", label: "Self", title: "Samples in the function itself",
		compare: (sums, a, b) => sums.functionSelf[b] - sums.functionSelf[a]},
	{id: "total", label: "Total", title: "Samples in the function and in what it calls",
		compare: (sums, a, b) => sums.functionTotal[b] - sums.functionTotal[a]},
	{id: "name", label: "Function", title: "",
		compare: (sums, a, b) => compareText(sums.data.functions[a].name, sums.data.functions[b].name)},
	{id: "module", label: "Module", title: "",
		compare: (sums, a, b) => compareText(sums.data.functions[a].module, sums.data.functions[b].module)},
];

function compareText(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}

class HotList {
	constructor(report, pick) {
		this.report = report;
		this.column = HOT_COLUMNS[0];
		this.isReversed = false;
		this.shown = []; // functions in their order
		this.body = make("tbody");
		this.heads = HOT_COLUMNS.map(column => this.makeHead(column));
		this.more = make("button", {type: "button", className: "quiet more"});
		this.more.addEventListener("click", () => this.showMore());
		this.count = make("span", {className: "note"});
		const table = make("table", {className: "hot"},
			make("caption", {className: "unseen"}, "Functions by their samples"),
			make("thead", {}, make("tr", {}, ...this.heads)), this.body);
		this.scroller = make("div", {className: "scroll"}, table, this.more);
		this.element = make("section", {className: "card hotlist", attributes: {"aria-label": "Hot functions"}},
			make("div", {className: "bar-head"}, make("h2", {}, "Functions"), this.count), this.scroller);
		makeRowsUsable(this.body, pick);
	}

	makeHead(column) {
		const button = make("button", {type: "button", title: column.title}, column.label);
		const head = make("th", {scope: "col", className: "col-" + column.id}, button);
		button.addEventListener("click", () => {
			this.isReversed = this.column === column && !this.isReversed;
			this.column = column;
			this.fill();
		});
		return head;
	}

	order() {
		const {sums, matches} = this.report, order = [];
		for (let func = 0; func < sums.functionTotal.length; func++) {
			if (sums.functionTotal[func] > 0 && (!matches || matches[func]))
				order.push(func);
		}
		const sign = this.isReversed ? -1 : 1, {compare} = this.column;
		return order.sort((a, b) => sign * compare(sums, a, b) ||
			sums.functionTotal[b] - sums.functionTotal[a] || a - b);
	}

	fill() {
		const order = this.order();
		HOT_COLUMNS.forEach((column, i) => {
			const isNumber = i < 2;
			const direction = isNumber !== this.isReversed ? "descending" : "ascending";
			this.heads[i].setAttribute("aria-sort", column === this.column ? direction : "none");
		});
		this.shown = order;
		this.body.replaceChildren();
		this.showMore();
		this.count.textContent = order.length.toLocaleString("en");
	}

	/** The next rows of the order. */
	showMore() {
		const from = this.body.rows.length, rows = this.shown.slice(from, from + ROWS_AT_ONCE);
		this.body.append(...rows.map(func => this.makeRow(func)));
		if (!from && rows.length)
			this.body.rows[0].tabIndex = 0;
		this.more.hidden = from + rows.length >= this.shown.length;
		this.more.textContent = `Show more of ${this.shown.length.toLocaleString("en")}`;
	}

	makeRow(func) {
		const {sums, selected} = this.report, {module} = sums.data.functions[func];
		const row = make("tr", {tabIndex: -1},
			weightCell(sums.functionSelf[func], sums.total), weightCell(sums.functionTotal[func], sums.total),
			functionCell(this.report, func), make("td", {className: "module", title: module},
				make("bdi", {}, module)));
		row.dataset.func = func;
		if (func === selected)
			row.setAttribute("aria-current", "true");
		return row;
	}

	markSelected() {
		for (const row of this.body.querySelectorAll("[aria-current]"))
			row.removeAttribute("aria-current");
		const row = this.body.querySelector(`[data-func="${this.report.selected}"]`);
		if (!row)
			return;
		row.setAttribute("aria-current", "true");
		// Not scrollIntoView(): where the page is a document, it would move that.
		const list = this.scroller, head = this.heads[0].offsetHeight;
		if (row.offsetTop - head < list.scrollTop)
			list.scrollTop = row.offsetTop - head;
		else if (row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight)
			list.scrollTop = row.offsetTop + row.offsetHeight - list.clientHeight;
	}
}

function neighbourTable(report, title, none, weights, total, pick) {
	const order = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, ROWS_AT_ONCE);
	const body = make("tbody");
	order.forEach(([func, weight], i) => {
		const row = make("tr", {tabIndex: i === 0 ? 0 : -1}, weightCell(weight, total),
			func >= 0 ? functionCell(report, func) : make("td", {className: "name faint"}, none));
		if (func >= 0)
			row.dataset.func = func;
		body.append(row);
	});
	makeRowsUsable(body, pick);
	return make("table", {}, make("caption", {}, title), body);
}

/** Callers over callees; the weights are shares of the selected function's. */
function showNeighbours(report, panel, pick) {
	const {sums, selected} = report;
	if (selected < 0) {
		panel.replaceChildren(make("p", {className: "empty"}, "Select a function in the graph or in the list."));
		return;
	}
	const {callers, callees} = sums.neighbours(selected), total = sums.functionTotal[selected];
	if (sums.functionSelf[selected] > 0)
		callees.set(-1, sums.functionSelf[selected]);
	panel.replaceChildren(
		neighbourTable(report, "Called by", "no caller: outermost frame", callers, total, pick),
		neighbourTable(report, "Calls", "self: no call", callees, total, pick));
}
