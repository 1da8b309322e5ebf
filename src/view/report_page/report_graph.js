// SPDX-License-Identifier: Apache-2.0
// A graph of calls (flame graph, half of a sandwich, chart in order of time): only what is wide
// enough to see is laid out, and of that only the rows in sight are drawn.

const ROW_HEIGHT = 20;
const MIN_WIDTH = 0.5; // pixels; narrower ones are drawn together as a shade
const MIN_LABEL_WIDTH = 26;
const ZOOM_MS = 180;
const MAX_FITTED = 20000; // labels that are kept: zooming makes new ones with each frame

function hashOf(text) {
	let hash = 2166136261;
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
	return (hash ^ hash >>> 15) >>> 0;
}

/** How kinds of code are hatched, as there are people who see no difference in hue: lines from and to, in a tile. */
const HATCH_TILE = 6;
const HATCHES = {
	kernel: [[0, 6, 6, 0]], jit: [[0, 3, 6, 3]], inlined: [[3, 0, 3, 6]], marker: [[0, 0, 6, 6], [0, 6, 6, 0]],
};

function makeHatch(lines, color) {
	const tile = make("canvas", {width: HATCH_TILE, height: HATCH_TILE}), context = tile.getContext("2d");
	context.strokeStyle = color;
	context.lineWidth = 0.8;
	context.beginPath();
	for (const [left, top, right, bottom] of lines) {
		context.moveTo(left, top);
		context.lineTo(right, bottom);
	}
	context.stroke();
	return context.createPattern(tile, "repeat");
}

/** Colours of the theme: the kind gives the hue, the module shifts it a little. */
class Palette {
	constructor(functions) {
		this.functions = functions;
		this.refresh();
	}

	refresh() {
		const style = getComputedStyle(document.documentElement);
		this.get = name => style.getPropertyValue("--" + name).trim();
		this.kinds = KINDS.map(kind => this.get("kind-" + kind).split(" ").map(Number));
		this.kinds.forEach(([hue, saturation, lightness], i) => document.documentElement.style.setProperty(
			"--swatch-" + KINDS[i], `hsl(${hue} ${saturation}% ${lightness}%)`));
		for (const [name, change] of [["grew", 0.1], ["shrank", -0.1], ["same", 0]])
			document.documentElement.style.setProperty(`--change-${name}`, this.changeColor(change));
		this.hatches = KINDS.map(kind => HATCHES[kind] && makeHatch(HATCHES[kind], this.get("hatch")));
		this.colors = new Map();
		for (const name of ["label", "label-faint", "dim", "dim-label", "match", "match-label", "root",
			"rest", "ink", "accent", "card", "faint", "line", "page"])
			this[name.replace("-", "_")] = this.get(name);
	}

	kindOf(code) {
		return code & 1 ? INLINED_KIND : this.functions[code >> 1].kind;
	}

	/** Red: it grew, blue: it shrank; change: of the share of all samples. */
	changeColor(change) {
		// The root makes small changes visible; ten points are as dark as it gets.
		const [hue, saturation, lightness] = this.get(change > 0 ? "grew" : "shrank").split(" ").map(Number);
		const part = Math.min(1, Math.sqrt(Math.abs(change) / 0.1));
		const base = +this.get("same-lightness");
		return `hsl(${hue} ${saturation * part}% ${base + (lightness - base) * part}%)`;
	}

	colorOf(code) {
		let color = this.colors.get(code);
		if (!color) {
			const func = this.functions[code >> 1];
			const [hue, saturation, lightness] = this.kinds[this.kindOf(code)];
			const hash = hashOf(func.module || func.name), shade = hashOf(func.name);
			color = `hsl(${hue + hash % 15 - 7} ${saturation}% ${lightness + shade % 7 - 3}%)`;
			this.colors.set(code, color);
		}
		return color;
	}
}

