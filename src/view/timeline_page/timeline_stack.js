// SPDX-License-Identifier: Apache-2.0
// The top-down method: metrics that divide the slots of the pipeline, or the cycles of a part of it,
// as layers of a stack. What was counted is drawn as it is: the rest to 100 percent is no layer but
// named as what is missing, and a sum above 100 is drawn above it.

const LAYER_WORDS = [/frontend/, /backend/, /retir/, /spec/]; // in the order of their colours
const NUM_LAYER_COLORS = 8; // in CSS: --layer-0 and --layer-1 are the first root's, and so on
const CHILD_ORDER = [0, 2, 4, 6, 1, 3, 5, 7]; // far from each other
const WHOLE = 100;
const ROUNDING = 0.05; // of a percent: what a sum may be beside 100
const MIN_LABEL_HEIGHT = 15;
const MAX_LABEL_STEPS = 240; // places that are tried for the label of a layer
const TILE = 10;

/** What lies on a layer, so that colour is not all that tells it: lines from (x, y) to (x, y) of a tile. */
const HATCHES = [
	[[-5, 5, 5, -5], [0, 10, 10, 0], [5, 15, 15, 5]], // rising
	[[5, 0, 5, 10]], // upright
	[[-5, 5, 5, 15], [0, 0, 10, 10], [5, -5, 15, 5]], // falling
	[[0, 5, 10, 5]], // level
	[], // plain
	[[3, 3, 7, 7], [3, 7, 7, 3]], // crosses
	[[2, 2.5, 3.5, 2.5], [7, 7.5, 8.5, 7.5]], // dots
	[[2, 5, 8, 5], [5, 2, 5, 8]], // plus signs
];

function layerPattern(context, layer) {
	const tile = make("canvas", {width: TILE, height: TILE}), pen = tile.getContext("2d");
	pen.fillStyle = themeColor("layer-" + layer);
	pen.fillRect(0, 0, TILE, TILE);
	pen.strokeStyle = themeColor("hatch");
	pen.beginPath();
	for (const [x0, y0, x1, y1] of HATCHES[layer]) {
		pen.moveTo(x0, y0);
		pen.lineTo(x1, y1);
	}
	pen.stroke();
	return context.createPattern(tile, "repeat");
}

/** [{name, unit, children, isCounted}]: the roots, from the list of timeline_html.c. */
function topdownTree() {
	const roots = [], path = [];
	for (const {metric, depth, counted} of run.legend.topdown) {
		const found = run.legend.metrics.find(each => each.name === metric);
		const node = {name: metric, unit: found ? found.unit : "", isCounted: counted, children: []};
		path.length = depth;
		// Of a part whose whole was not counted, nobody knows what it is a share of.
		const siblings = depth ? path[depth - 1]?.children : roots;
		if (siblings) {
			siblings.push(node);
			path.push(node);
		}
	}
	return roots;
}

/** The colour of a root: that of its part of the core, whatever the order of the tree. */
function rootColor(name, index) {
	const known = LAYER_WORDS.findIndex(word => word.test(name));
	return 2 * (known >= 0 ? known : index % LAYER_WORDS.length);
}

/** A stack is {label, unit, layers: [{name, color}], absent: names of what would be a layer}. */
function rootStack(roots) {
	const counted = roots.filter(root => root.isCounted);
	return {
		label: "Level 1", unit: counted[0].unit, absent: roots.filter(root => !root.isCounted).map(root => root.name),
		layers: counted.map((root, i) => ({name: root.name, color: rootColor(root.name, i)})),
	};
}

/** Roots in parts, where parts and whole are in the same unit. */
function levelTwo(roots) {
	const isDivided = root => root.children.length > 0 && root.children.every(child => child.unit === root.unit);
	const counted = roots.filter(root => root.isCounted);
	if (!counted.some(isDivided))
		return [];
	const layers = counted.flatMap((root, i) => !isDivided(root) ? [{name: root.name, color: rootColor(root.name, i)}]
		: root.children.map((child, nth) => ({name: child.name, color: rootColor(root.name, i) + nth % 2})));
	return [{...rootStack(roots), label: "Level 2", layers}];
}

/** The parts of a root in a unit of their own, as shares of the cycles in which it stalled. */
function partStacks(roots) {
	return roots.filter(root => root.children.length > 1 && root.children.every(child => child.unit !== root.unit))
		.map(root => ({
			label: "Within " + root.name, unit: root.children[0].unit, absent: [],
			layers: root.children.map((child, i) => ({name: child.name, color: CHILD_ORDER[i % CHILD_ORDER.length]})),
		}));
}

