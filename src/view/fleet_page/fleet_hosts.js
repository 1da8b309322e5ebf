// SPDX-License-Identifier: Apache-2.0
// The heat map by host: a row for each, those with most first, of which the list of names scrolls to all.
// A range is marked as in the other map, and is of all hosts; a name leads to its host alone. Only the
// rows that can be seen are drawn, as browsers limit the height of a canvas.

const HOST_ROW = 18;
const HOST_GUTTER = 180; // for names
const MAX_HOST_ROWS = 14; // at once

function sumOf(weights) {
	return weights.reduce((sum, weight) => sum + weight, 0);
}

class HostHeat extends Heat {
	/** data: {startMs, stepMs, unit, event, rows: [{name, weights}]}; on: as of Heat, and href(name), of one host. */
	constructor(data, chosen, name, on) {
		const hosts = data.rows.map(row => ({...row, sum: sumOf(row.weights)})).sort((a, b) => b.sum - a.sum || compareText(a.name, b.name));
		const sums = data.rows[0].weights.map((_, step) => data.rows.reduce((sum, {weights}) => sum + weights[step], 0));
		super({...data, weights: sums}, chosen, name, on);
		this.hosts = hosts;
		this.columns = this.steps;
		this.rows = Math.min(MAX_HOST_ROWS, hosts.length);
		this.max = Math.max(1, ...hosts.map(({weights}) => Math.max(...weights)));
		this.element.classList.add("of-hosts");
		this.names = make("ul", {className: "host-names", attributes: {"aria-label": `Hosts, those with most ${named(data.event)} first`}},
			...hosts.map((host, i) => make("li", {}, this.makeLink(host, i))));
		this.names.style.top = `${HEAT_AXIS}px`;
		this.names.style.height = `${this.rows * (HOST_ROW + 1)}px`;
		this.names.addEventListener("scroll", () => this.draw());
		this.names.addEventListener("keydown", event => this.moveTo(event));
		this.canvas.addEventListener("wheel", event => this.wheel(event), {passive: false});
		this.whole = make("div", {className: "host-heat"}, this.names, this.element);
	}

	/** Of all links one is in the order of Tab; arrow keys go to the others. */
	makeLink({name, sum}, i) {
		const text = weightText({unit: this.data.unit, name: this.data.event}, sum);
		return make("a", {href: this.on.href(name), tabIndex: i ? -1 : 0, title: `${named(name)}: ${text}`}, make("bdi", {}, named(name)));
	}

	moveTo(event) {
		const links = [...this.names.querySelectorAll("a")], at = links.indexOf(event.target);
		const to = {ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + this.rows, PageUp: at - this.rows, Home: 0, End: links.length - 1}[event.key];
		if (at < 0 || to === undefined)
			return;
		event.preventDefault();
		event.stopPropagation(); // the report has keys, too
		const next = links[Math.max(0, Math.min(links.length - 1, to))];
		links[at].tabIndex = -1;
		next.tabIndex = 0;
		next.focus();
	}

	wheel(event) {
		const before = this.names.scrollTop;
		this.names.scrollTop += event.deltaY * (event.deltaMode ? HOST_ROW : 1);
		if (this.names.scrollTop !== before)
			event.preventDefault(); // else the page scrolls
	}

	get rowHeight() {
		return HOST_ROW;
	}

	get gutter() {
		return Math.min(HOST_GUTTER, Math.round(this.element.clientWidth / 3));
	}

	draw() {
		if (!this.hosts)
			return; // not complete yet
		this.names.style.width = `${this.gutter - 7}px`;
		super.draw();
	}

	drawRow(context, row, top) {
		const {colors} = this, scrolled = this.names.scrollTop, first = Math.floor(scrolled / (HOST_ROW + 1));
		const shift = scrolled - first * (HOST_ROW + 1), bottom = HEAT_AXIS + this.rows * (HOST_ROW + 1);
		context.save();
		context.beginPath();
		context.rect(this.gutter, HEAT_AXIS, this.width, bottom - HEAT_AXIS);
		context.clip();
		// One more: of the first and the last a part may be seen.
		for (const [number, y] of row ? [[first + row, top - shift]] : [[first, top - shift], [first + this.rows, top - shift + this.rows * (HOST_ROW + 1)]]) {
			if (!this.hosts[number])
				continue;
			context.fillStyle = colors.line;
			context.fillRect(this.gutter, y + HOST_ROW, this.width, 1);
			context.fillStyle = colors.heat;
			this.drawCells(context, this.hosts[number].weights, y);
			if (this.range)
				this.drawRange(context, 0, this.steps, y);
		}
		context.restore();
	}

	/** By colour alone: heights of so many rows say less. */
	drawCells(context, weights, top) {
		for (let step = 0; step < this.steps; step++) {
			const share = weights[step] / this.max, left = this.xOf(step);
			if (!share)
				continue;
			context.globalAlpha = 0.12 + 0.88 * share;
			context.fillRect(left, top, Math.max(1, this.xOf(step + 1) - left - (this.width / this.steps > 4 ? 1 : 0)), HOST_ROW);
		}
		context.globalAlpha = 1;
	}

	/** Between two lines through all rows. */
	drawRange(context, first, count, top) {
		const [left, right] = this.range.map(step => this.xOf(step));
		context.fillStyle = this.colors.veil;
		context.fillRect(this.gutter, top, left - this.gutter, HOST_ROW);
		context.fillRect(right, top, this.xOf(count) - right, HOST_ROW);
		context.fillStyle = this.colors.accent;
		for (const x of [left, Math.max(right, left + 2) - 1])
			context.fillRect(x, top, 1, HOST_ROW + 1);
	}

	hostAt(event) {
		const y = event.clientY - this.canvas.getBoundingClientRect().top - HEAT_AXIS + this.names.scrollTop;
		return this.hosts[Math.floor(y / (HOST_ROW + 1))];
	}

	stepAt(event) {
		return this.columnAt(event);
	}

	tipAt(event) {
		const host = this.hostAt(event), step = this.stepAt(event);
		return host ? `${named(host.name)}, ${this.tipOf(step, host.weights[step])}` : "";
	}

	/** Up and down scroll. */
	key(event) {
		const rows = {ArrowUp: -1, ArrowDown: 1}[event.key];
		if (!rows) {
			super.key(event);
			return;
		}
		event.preventDefault();
		event.stopPropagation();
		this.names.scrollTop += rows * (HOST_ROW + 1);
	}
}