class Graph {
	/** report: data, palette, formats; on: what to do about {select, point, zoom, menu}. */
	constructor(report, on, label) {
		this.report = report;
		this.on = on;
		this.canvas = make("canvas");
		this.canvas.setAttribute("aria-hidden", "true");
		this.spacer = make("div", {className: "spacer"});
		this.scroller = make("div", {className: "graph", tabIndex: 0, attributes: {
			role: "application", "aria-roledescription": "flame graph", "aria-label": label,
			"aria-describedby": "graph-help",
		}}, this.canvas, this.spacer);
		this.nodes = [];
		this.left = new Float32Array(1024);
		this.width = new Float32Array(1024);
		this.rests = [];
		this.view = {start: 0, span: 1};
		this.isUpward = true; // callees above their callers
		this.widths = new Map(); // of texts
		this.fitted = new Map(); // labels that were cut, by label and room
		this.listen();
	}

	listen() {
		const {scroller} = this;
		scroller.addEventListener("scroll", () => this.schedule());
		scroller.addEventListener("pointermove", event => {
			const node = this.nodeAt(event);
			this.pointed = node;
			scroller.style.cursor = node ? "pointer" : "default";
			this.on.point(node, event);
			this.schedule();
		});
		scroller.addEventListener("pointerleave", () => {
			this.pointed = null;
			this.on.point(null);
			this.schedule();
		});
		scroller.addEventListener("click", event => {
			const node = this.nodeAt(event);
			if (node) {
				this.focusOn(node);
				this.zoomTo(node);
			}
		});
		scroller.addEventListener("contextmenu", event => {
			const node = this.nodeAt(event);
			if (!node)
				return;
			event.preventDefault();
			this.focusOn(node);
			this.on.menu(node, event.clientX, event.clientY);
		});
		scroller.addEventListener("wheel", event => this.wheel(event), {passive: false});
		scroller.addEventListener("keydown", event => this.key(event));
		scroller.addEventListener("focus", () => this.schedule());
		scroller.addEventListener("blur", () => this.schedule());
		new ResizeObserver(() => this.relayout()).observe(scroller);
	}

	/** Another tree of calls; keeps the zoom and what was focused if they are in it. */
	show(root, isUpward) {
		this.root = root;
		this.isUpward = isUpward;
		this.zoomed = this.zoomed ? findSameNode(root, this.zoomed) : root;
		this.focused = this.focused ? findSameNode(root, this.focused) : root;
		cancelAnimationFrame(this.animation);
		this.view = {start: this.zoomed.x, span: this.zoomed.span || 1};
		this.relayout();
		this.scrollToBase();
		this.on.zoom(this.zoomed);
	}

	/** To where the outermost frames are. */
	scrollToBase() {
		this.scroller.scrollTop = this.isUpward ? this.scroller.scrollHeight : 0;
	}

	push(node, left, width) {
		const at = this.nodes.length;
		if (at === this.left.length) {
			const grow = array => {
				const larger = new Float32Array(array.length * 2);
				larger.set(array);
				return larger;
			};
			this.left = grow(this.left);
			this.width = grow(this.width);
		}
		this.nodes.push(node);
		this.left[at] = left;
		this.width[at] = width;
	}

	/** Where things are, from the root as far as they are wide enough. */
	layout() {
		const total = this.scroller.clientWidth, {start, span} = this.view, scale = total / span;
		this.nodes.length = 0;
		this.rests.length = 0;
		this.depth = 0;
		const open = [this.root];
		while (open.length) {
			const node = open.pop(), left = (node.x - start) * scale, width = node.span * scale;
			if (left >= total || left + width <= 0)
				continue;
			this.push(node, left, width);
			this.depth = Math.max(this.depth, node.depth);
			if (node.isTimed)
				this.layOutTimes(node.children, open, scale, total);
			else
				this.layOutCalls(node.children, open, scale, total);
		}
	}

	layOutCalls(children, open, scale, total) {
		for (let i = 0; i < children.length; i++) {
			if (children[i].span * scale < MIN_WIDTH) {
				this.addRest(children, i, this.view.start, scale, total); // all that follow are narrower still
				break;
			}
			open.push(children[i]);
		}
	}