function makeStacks() {
	const roots = topdownTree();
	if (roots.filter(root => root.isCounted).length < 2)
		return [];
	return [rootStack(roots), ...levelTwo(roots), ...partStacks(roots)];
}

/** @values: of a count, some of them missing. {edges: from 0 up, sum, isEmpty}; below 0 nothing is drawn. */
function stackUp(values) {
	const edges = [0];
	let sum = 0;
	for (const value of values) {
		const known = isKnown(value) ? value : 0;
		sum += known;
		edges.push(edges[edges.length - 1] + Math.max(0, known));
	}
	return {edges, sum, isEmpty: !values.some(isKnown)};
}

class StackChart extends Plot {
	constructor(metrics, stacks, tip) {
		super(tip);
		this.metrics = metrics; // the group of their lines
		this.stacks = stacks;
		this.series = 0;
		this.legend = make("ul", {className: "layers", attributes: {"aria-label": "Layers, from the top"}});
		this.sumText = make("p", {className: "sum"});
		this.select(stacks[0], 0);
	}

	select(stack, series) {
		this.stack = stack;
		this.series = series;
		const lineOf = name => this.metrics.charts.find(chart => chart.name === name)?.lines
			.find(line => line.series === series);
		this.values = run.counts.map((_, i) => stack.layers.map(layer => lineOf(layer.name)?.values[i] ?? null));
		this.piles = this.values.map(stackUp);
		this.valueTitle.textContent = stack.unit;
		this.area.setAttribute("aria-label", `Top-down, ${this.metrics.series[series]}, ${stack.label}, ${stack.unit}`);
		this.isDirty = true;
		this.fillLegend();
		schedule();
	}

	/** The gap above the layers: to 100 percent, or of a count without any. */
	missing(index) {
		return WHOLE - this.piles[index].sum;
	}

	fillLegend() {
		const layers = [...this.stack.layers].reverse();
		const piles = this.piles.filter(pile => !pile.isEmpty), sums = piles.map(pile => pile.sum);
		const hasRest = sums.some(sum => sum < WHOLE - ROUNDING);
		this.legend.replaceChildren(
			...hasRest ? [make("li", {}, this.restSwatch(), "missing to 100 %")] : [],
			...layers.map(layer => make("li", {}, this.swatch(layer), layer.name)));
		this.sumText.textContent = this.sumWords(sums);
	}

	sumWords(sums) {
		if (!sums.length)
			return "Not counted: none of these metrics ever had all of its events on counters.";
		const low = sums.reduce((a, b) => Math.min(a, b)), high = sums.reduce((a, b) => Math.max(a, b));
		const percent = value => value.toFixed(1) + " %", words = [];
		if (low >= WHOLE - ROUNDING && high <= WHOLE + ROUNDING)
			words.push("The layers add up to 100 %.");
		else if (percent(low) === percent(high))
			words.push(`The layers add up to ${percent(low)}.`);
		else
			words.push(`The layers add up to ${percent(low)} at least and ${percent(high)} at most.`);
		if (this.stack.absent.length)
			words.push(`Not counted: ${this.stack.absent.join(", ")}.`);
		if (run.counts.some(count => count.multiplexed))
			words.push("Their events took turns on the counters.");
		if (this.values.flat().some(value => value < 0))
			words.push("Values below 0 have no height.");
		return words.join(" ");
	}

	range() {
		const most = this.piles.reduce((high, pile) => Math.max(high, pile.edges[pile.edges.length - 1]), WHOLE);
		return [0, most > WHOLE + ROUNDING ? most : WHOLE];
	}

	drawData(context) {
		const {scale} = this;
		this.drawGaps(context, i => this.piles[i].isEmpty);
		this.drawRest(context);
		this.stack.layers.forEach((layer, k) => {
			context.fillStyle = layerPattern(context, layer.color);
			forRuns(i => !this.piles[i].isEmpty, (first, last) => this.drawLayer(context, k, first, last));
		});
		context.strokeStyle = themeColor("card");
		context.lineWidth = 1;
		this.stack.layers.forEach((layer, k) => this.drawLabel(context, layer, k));
		// The line that the layers should reach.
		context.strokeStyle = themeColor("ink");
		context.setLineDash([4, 3]);
		context.beginPath();
		context.moveTo(scale.left, Math.round(scale.y(WHOLE)) + 0.5);
		context.lineTo(scale.right, Math.round(scale.y(WHOLE)) + 0.5);
		context.stroke();
		context.setLineDash([]);
	}

