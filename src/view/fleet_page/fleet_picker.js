// SPDX-License-Identifier: Apache-2.0
// Pickers of one of several names. Few are a list of the browser's own; of many, as hosts are, a
// part of the name finds them: an ARIA combobox with a list below.

const MAX_PLAIN_OPTIONS = 20;
const MAX_SHOWN_OPTIONS = 100;

/** options: [{value, text}]; pick(value). */
function makePicker(label, options, chosen, pick) {
	return options.length > MAX_PLAIN_OPTIONS ? new SearchPicker(label, options, chosen, pick).element
		: makePlainPicker(label, options, chosen, pick);
}

function makePlainPicker(label, options, chosen, pick) {
	const select = make("select", {}, ...options.map(({value, text}) => make("option", {value, selected: value === chosen}, text)));
	select.value = chosen;
	select.addEventListener("change", () => pick(select.value));
	return make("label", {className: "picker"}, make("span", {}, label), select);
}

let numPickers = 0; // for ids

class SearchPicker {
	constructor(label, options, chosen, pick) {
		this.options = options;
		this.pick = pick;
		this.chosen = options.find(({value}) => value === chosen) || {value: chosen, text: chosen};
		this.id = `picker-${++numPickers}`;
		this.list = make("ul", {id: this.id, hidden: true, attributes: {role: "listbox", "aria-label": label}});
		this.input = make("input", {type: "search", spellcheck: false, autocomplete: "off", value: this.chosen.text, title: this.chosen.text,
			attributes: {role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.id}});
		this.more = make("p", {className: "note", hidden: true, attributes: {role: "status"}});
		this.popup = make("div", {className: "popup card", hidden: true}, this.list, this.more);
		this.element = make("div", {className: "picker search-picker"},
			make("label", {}, make("span", {}, label), this.input), this.popup);
		this.listen();
	}

	listen() {
		const {input} = this;
		input.addEventListener("focus", () => input.select());
		input.addEventListener("click", () => this.open(""));
		input.addEventListener("input", () => this.open(input.value));
		input.addEventListener("keydown", event => this.key(event));
		input.addEventListener("blur", () => this.close());
		// The list must not take the focus, or it would be closed before the click.
		this.popup.addEventListener("pointerdown", event => event.preventDefault());
		this.list.addEventListener("click", event => {
			const item = event.target.closest("li");
			if (item)
				this.take(this.found[[...this.list.children].indexOf(item)]);
		});
	}

	open(words) {
		const wanted = words.trim().toLowerCase(), matches = this.options.filter(({text}) => text.toLowerCase().includes(wanted));
		this.found = matches.slice(0, MAX_SHOWN_OPTIONS);
		this.list.replaceChildren(...this.found.map((option, i) => make("li", {id: `${this.id}-${i}`, title: option.text, attributes: {
			role: "option", "aria-selected": option.value === this.chosen.value}}, option.text)));
		const left = matches.length - this.found.length;
		this.more.hidden = !left && this.found.length > 0;
		this.more.textContent = left ? `${left.toLocaleString("en")} more: type a part of the name` : "nothing has this name";
		this.list.hidden = !this.found.length;
		this.popup.hidden = false;
		this.input.setAttribute("aria-expanded", "true");
		this.mark(wanted ? 0 : this.found.findIndex(({value}) => value === this.chosen.value));
	}

	close() {
		this.popup.hidden = this.list.hidden = true;
		this.input.setAttribute("aria-expanded", "false");
		this.input.removeAttribute("aria-activedescendant");
		this.input.value = this.chosen.text;
		if (document.activeElement === this.input)
			this.input.select(); // so that what is typed next takes its place
	}

	mark(at) {
		this.marked = at;
		[...this.list.children].forEach((item, i) => item.classList.toggle("marked", i === at));
		const item = this.list.children[at];
		if (item) {
			this.input.setAttribute("aria-activedescendant", item.id);
			item.scrollIntoView({block: "nearest"});
		} else {
			this.input.removeAttribute("aria-activedescendant");
		}
	}

	take(option) {
		if (!option)
			return;
		const isOther = option.value !== this.chosen.value;
		this.chosen = option;
		this.close();
		if (isOther)
			this.pick(option.value);
	}

	key(event) {
		const isOpen = !this.popup.hidden, move = {ArrowDown: 1, ArrowUp: -1}[event.key];
		if (move && !isOpen)
			this.open("");
		else if (move)
			this.mark((this.marked + move + this.found.length) % (this.found.length || 1));
		else if (event.key === "Enter" && isOpen)
			this.take(this.found[this.marked]);
		else if (event.key === "Escape" && isOpen)
			this.close();
		else
			return;
		event.preventDefault();
	}
}