	/** In order of time, narrow ones stand between wide ones: neighbours become one shade. */
	layOutTimes(children, open, scale, total) {
		let rest = null;
		for (const child of children) {
			const left = (child.x - this.view.start) * scale, width = child.span * scale;
			if (left >= total || left + width <= 0)
				continue;
			if (width >= MIN_WIDTH) {
				open.push(child);
				continue;
			}
			if (!rest || left - rest.left - rest.width > MIN_WIDTH || rest.depth !== child.depth)
				this.rests.push(rest = {left, width: MIN_WIDTH, depth: child.depth, count: 0});
			rest.width = Math.max(rest.width, left + width - rest.left);
			rest.count++;
			this.depth = Math.max(this.depth, child.depth);
		}
	}

	addRest(children, first, start, scale, total) {
		const last = children[children.length - 1];
		const left = (children[first].x - start) * scale;
		const right = (last.x + last.span - start) * scale;
		if (right - left >= MIN_WIDTH && right > 0 && left < total) {
			this.rests.push({left, width: right - left, depth: children[first].depth,
				count: children.length - first});
			this.depth = Math.max(this.depth, children[first].depth);
		}
	}

	relayout() {
		if (!this.root)
			return;
		const begin = performance.now();
		// Resizing keeps what is at the lower edge, too.
		const below = (this.contentHeight || 0) - this.scroller.scrollTop - (this.shownHeight || 0);
		this.layout();
		this.height = (this.depth + 1) * ROW_HEIGHT;
		// A pixel or two too many, as boxes have fractions of them, are not worth a scroll bar.
		const room = this.scroller.clientHeight, shown = this.height <= room + 2 ? room - 1 : this.height;
		this.spacer.style.height = shown + "px";
		this.contentHeight = shown;
		if (this.isUpward)
			this.scroller.scrollTop = shown - this.scroller.clientHeight - Math.max(0, below);
		this.shownHeight = this.scroller.clientHeight;
		this.draw();
		performance.measure("wperf-frame", {start: begin, end: performance.now()});
	}

	schedule() {
		if (this.frame)
			return;
		this.frame = requestAnimationFrame(() => {
			this.frame = 0;
			this.draw();
		});
	}

	rowTop(depth) {
		return this.isUpward ? this.contentHeight - (depth + 1) * ROW_HEIGHT : depth * ROW_HEIGHT;
	}

	draw() {
		if (!this.root)
			return;
		// A canvas as high as its box would itself be something to scroll.
		const width = this.scroller.clientWidth, height = Math.max(1, this.scroller.clientHeight - 1);
		const context = prepareCanvas(this.canvas, width, height);
		const {scrollTop} = this.scroller, {palette} = this.report;
		context.font = palette.get("graph-font");
		context.textBaseline = "middle";
		for (const rest of this.rests) {
			const top = this.rowTop(rest.depth) - scrollTop;
			if (top > -ROW_HEIGHT && top < height) {
				context.fillStyle = palette.rest;
				context.fillRect(rest.left, top, rest.width, ROW_HEIGHT - 1);
			}
		}
		for (let i = 0; i < this.nodes.length; i++) {
			const top = this.rowTop(this.nodes[i].depth) - scrollTop;
			if (top > -ROW_HEIGHT && top < height)
				this.drawNode(context, this.nodes[i], i, top, width);
		}
		this.drawMarks(context, scrollTop);
	}

	fillOf(node) {
		const {palette, matches} = this.report;
		if (matches && node.code >= 0 && matches[node.func])
			return [palette.match, palette.match_label];
		if (matches)
			return [palette.dim, palette.dim_label];
		if (this.report.isDiff && !node.isTimed)
			return [palette.changeColor(this.report.changeOf(node)), palette.label];
		return [node.code < 0 ? palette.root : palette.colorOf(node.code), palette.label];
	}