	/** One layer of counts that all have values; over pauses it is pale. */
	drawLayer(context, k, first, last) {
		const {scale, piles} = this, {spans} = run;
		const trace = (from, to, points) => {
			context.beginPath();
			for (let i = from; i <= to; i++)
				points(i, k + 1).forEach(([time, value]) => context.lineTo(scale.x(time), scale.y(value)));
			for (let i = to; i >= from; i--)
				points(i, k).reverse().forEach(([time, value]) => context.lineTo(scale.x(time), scale.y(value)));
			context.fill();
		};
		const narrow = MIN_STEP * run.end / (scale.right - scale.left);
		const step = (i, edge) => [spans[i][0], Math.max(spans[i][1], spans[i][0] + narrow)].map(
			time => [time, piles[i].edges[edge]]);
		for (let from = first, i = first + 1; i <= last + 1; i++) {
			if (i <= last && isJoined(i))
				continue;
			trace(from, i - 1, step);
			context.globalAlpha = 0.35;
			if (i <= last)
				trace(i, i, (at, edge) => [[spans[at - 1][1], piles[at - 1].edges[edge]], [spans[at][0], piles[at].edges[edge]]]);
			context.globalAlpha = 1;
			from = i;
		}
	}

	drawRest(context) {
		const {scale} = this;
		context.fillStyle = hatchPattern(context, themeColor("gap"));
		run.spans.forEach(([start, end], i) => {
			const {edges, isEmpty} = this.piles[i], top = edges[edges.length - 1];
			if (!isEmpty && top < WHOLE - ROUNDING)
				context.fillRect(scale.x(start), scale.y(WHOLE), scale.x(end) - scale.x(start), scale.y(top) - scale.y(WHOLE));
		});
	}

	/** The name of a layer where it is high enough for the longest time. */
	drawLabel(context, layer, k) {
		const {scale} = this, count = run.counts.length, step = Math.max(1, Math.ceil(count / MAX_LABEL_STEPS));
		let best = null;
		for (let first = 0; first < count; first += step) {
			let low = -Infinity, high = Infinity; // of the pixels that all counts of the stretch have
			for (let i = first; i < count && !this.piles[i].isEmpty; i += step) {
				low = Math.max(low, scale.y(this.piles[i].edges[k + 1]));
				high = Math.min(high, scale.y(this.piles[i].edges[k]));
				if (high - low < MIN_LABEL_HEIGHT)
					break;
				const left = scale.x(run.spans[first][0]), right = scale.x(run.spans[i][1]);
				if (!best || right - left > best.right - best.left)
					best = {left, right, y: (low + high) / 2};
			}
		}
		const width = context.measureText(layer.name).width + 10;
		if (!best || best.right - best.left < width)
			return;
		const x = (best.left + best.right) / 2;
		context.textAlign = "center";
		context.textBaseline = "middle";
		context.fillStyle = themeColor("layer-" + layer.color);
		context.fillRect(x - width / 2, best.y - 7, width, 14);
		context.fillStyle = themeColor("ink");
		context.fillText(layer.name, x, best.y + 0.5);
	}

	dots() {
		return [];
	}

	swatchOf(fill, color) {
		const canvas = make("canvas", {className: "swatch layer", attributes: {"aria-hidden": "true"}});
		const context = prepareCanvas(canvas, 26, 14);
		canvas.style.backgroundColor = color;
		context.fillStyle = fill(context);
		context.fillRect(0, 0, 26, 14);
		return canvas;
	}

	swatch(layer) {
		return this.swatchOf(context => layerPattern(context, layer.color), themeColor("layer-" + layer.color));
	}

	restSwatch() {
		return this.swatchOf(context => hatchPattern(context, themeColor("gap")), "");
	}

	rows(index) {
		const {layers, absent} = this.stack, text = value => exactNumber(value, 1) + " %";
		const rows = layers.map((layer, k) => {
			const value = this.values[index][k];
			return {swatch: this.swatch(layer), label: layer.name, more: "",
				value: isKnown(value) ? text(value) : missingWords(value)};
		}).reverse();
		const missing = this.missing(index);
		if (!this.piles[index].isEmpty && missing > ROUNDING)
			rows.unshift({swatch: this.restSwatch(), label: "missing to 100 %", value: text(missing), more: ""});
		else if (missing < -ROUNDING)
			rows.unshift({swatch: "", label: "above 100 %", value: text(-missing), more: ""});
		return rows.concat(absent.map(name => ({swatch: "", label: name, value: "not counted", more: ""})));
	}

	tipTitle() {
		return this.metrics.series.length > 1 ? this.metrics.series[this.series] : "Top-down";
	}
}
