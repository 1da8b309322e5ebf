// SPDX-License-Identifier: Apache-2.0
// The tree of calls as an outline: what the graph shows, for those who read or who do not see it.

const OUTLINE_ROWS_AT_ONCE = 100;

class Outline {
	/** on: {select, zoom} as in Graph. */
	constructor(report, on) {
		this.report = report;
		this.on = on;
		this.list = make("ul", {attributes: {role: "tree", "aria-label": "Call tree"}});
		this.element = make("div", {className: "outline", hidden: true},
			make("div", {className: "outline-head", attributes: {"aria-hidden": "true"}},
				make("span", {}, "Total"), make("span", {}, "Self"), make("span", {}, "Function")),
			this.list);
		this.list.addEventListener("keydown", event => this.key(event));
		this.list.addEventListener("click", event => this.click(event));
	}

	/** Opened along the heaviest calls, where somebody would look first. */
	show(root) {
		this.root = root;
		this.list.replaceChildren(this.makeItem(root));
		let item = this.list.firstChild;
		item.firstChild.tabIndex = 0;
		for (let i = 0; i < 4 && item && item.node.children.length; i++) {
			this.open(item);
			item = item.lastChild.firstChild;
		}
	}

	/** The search has changed: names are written anew. */
	markMatches() {
		const {search} = this.report;
		for (const row of this.list.querySelectorAll(".row"))
			row.querySelector("bdi").replaceChildren(...markedText(this.report.labelOf(row.parentElement.node), search));
	}

	makeItem(node) {
		const {sums, data, search} = this.report, labelOf = node => this.report.labelOf(node), hasChildren = node.children.length > 0;
		const kind = node.code < 0 ? MARKER_KIND : node.code & 1 ? INLINED_KIND : data.functions[node.func].kind;
		const swatch = make("i", {className: "swatch kind-" + KINDS[kind]});
		const row = make("div", {className: "row", tabIndex: -1, attributes: {role: "treeitem",
			"aria-level": node.depth + 1}},
			make("span", {className: "number"}, percent(node.weight / (sums.total || 1))),
			make("span", {className: "number faint"}, node.self ? percent(node.self / (sums.total || 1)) : ""),
			make("span", {className: "twist"}), swatch, make("bdi", {}, ...markedText(labelOf(node), search)));
		row.style.setProperty("--depth", node.depth);
		if (hasChildren)
			row.setAttribute("aria-expanded", "false");
		const item = make("li", {attributes: {role: "none"}}, row);
		item.node = node;
		return item;
	}

	open(item) {
		if (item.children.length > 1 || !item.node.children.length)
			return;
		item.firstChild.setAttribute("aria-expanded", "true");
		const group = make("ul", {attributes: {role: "group"}});
		this.addRows(group, item.node.children, 0);
		item.append(group);
	}

	addRows(group, children, first) {
		const last = Math.min(children.length, first + OUTLINE_ROWS_AT_ONCE);
		for (let i = first; i < last; i++)
			group.append(this.makeItem(children[i]));
		if (last === children.length)
			return;
		const more = make("button", {type: "button", className: "quiet"}, `${children.length - last} more`);
		more.addEventListener("click", () => {
			more.remove();
			this.addRows(group, children, last);
		});
		group.append(more);
	}

	close(item) {
		item.firstChild.setAttribute("aria-expanded", "false");
		if (item.children.length > 1)
			item.lastChild.remove();
	}

	isOpen(item) {
		return item.firstChild.getAttribute("aria-expanded") === "true";
	}

	focusRow(row) {
		const old = this.list.querySelector('.row[tabindex="0"]');
		if (old)
			old.tabIndex = -1;
		row.tabIndex = 0;
		row.focus();
		this.on.select(row.parentElement.node);
	}

	click(event) {
		const row = event.target.closest(".row");
		if (!row)
			return;
		const item = row.parentElement;
		if (this.isOpen(item))
			this.close(item);
		else
			this.open(item);
		this.focusRow(row);
	}

	key(event) {
		const row = event.target.closest(".row");
		if (!row)
			return;
		const item = row.parentElement, rows = [...this.list.querySelectorAll(".row")];
		const at = rows.indexOf(row);
		const table = {
			ArrowDown: () => rows[at + 1],
			ArrowUp: () => rows[at - 1],
			Home: () => rows[0],
			End: () => rows[rows.length - 1],
			ArrowRight: () => this.isOpen(item) ? rows[at + 1] : void this.open(item),
			ArrowLeft: () => this.isOpen(item) ? void this.close(item)
				: item.parentElement.closest("li")?.firstChild,
			Enter: () => void this.on.zoom(item.node),
		};
		if (!table[event.key])
			return;
		event.preventDefault();
		const next = table[event.key]();
		if (next)
			this.focusRow(next);
	}
}