	drawNode(context, node, i, top, total) {
		const ratio = window.devicePixelRatio || 1, snap = x => Math.round(x * ratio) / ratio;
		const left = Math.max(0, snap(this.left[i]));
		const right = Math.min(total, snap(this.left[i] + this.width[i]));
		const gap = this.width[i] > 3 ? 1 : this.width[i] > 1.5 ? 0.4 : 0;
		const [fill, ink] = this.fillOf(node);
		const isAbove = node.depth < this.zoomed.depth;
		context.globalAlpha = isAbove ? 0.5 : 1;
		context.fillStyle = fill;
		context.fillRect(left, top, Math.max(right - left - gap, 0.4), ROW_HEIGHT - 1);
		const hatch = node.code >= 0 && right - left > 2 * HATCH_TILE && !this.report.matches && !this.report.isDiff &&
			this.report.palette.hatches[this.report.palette.kindOf(node.code)];
		if (hatch) {
			context.fillStyle = hatch;
			context.fillRect(left, top, right - left - gap, ROW_HEIGHT - 1);
		}
		context.globalAlpha = 1;
		if (right - left >= MIN_LABEL_WIDTH) {
			context.fillStyle = isAbove ? this.report.palette.label_faint : ink;
			this.drawLabel(context, this.report.labelOf(node), left + 5, top, right - left - 10);
		}
	}

	drawLabel(context, label, left, top, room) {
		const measure = text => {
			let width = this.widths.get(text);
			if (width === undefined)
				this.widths.set(text, width = context.measureText(text).width);
			return width;
		};
		if (measure(label) > room) {
			const key = `${Math.floor(room)} ${label}`;
			if (this.fitted.size > MAX_FITTED) {
				this.fitted.clear();
				this.widths.clear();
			}
			if (!this.fitted.has(key))
				this.fitted.set(key, fitName(label, room, measure));
			label = this.fitted.get(key);
		}
		context.fillText(label, left, top + ROW_HEIGHT / 2);
	}

	/** Outlines: of the selected function, of what the keyboard and the pointer are at. */
	drawMarks(context, scrollTop) {
		const {palette, selected} = this.report;
		const hasFocus = document.activeElement === this.scroller;
		const outline = (i, color, thickness) => {
			const inset = thickness / 2, top = this.rowTop(this.nodes[i].depth) - scrollTop;
			const left = Math.max(0, this.left[i]);
			const right = Math.min(this.scroller.clientWidth, this.left[i] + this.width[i]) - 1;
			context.strokeStyle = color;
			context.lineWidth = thickness;
			context.strokeRect(left + inset, top + inset, Math.max(right - left - thickness, 0.5),
				ROW_HEIGHT - 1 - thickness);
		};
		for (let i = 0; i < this.nodes.length; i++) {
			const node = this.nodes[i];
			if (hasFocus && node === this.focused)
				outline(i, palette.accent, 2.5);
			else if (node.code >= 0 && node.func === selected && this.width[i] > 2)
				outline(i, palette.ink, 1.5);
			else if (node === this.pointed)
				outline(i, palette.ink, 1);
		}
	}

	nodeAt(event) {
		const box = this.scroller.getBoundingClientRect();
		const x = event.clientX - box.left, y = event.clientY - box.top + this.scroller.scrollTop;
		const depth = Math.floor(this.isUpward ? (this.contentHeight - y) / ROW_HEIGHT : y / ROW_HEIGHT);
		for (let i = 0; i < this.nodes.length; i++) {
			if (this.nodes[i].depth === depth && x >= this.left[i] && x < this.left[i] + this.width[i])
				return this.nodes[i];
		}
		return null;
	}

	/** Moves to where the node takes the whole width, step by step unless that is not wanted. */
	zoomTo(node) {
		this.zoomed = node;
		this.on.zoom(node);
		this.moveTo(node.x, node.span || 1);
	}

	moveTo(start, span) {
		cancelAnimationFrame(this.animation);
		const from = {...this.view}, begin = performance.now();
		const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : ZOOM_MS;
		const step = now => {
			const done = duration ? Math.max(0, Math.min(1, (now - begin) / duration)) : 1;
			const eased = 1 - (1 - done) ** 3;
			this.view = {
				start: from.start + (start - from.start) * eased,
				span: from.span + (span - from.span) * eased,
			};
			this.relayout();
			if (done < 1)
				this.animation = requestAnimationFrame(step);
			else
				this.showZoomed();
		};
		this.animation = requestAnimationFrame(step);
	}

