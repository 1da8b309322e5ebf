// SPDX-License-Identifier: Apache-2.0
// The menu of a function: by the right mouse button, the key m, or the button of the inspector.

class Menu {
	constructor() {
		this.element = make("div", {className: "menu card", hidden: true, attributes: {role: "menu", "aria-label": "Actions"}});
		this.element.addEventListener("keydown", event => this.key(event));
		this.element.addEventListener("focusout", event => {
			if (!this.element.contains(event.relatedTarget))
				this.close();
		});
		addEventListener("pointerdown", event => this.element.contains(event.target) || this.close());
	}

	/** items: {label, title, act}, or null for a line between two groups. */
	open(title, items, x, y) {
		this.opener = document.activeElement;
		this.buttons = [];
		this.element.replaceChildren(make("p", {className: "menu-title", attributes: {role: "presentation"}}, title), ...items.map(item => {
			if (!item)
				return make("hr", {attributes: {role: "separator"}});
			const button = make("button", {type: "button", tabIndex: -1, title: item.title || "", attributes: {role: "menuitem"}}, item.label);
			button.addEventListener("click", () => {
				this.close();
				item.act();
			});
			this.buttons.push(button);
			return button;
		}));
		this.element.hidden = false;
		const {offsetWidth: width, offsetHeight: height} = this.element;
		this.element.style.left = Math.max(4, Math.min(x, innerWidth - width - 4)) + "px";
		this.element.style.top = Math.max(4, Math.min(y, innerHeight - height - 4)) + "px";
		this.buttons[0]?.focus({preventScroll: true});
	}

	close() {
		if (this.element.hidden)
			return;
		const hasFocus = this.element.contains(document.activeElement);
		this.element.hidden = true;
		if (hasFocus)
			this.opener?.focus({preventScroll: true});
	}

	key(event) {
		const at = this.buttons.indexOf(document.activeElement), count = this.buttons.length;
		const next = {ArrowDown: at + 1, ArrowUp: at - 1 + count, Home: 0, End: count - 1}[event.key];
		if (next !== undefined)
			this.buttons[next % count].focus();
		if (event.key === "Escape" || event.key === "Tab")
			this.close();
		event.stopPropagation();
		if (next !== undefined || event.key === "Escape" || event.key === "Tab")
			event.preventDefault();
	}
}

async function copyText(text, page, what) {
	try {
		await navigator.clipboard.writeText(text);
		page.say(`${what} copied`);
	} catch {
		page.say("This browser does not let the page copy");
	}
}

/** The functions from the outermost one to the node, a line each. */
function stackText(page, node) {
	const names = [];
	for (let at = node; at && at.code >= 0; at = at.parent)
		names.push(page.data.functions[at.func].name);
	const isInwards = page.options.isInverted && page.shape !== "time" && page.shape !== "sandwich";
	return (isInwards ? names : names.reverse()).join("\n");
}

/** What can be done about a function; node: where it stands in a graph, or null. */
function functionActions(page, func, node) {
	const {name, moduleNumber, module} = page.data.functions[func], isCode = func < page.mixed.functions.length;
	const rule = (letter, isModule) => ({label: `${RULES[letter].label} ${isModule ? module : "function"}`, title: RULES[letter].title,
		act: () => page.addRule({letter, isModule, key: isModule ? moduleNumber : func})});
	const items = [];
	if (node)
		items.push({label: "Zoom here", act: () => page.zoomIn(node)});
	items.push({label: "Callers and callees (sandwich)", act: () => {
		page.select(func);
		page.setShape("sandwich");
	}});
	if (isCode)
		items.push(null, ...["f", "h", "c"].map(letter => rule(letter, false)));
	if (isCode && moduleNumber)
		items.push(null, ...["f", "h", "c"].map(letter => rule(letter, true)));
	items.push(null, {label: "Copy name", act: () => copyText(name, page, "Name")});
	if (node)
		items.push({label: "Copy stack", act: () => copyText(stackText(page, node), page, "Stack")});
	return items;
}