	/** Ctrl and the wheel zoom where the pointer is, as in maps; Shift moves sideways. */
	wheel(event) {
		if (!event.ctrlKey && !event.shiftKey)
			return;
		event.preventDefault();
		const box = this.scroller.getBoundingClientRect(), {start, span} = this.view;
		const total = this.root.span || 1, share = (event.clientX - box.left) / box.width;
		const delta = event.deltaY || event.deltaX;
		const next = event.ctrlKey ? Math.min(total, span * Math.exp(delta * 0.004)) : span;
		const moved = event.ctrlKey ? start + share * (span - next) : start + delta / box.width * span;
		this.view = {start: Math.max(0, Math.min(total - next, moved)), span: next};
		this.relayout();
	}

	focusOn(node) {
		this.focused = node;
		this.reveal(node);
		this.on.select(node);
		this.schedule();
	}

	/** For the keyboard: at the node that has the focus. */
	openMenu() {
		const box = this.scroller.getBoundingClientRect(), at = this.nodes.indexOf(this.focused);
		const left = at < 0 ? 0 : Math.max(0, this.left[at]);
		this.on.menu(this.focused, box.left + left + 8, box.top + this.rowTop(this.focused.depth) - this.scroller.scrollTop + ROW_HEIGHT);
	}

	/** The node's row is the outermost of those in sight, but for its caller's. */
	startAt(node) {
		const top = this.rowTop(node.depth), {scroller} = this;
		scroller.scrollTop = this.isUpward ? top + 2 * ROW_HEIGHT - scroller.clientHeight : top - ROW_HEIGHT;
		this.schedule();
	}

	/** What was zoomed to, with as many rows of what it calls as there is room for. */
	showZoomed() {
		const {scroller, zoomed} = this, rows = [this.rowTop(zoomed.depth), this.rowTop(this.depth)];
		const top = Math.min(...rows), bottom = Math.max(...rows) + ROW_HEIGHT;
		if (top < scroller.scrollTop || bottom > scroller.scrollTop + scroller.clientHeight)
			this.startAt(zoomed);
		this.reveal(this.focused);
	}

	reveal(node) {
		const top = this.rowTop(node.depth), {scroller} = this;
		if (top < scroller.scrollTop)
			scroller.scrollTop = top - ROW_HEIGHT;
		else if (top + ROW_HEIGHT > scroller.scrollTop + scroller.clientHeight)
			scroller.scrollTop = top + 2 * ROW_HEIGHT - scroller.clientHeight;
	}

	/** What the keyboard goes to has to be in sight: if it is too narrow, its caller is zoomed to. */
	ensureVisible(node) {
		const {start, span} = this.view, scale = this.scroller.clientWidth / span;
		const isInside = node.x < start + span && node.x + node.span > start;
		if (!isInside || node.span * scale < 3)
			this.zoomTo(node.parent || node);
	}

	/** The neighbour in that direction of what is focused, as they are seen. */
	neighbour(key) {
		const node = this.focused, outward = this.isUpward ? "ArrowDown" : "ArrowUp";
		const inward = this.isUpward ? "ArrowUp" : "ArrowDown";
		const siblings = node.parent ? node.parent.children : [node];
		const table = {
			[outward]: () => node.parent,
			[inward]: () => node.children[0],
			ArrowLeft: () => siblings[node.index - 1],
			ArrowRight: () => siblings[node.index + 1],
			Home: () => this.root,
		};
		return table[key] ? table[key]() : undefined;
	}

	key(event) {
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		const isMove = event.key.startsWith("Arrow") || event.key === "Home";
		const next = this.neighbour(event.key);
		if (next) {
			this.focusOn(next);
			this.ensureVisible(next);
		}
		if (event.key === "Enter")
			this.zoomTo(this.focused);
		if (event.key === "m" || event.key === "ContextMenu") {
			event.preventDefault();
			event.stopPropagation();
			this.openMenu();
		}
		if (event.key === "Backspace" && this.zoomed.parent)
			this.zoomTo(this.zoomed.parent);
		if (isMove || event.key === "Enter" || event.key === "Backspace")
			event.preventDefault();
	}
}
