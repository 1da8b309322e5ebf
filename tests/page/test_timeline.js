// SPDX-License-Identifier: Apache-2.0
// test_timeline.js FOLDER WPERF: the page of stat -t --html and stat -I --html. Some pages come from
// wperf as they are; others have its styles and script and counts that are made up here, whose truth
// is known.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const {execFileSync} = require("node:child_process");
const {checkAccessibility} = require("./accessibility.js");
const {BROWSER, PHONE, ReportTab} = require("./browser.js");
const {runCases} = require("./cases.js");
const {nearestColors} = require("./palette.js");

const [folder, wperf] = process.argv.slice(2);
const NOON = Date.UTC(2026, 4, 3, 12);
const HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u202e";
const SECOND = 1e6; // in the unit of the data
const ROOTS = ["frontend_bound", "backend_bound", "retiring", "bad_speculation"];
const PARTS = {frontend_bound: ["fetch_latency", "fetch_bandwidth"], backend_bound: ["memory_bound", "core_bound"],
	retiring: ["light_operations", "heavy_operations"], bad_speculation: ["branch_mispredicts", "machine_clears"]};

// ---- pages ---------------------------------------------------------------------------------

function count(name, ...words) {
	const file = path.join(folder, name);
	execFileSync(wperf, ["stat", "--html", file, ...words], {cwd: folder, stdio: ["ignore", "ignore", "inherit"]});
	return file;
}

let head; // of a page: all before its data

function block(name, data) {
	return `<script type="application/json" class="wperf-${name}">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>\n`;
}

/** @counts: [{length_us, ...}], one behind the other where no start is said. */
function write(name, legend, counts, end = block("end", {}) + "</body>\n</html>\n") {
	const file = path.join(folder, name);
	let next = 0;
	const blocks = counts.map(each => {
		const start_us = each.start_us ?? next;
		next = start_us + each.length_us;
		return block("count", {time_ms: NOON + start_us / 1000, start_us, multiplexed: false, sections: [], metrics: [], ...each});
	});
	fs.writeFileSync(file, head + block("legend", {command: "", program: "", host: "", machine: "", system: "",
		vendor: "", kernel_mode: false, count_interval: 0, precision: 3, sections: [], metrics: [], topdown: [],
		...legend}) + blocks.join("") + end);
	return file;
}

function events(units, ...list) {
	return {class: "perf", units, events: list.map(([name, unit = "", note = "e"]) => ({name, unit, note}))};
}

/** @rows: for each count, for each core, the values of the metrics @names. */
function topdownPage(name, names, tree, rows, unitOf = () => "percent of slots") {
	const cores = rows[0].map((_, core) => String(core));
	return write(name, {
		metrics: cores.flatMap(core => names.map(each => ({core, name: each, unit: unitOf(each)}))),
		topdown: tree.map(([metric, depth]) => ({metric, depth, counted: names.includes(metric)})),
	}, rows.map(row => ({length_us: SECOND, metrics: row.flat()})));
}

const LEVEL_ONE = ROOTS.map(root => [root, 0]);
const LEVEL_TWO = ROOTS.flatMap(root => [[root, 0], ...PARTS[root].map(part => [part, 1])]);

// ---- what a user sees ----------------------------------------------------------------------

function figure(tab, name) {
	return tab.page.evaluateHandle(wanted => [...document.querySelectorAll("figure")].find(each =>
		each.querySelector("figcaption b")?.textContent === wanted), name);
}

/** Of the data of a plot, without making its canvas one that is read often. */
function readPixels(element, x, y, width, height) {
	const copy = Object.assign(document.createElement("canvas"), {width, height});
	const context = copy.getContext("2d", {willReadFrequently: true});
	context.drawImage(element.plot.canvas, -x, -y);
	return context.getImageData(0, 0, width, height).data;
}

async function plotOf(tab, name) {
	const found = name === "top-down" ? await tab.page.$(".topdown") : await figure(tab, name);
	const plot = await found.$(".plot");
	await plot.scrollIntoView();
	await tab.settle();
	await tab.page.evaluate(`window.pixels = ${readPixels}`);
	return plot;
}

/** Rows of the tip at a share of the axis: {label: value}, its first line as "". */
async function pointAt(tab, name, share) {
	const plot = await plotOf(tab, name), box = await plot.boundingBox();
	const {left, right} = await tab.page.evaluate(each => each.plot.scale, plot);
	await tab.page.mouse.move(box.x + left + share * (right - left), box.y + box.height / 2);
	await tab.settle();
	return tip(tab);
}

function tip(tab) {
	return tab.page.$eval(".tip", element => element.hidden ? null : Object.fromEntries([["", element.querySelector("p").textContent],
		...[...element.querySelectorAll("tr")].map(row => [row.cells[1].textContent,
			[row.cells[2].textContent, row.cells[3].textContent].filter(Boolean).join(" = ")])]));
}

/** What is written into the canvas of a plot, where: [{text, left, right, top, bottom}], and its size. */
async function labels(tab, name) {
	const plot = await plotOf(tab, name);
	return tab.page.evaluate(element => {
		const drawn = [], original = CanvasRenderingContext2D.prototype.fillText;
		CanvasRenderingContext2D.prototype.fillText = function(text, x, y) {
			const {width} = this.measureText(text), share = {left: 0, start: 0, center: 0.5, right: 1, end: 1}[this.textAlign];
			drawn.push({text, left: x - share * width, right: x + (1 - share) * width, y, isTick: this.textBaseline === "top"});
			original.call(this, text, x, y);
		};
		element.plot.draw();
		CanvasRenderingContext2D.prototype.fillText = original;
		return {drawn, width: element.clientWidth, height: element.clientHeight, time: element.plot.timeTitle.textContent,
			value: element.plot.valueTitle.textContent};
	}, plot);
}

/** The most frequent colour of a square of a plot, around a place: time and value. */
async function colorAt(tab, name, time, value) {
	const plot = await plotOf(tab, name);
	return tab.page.evaluate((element, at, of) => {
		const {scale} = element.plot, size = 10;
		const data = window.pixels(element, Math.round(scale.x(at)) - size / 2, Math.round(scale.y(of)) - size / 2, size, size);
		const seen = new Map();
		for (let i = 0; i < data.length; i += 4) {
			const color = `rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})` + (data[i + 3] < 255 ? " clear" : "");
			seen.set(color, (seen.get(color) || 0) + 1);
		}
		return [...seen].sort((a, b) => b[1] - a[1])[0][0];
	}, plot, time, value);
}

/** {name: colour} of the legend of the stack. */
function layerColors(tab) {
	return tab.page.$$eval(".layers li", all => Object.fromEntries(all.map(each => [each.textContent,
		each.querySelector(".swatch").style.backgroundColor])));
}

/** Of each swatch the pixels that are not of its ground: what is left where nobody sees colours. */
function hatches(tab) {
	return tab.page.$$eval(".layers .swatch", all => all.map(canvas => {
		const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height), seen = new Map();
		const pixels = [...new Uint32Array(data.buffer)];
		pixels.forEach(pixel => seen.set(pixel, (seen.get(pixel) || 0) + 1));
		const [ground] = [...seen].sort((a, b) => b[1] - a[1])[0];
		return pixels.map(pixel => pixel === ground ? "." : "x").join("");
	}));
}

async function choose(tab, label, text) {
	const select = await tab.page.evaluateHandle(wanted => [...document.querySelectorAll(".topdown label")]
		.find(each => each.textContent.startsWith(wanted)).querySelector("select"), label);
	const value = await tab.page.evaluate((element, wanted) => [...element.options].find(each => each.text === wanted).value,
		select, text);
	await select.select(value);
	await tab.settle();
}

// ---- tests ---------------------------------------------------------------------------------

let browser;
const tests = {
	async "the stack of a simulated core adds up"() {
		const file = count("sim.html", "--source", "sim,cpu=neoverse-v2", "-m", "topdown", "-c", "0-3", "-t", "-i", "1",
			"-n", "5", "--timeout", "1", "-q");
		const tab = await ReportTab.open(browser, file);
		assert.deepEqual(Object.keys(await layerColors(tab)), [...ROOTS].reverse());
		assert.ok((await tab.text(".topdown .sum")).startsWith("The layers add up to 100 %."));
		// As wperf stat -m topdown prints them.
		const shown = await pointAt(tab, "top-down", 0.5);
		assert.deepEqual({...shown, "": ""}, {"": "", bad_speculation: "5.4 %", retiring: "70.4 %", backend_bound: "10.7 %",
			frontend_bound: "13.6 %"});
		await choose(tab, "Core", "core 3");
		assert.equal((await pointAt(tab, "top-down", 0.55)).backend_bound, "9.8 %");
		// The lines stay.
		for (const name of [...ROOTS, "cycle", "cpu_cycles"])
			assert.ok(await (await figure(tab, name)).$(".plot"), name);
		return tab;
	},

	async "layers are where their values are, in their colours"() {
		const rows = [[[20, 30, 45, 5]], [[10, 20, 60, 4]], [[10, 20, 60, 14]]];
		const tab = await ReportTab.open(browser, topdownPage("layers.html", ROOTS, LEVEL_ONE, rows));
		const colors = await layerColors(tab);
		for (const [time, value, name] of [[0.5, 10, "frontend_bound"], [0.3, 35, "backend_bound"], [0.3, 80, "retiring"],
			[1.5, 5, "frontend_bound"], [1.3, 20, "backend_bound"], [1.3, 70, "retiring"], [2.5, 98, "bad_speculation"],
			[0.95, 15, "frontend_bound"], [1.05, 15, "backend_bound"]]) // a step, no slope
			assert.equal(await colorAt(tab, "top-down", time, value), colors[name], `${name} at ${time}`);
		// What is missing is said, and no layer.
		assert.equal((await pointAt(tab, "top-down", 0.5))["missing to 100 %"], "6.0 %");
		assert.ok((await colorAt(tab, "top-down", 1.5, 97)).endsWith("clear"));
		assert.deepEqual(Object.keys(colors), ["missing to 100 %", ...[...ROOTS].reverse()]);
		const above = await pointAt(tab, "top-down", 0.99);
		assert.equal(above["above 100 %"], "4.0 %");
		assert.equal(await tab.text(".topdown .sum"), "The layers add up to 94.0 % at least and 104.0 % at most.");
		return tab;
	},

	async "metrics that were not counted are no layers"() {
		const rows = [[[20, null]], [[null, null]], [[25, 30]]];
		const tab = await ReportTab.open(browser, topdownPage("partly.html", ROOTS.slice(0, 2), LEVEL_ONE, rows));
		const first = await pointAt(tab, "top-down", 0.1);
		assert.deepEqual({...first, "": ""}, {"": "", "missing to 100 %": "80.0 %", frontend_bound: "20.0 %",
			backend_bound: "not counted", retiring: "not counted", bad_speculation: "not counted"});
		const second = await pointAt(tab, "top-down", 0.5);
		assert.ok(!("missing to 100 %" in second) && second.frontend_bound === "not counted", JSON.stringify(second));
		assert.ok((await tab.text(".topdown .sum")).includes("Not counted: retiring, bad_speculation."));
		return tab;
	},

	async "level 2 divides level 1, or is a stack of its own"() {
		const names = LEVEL_TWO.map(([name]) => name);
		const values = {frontend_bound: 20, fetch_latency: 12, fetch_bandwidth: 8, backend_bound: 30, memory_bound: 21,
			core_bound: 9, retiring: 45, light_operations: 40, heavy_operations: 5, bad_speculation: 5,
			branch_mispredicts: 4, machine_clears: 1};
		const rows = [[names.map(name => values[name])], [names.map(name => values[name])]];
		const tab = await ReportTab.open(browser, topdownPage("level2.html", names, LEVEL_TWO, rows));
		await choose(tab, "Layers", "Level 2");
		const colors = await layerColors(tab);
		assert.deepEqual(Object.keys(colors), ROOTS.flatMap(root => PARTS[root]).reverse());
		assert.equal(await tab.text(".topdown .sum"), "The layers add up to 100 %.");
		assert.equal(await colorAt(tab, "top-down", 0.7, 4), colors.fetch_latency);
		assert.equal(await colorAt(tab, "top-down", 0.7, 16), colors.fetch_bandwidth);
		await tab.page.close();
		// Shares of another whole: on Arm, of the cycles in which the frontend stalled.
		const parts = [...ROOTS, "frontend_core_bound", "frontend_mem_bound"];
		const tree = [["frontend_bound", 0], ["frontend_core_bound", 1], ["frontend_mem_bound", 1], ...LEVEL_ONE.slice(1)];
		const other = await ReportTab.open(browser, topdownPage("within.html", parts, tree, [[[20, 30, 45, 5, 35, 60]]],
			name => parts.indexOf(name) < ROOTS.length ? "percent of slots" : "percent of cycles"));
		await choose(other, "Layers", "Within frontend_bound");
		assert.deepEqual(Object.keys(await layerColors(other)), ["missing to 100 %", "frontend_mem_bound", "frontend_core_bound"]);
		assert.equal((await labels(other, "top-down")).value, "percent of cycles");
		return other;
	},

	async "layers differ for all kinds of sight, and without colours"() {
		for (const scheme of ["light", "dark"]) {
			const tab = await ReportTab.open(browser, path.join(folder, "level2.html"), {scheme});
			for (const level of ["Level 1", "Level 2"]) {
				await choose(tab, "Layers", level);
				const {distance, ...where} = nearestColors(Object.values(await layerColors(tab)));
				assert.ok(distance > 10, `${scheme}, ${level}: ${JSON.stringify({distance, ...where})}`);
				const found = await hatches(tab);
				assert.equal(new Set(found).size, found.length, `${scheme}, ${level}`);
				const names = (await labels(tab, "top-down")).drawn.map(each => each.text);
				assert.ok(names.includes(level === "Level 1" ? "backend_bound" : "memory_bound"), names.join());
			}
			assert.deepEqual(tab.faults, []);
			await tab.page.close();
		}
		const tab = await ReportTab.open(browser, path.join(folder, "sim.html"));
		const colors = await tab.page.evaluate(() => [...Array(8).keys()].map(i => {
			const element = document.body.appendChild(document.createElement("i"));
			element.style.color = `var(--series-${i})`;
			return getComputedStyle(element).color;
		}));
		assert.ok(nearestColors(colors).distance > 10, JSON.stringify(nearestColors(colors)));
		return tab;
	},

	async "counts are rates, by the length of each count"() {
		const section = events(["core 0"], ["cycles"], ["page-faults"], ["task-clock", "msec"], ["power/energy-pkg/", "Joules"]);
		const counts = [{length_us: SECOND, sections: [[2.4e9, 7, 1500, 30]]},
			{length_us: SECOND / 4, sections: [[0.6e9, 7, 375, 7.5]]}];
		const tab = await ReportTab.open(browser, write("rates.html", {sections: [section]}, counts));
		const titles = async () => Promise.all(["cycles", "page-faults", "task-clock", "power/energy-pkg/"]
			.map(async name => (await labels(tab, name)).value));
		assert.deepEqual(await titles(), ["cycles/s", "events/s", "CPUs", "W"]);
		for (const [name, first, last] of [["cycles", "2.4 G/s = 2,400,000,000", "2.4 G/s = 600,000,000"],
			["page-faults", "7/s = 7", "28/s = 7"], ["task-clock", "1.5 CPUs = 1,500 ms", "1.5 CPUs = 375 ms"],
			["power/energy-pkg/", "30 W = 30 J", "30 W = 7.5 J"]]) {
			assert.equal((await pointAt(tab, name, 0.2))["core 0"], first);
			assert.equal((await pointAt(tab, name, 0.95))["core 0"], last);
		}
		assert.deepEqual((await labels(tab, "cycles")).drawn.filter(each => !each.isTick).map(each => each.text).slice(0, 2),
			["0", "0.5 G"]);
		await tab.press("Per count");
		assert.deepEqual(await titles(), ["cycles per count", "events per count", "ms per count", "J per count"]);
		assert.equal((await pointAt(tab, "cycles", 0.95))["core 0"], "600,000,000");
		assert.equal((await pointAt(tab, "task-clock", 0.95))["core 0"], "375 ms");
		await tab.press("Per second");
		assert.deepEqual((await titles())[0], "cycles/s");
		return tab;
	},

	async "what was not counted is said"() {
		const section = events(["core 0", "core 1"], ["some"], ["never"], ["absent"], ["half"]);
		const counts = [1, 2, 3, 4, 5].map(i => ({length_us: SECOND,
			sections: [[i === 3 ? null : 7, i === 3 ? null : 5, null, null, false, false, 3, false]]}));
		const tab = await ReportTab.open(browser, write("missing.html", {sections: [section]}, counts));
		const gap = await pointAt(tab, "some", 0.5);
		assert.deepEqual([gap["core 0"], gap["core 1"]], ["not counted", "not counted"]);
		assert.equal((await pointAt(tab, "half", 0.5))["core 1"], "not supported");
		// A mark where there is no line, and none where there is one.
		const drawn = async (name, time) => {
			const plot = await plotOf(tab, name);
			return tab.page.evaluate((element, at) => {
				const {scale} = element.plot;
				const data = window.pixels(element, Math.round(scale.x(at)) - 8, Math.round(scale.base) - 13, 16, 12);
				return new Uint32Array(data.buffer).filter(pixel => pixel >>> 24 > 90).length;
			}, plot, time);
		};
		assert.ok(await drawn("some", 2.5) > 40 && await drawn("half", 2.5) > 20);
		assert.equal(await drawn("some", 1.5), 0);
		for (const [name, words] of [["never", "Not counted: it never had a counter."],
			["absent", "Not supported: this machine cannot count it."]]) {
			const found = await figure(tab, name);
			assert.equal(await found.$eval(".empty", each => each.textContent), words);
			assert.equal(await found.$("canvas"), null);
		}
		return tab;
	},

	async "the header says what ran, how long, when and where"() {
		const legend = {command: `wperf stat -I 1000 -- /opt/bin/server ${HOSTILE}`, program: "/opt/bin/server",
			host: "build-7", machine: "aarch64", system: "6.1.0", vendor: "Arm Limited", kernel_mode: true,
			sections: [events(["'server'"], ["cycles"])]};
		const counts = [1, 2, 3].map(i => ({length_us: i < 3 ? SECOND : SECOND / 2, sections: [[i]], multiplexed: i === 2}));
		const tab = await ReportTab.open(browser, write("header.html", legend, counts));
		assert.equal(await tab.page.title(), "server");
		const date = await tab.page.evaluate(time => new Date(time).toLocaleString(), NOON);
		assert.deepEqual(await tab.page.$$eval("h1 > *", all => all.map(each => each.textContent)),
			["server", "2.5 s elapsed", date, "build-7, aarch64", "6.1.0"]);
		const command = await tab.text("header .command");
		assert.ok(command.startsWith("wperf stat -I 1000 -- /opt/bin/server </script>") && command.endsWith("\\u202e"), command);
		assert.deepEqual(await tab.page.$$eval(".facts span", all => all.map(each => each.textContent)),
			["3 counts, 1 s each", "kernel mode included", "multiplexed, values scaled", "Arm Limited"]);
		await tab.page.close();
		// A real one.
		const file = count("real.html", "-I", "100", "-e", "task-clock,page-faults", "--", "sh", "-c", "sleep 0.25");
		const real = await ReportTab.open(browser, file);
		assert.equal(await real.page.title(), "sh");
		const words = await real.page.$$eval("h1 > *", all => all.map(each => each.textContent));
		assert.match(words[1], /^[\d.]+ (ms|s) elapsed$/);
		assert.ok(words[3].startsWith(os.hostname()), words.join());
		assert.equal(await real.text("header .command"),
			`wperf stat --html ${file} -I 100 -e task-clock,page-faults -- sh -c sleep 0.25`);
		return real;
	},

	async "the axis is that of the counts"() {
		for (const [length, number, title, ticks] of [
			[0.02, 10, "time (ms)", /^\d+$/], [1, 20, "time (s)", /^\d+$/], [5, 60, "time (min:s)", /^\d:[0-5]\d$/],
			[60, 180, "time (h:min)", /^\d:[0-5]\d$/]]) {
			const counts = Array.from({length: number}, (_, i) => ({length_us: length * SECOND, sections: [[i * 1e9]]}));
			counts.push({length_us: length * SECOND / 4, sections: [[1e9]]}); // cut off
			const file = write(`axis-${length}.html`, {sections: [events(["core 0"], ["cycles"])]}, counts);
			for (const width of [1500, 1100, 390]) {
				const tab = await ReportTab.open(browser, file, {width});
				const found = await labels(tab, "cycles"), shown = found.drawn.filter(each => each.isTick);
				assert.equal(found.time, title);
				assert.ok(shown.length >= 3 && shown.every(each => ticks.test(each.text)), shown.map(each => each.text).join());
				assert.ok(["0", "0:00"].includes(shown[0].text));
				shown.forEach((each, i) => assert.ok(i === 0 || each.left > shown[i - 1].right + 4, `${title}: ${each.text} overlaps`));
				for (const each of found.drawn)
					assert.ok(each.left >= 0 && each.right <= found.width && each.y < found.height - 8, `${each.text} is cut off`);
				// From 0 to the end of the last count, which is as wide as it was long.
				const scale = await tab.page.evaluate(plot => plot.plot.scale.x(0) - plot.plot.scale.left, await plotOf(tab, "cycles"));
				assert.equal(scale, 0);
				const [before, last] = [number / (number + 0.25) - 0.002, number / (number + 0.25) + 0.002];
				assert.match((await pointAt(tab, "cycles", before))[""], new RegExp(`count ${number} of ${number + 1} `));
				assert.match((await pointAt(tab, "cycles", last))[""], new RegExp(`count ${number + 1} of ${number + 1} `));
				assert.deepEqual(tab.faults, []);
				await tab.page.close();
			}
		}
	},

	async "a count lasts from its start to its end, and a pause is none"() {
		const counts = [0, 10, 20].map(start => ({start_us: start * SECOND, length_us: 5 * SECOND, sections: [[5e9 * (start + 1)]]}));
		const tab = await ReportTab.open(browser, write("pauses.html", {count_interval: 5, sections: [events(["core 0"], ["cycles"])]},
			counts));
		// The axis ends with the last count: 25 s.
		for (const [share, words] of [[0.01, "count 1 of 3 · 0 s to 5 s"], [0.19, "count 1 of 3"], [0.41, "count 2 of 3 · 10 s to 15 s"],
			[0.99, "count 3 of 3 · 20 s to 25 s"]])
			assert.ok((await pointAt(tab, "cycles", share))[""].includes(words), words);
		const line = await tab.page.$eval(":root", root => getComputedStyle(root).getPropertyValue("--series-0").trim());
		const strength = async time => {
			const plot = await plotOf(tab, "cycles");
			return tab.page.evaluate((element, at) => {
				const {scale} = element.plot, value = at < 5 ? 1 : 6; // G/s; half-way of the first pause
				const data = window.pixels(element, Math.round(scale.x(at)), Math.round(scale.y(value * 1e9)) - 4, 1, 9);
				return Math.max(...data.filter((_, i) => i % 4 === 3));
			}, plot, time);
		};
		assert.ok(line.startsWith("#") && await strength(2.5) > 220 && await strength(7.5) < 150);
		assert.ok((await tab.text(".facts")).includes("pauses of 5 s"));
		return tab;
	},

	async "simulated counts have numbers and no time"() {
		const tab = await ReportTab.open(browser, path.join(folder, "sim.html"));
		const found = await labels(tab, "cycle");
		assert.equal(found.time, "count");
		assert.deepEqual(found.drawn.filter(each => each.isTick).map(each => each.text), ["1", "2", "3", "4", "5"]);
		assert.ok((await tab.text("h1")).includes("5 s of simulated time"));
		const shown = await pointAt(tab, "cycle", 0.5);
		assert.equal(shown[""], "cycle count 3 of 5");
		assert.equal(shown["core 0"], "2.25 G/s = 2,250,000,000");
		return tab;
	},

	async "one chart for one thing"() {
		const tab = await ReportTab.open(browser, path.join(folder, "sim.html"));
		const names = await tab.page.$$eval("figcaption b", all => all.map(each => each.textContent));
		assert.equal(new Set(names).size, names.length, names.join());
		const cycles = await figure(tab, "cpu_cycles");
		assert.deepEqual(await cycles.$$eval(".variants li", all => all.map(each => each.textContent)),
			["g0,frontend_bound", "g1,backend_bound", "g2,retiring", "g3,bad_speculation"]);
		const shown = await pointAt(tab, "cpu_cycles", 0.5);
		assert.equal(Object.keys(shown).length, 1 + 4 * 4);
		assert.equal(shown["core 2 · g1,backend_bound"], "2.25 G/s = 2,250,000,000");
		assert.deepEqual(tab.faults, []);
		await tab.page.close();
		const file = count("twice.html", "--source", "sim", "-e", "ld_spec,ld_spec", "-m", "ipc,ipc", "-c", "1", "-I", "100", "-n", "2");
		const twice = await ReportTab.open(browser, file);
		assert.deepEqual(await (await figure(twice, "ld_spec")).$$eval(".variants li", all => all.map(each => each.textContent)),
			["#1", "#2"]);
		assert.deepEqual(await (await figure(twice, "ipc")).$$eval(".variants li", all => all.map(each => each.textContent)),
			["group 1", "group 2"]);
		// Lines of groups on one core have a colour and a pattern each.
		assert.deepEqual(Object.keys(await pointAt(twice, "ld_spec", 0.5)).sort(), ["", "#1", "#2"]);
		assert.deepEqual(twice.faults, []);
		await twice.page.close();
		// Cores that count events of their own are in one chart all the same.
		const cores = [0, 1].map(core => ({class: "core", units: [`core ${core}`], events: [{name: "cycle", note: "e", unit: ""}]}));
		const own = await ReportTab.open(browser, write("own.html", {sections: cores}, [{length_us: SECOND, sections: [[1e9], [2e9]]}]));
		assert.deepEqual(await pointAt(own, "cycle", 0.5), {"": "cycle count 1 of 1 · 0 s to 1 s · " + await own.page.evaluate(
			time => new Date(time).toLocaleTimeString(), NOON), "core 1": "2 G/s = 2,000,000,000", "core 0": "1 G/s = 1,000,000,000"});
		return own;
	},

	async "with the keyboard, and spoken"() {
		const tab = await ReportTab.open(browser, path.join(folder, "rates.html"));
		await tab.page.focus(".tools > button");
		await tab.keys("Tab");
		assert.equal(await tab.page.evaluate(() => document.activeElement.getAttribute("aria-label")), "cycles, cycles/s");
		await tab.keys("ArrowRight");
		const spoken = () => tab.page.$eval('[aria-live="polite"]', each => each.textContent);
		assert.match(await spoken(), /^count 1 of 2 · 0 s to 1 s · .*: core 0 2\.4 G\/s$/);
		await tab.keys("End");
		assert.match(await spoken(), /^count 2 of 2 /);
		assert.equal((await tip(tab))["core 0"], "2.4 G/s = 600,000,000");
		await tab.keys("ArrowRight", "ArrowLeft");
		assert.match(await spoken(), /^count 1 of 2 /);
		await tab.keys("Escape");
		assert.equal(await tip(tab), null);
		assert.equal(await spoken(), "");
		await tab.keys("Tab");
		assert.equal(await tab.page.evaluate(() => document.activeElement.getAttribute("aria-label")), "page-faults, events/s");
		assert.equal(await tab.address(), "");
		return tab;
	},

	async "with a finger"() {
		const tab = await ReportTab.open(browser, path.join(folder, "rates.html"), PHONE);
		const box = await (await plotOf(tab, "cycles")).boundingBox();
		await tab.tap(box.x + box.width / 3, box.y + 40);
		await tab.settle();
		assert.equal((await tip(tab))["core 0"], "2.4 G/s = 2,400,000,000");
		const place = await (await tab.page.$(".tip")).boundingBox();
		assert.ok(place.x >= 0 && place.x + place.width <= 390, JSON.stringify(place));
		const title = await (await tab.page.$("h2")).boundingBox();
		await tab.tap(title.x + 5, title.y + 5);
		await tab.settle();
		assert.equal(await tip(tab), null);
		return tab;
	},

	async "axe finds nothing, and nothing is too wide"() {
		for (const name of ["sim.html", "missing.html", "header.html", "killed.html", "twice.html"]) {
			for (const scheme of BROWSER === "chromium" ? ["light", "dark"] : ["light"]) {
				for (const [width, height] of [[1500, 900], [390, 800]]) {
					const tab = await ReportTab.open(browser, path.join(folder, name), {width, height, scheme});
					if (BROWSER === "chromium")
						await checkAccessibility(tab, `${name}, ${scheme}, ${width}`);
					const excess = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
					assert.ok(excess <= 0, `${name}, ${width}: ${excess} pixels too wide`);
					assert.deepEqual(tab.faults, []);
					await tab.page.close();
				}
			}
		}
	},

	async "on paper"() {
		const tab = await ReportTab.open(browser, path.join(folder, "sim.html"), {scheme: "dark"});
		const paper = Buffer.from(await tab.page.pdf({format: "A4"}));
		assert.equal(paper.subarray(0, 5).toString(), "%PDF-");
		const laid = await tab.page.evaluate(() => {
			dispatchEvent(new Event("beforeprint"));
			const charts = [...document.querySelectorAll(".plot")].map(each => ({width: each.clientWidth,
				canvas: each.firstChild.getBoundingClientRect().width, overlay: getComputedStyle(each.lastChild).display,
				isDrawn: new Set(new Uint32Array(each.firstChild.getContext("2d").getImageData(0, 0, 600, 300).data.buffer)).size > 3}));
			const found = {charts, body: document.body.offsetWidth, theme: document.documentElement.dataset.theme,
				tools: getComputedStyle(document.querySelector(".tools")).display};
			dispatchEvent(new Event("afterprint"));
			return found;
		});
		assert.equal(laid.theme + laid.tools, "lightnone");
		assert.ok(laid.body <= 700, laid.body);
		// Also those that nobody scrolled to. A second canvas would hide the first one on paper.
		assert.ok(laid.charts.length > 8 && laid.charts.every(each => each.isDrawn && each.width === each.canvas &&
			each.overlay === "none" && each.width < 700), JSON.stringify(laid.charts));
		await tab.settle();
		assert.equal(await tab.page.evaluate(() => document.documentElement.dataset.theme), "dark");
		return tab;
	},

	async "a page whose run was killed is a page"() {
		const text = fs.readFileSync(path.join(folder, "sim.html"), "utf8");
		const data = text.indexOf('<script type="application/json"'), file = path.join(folder, "killed.html");
		for (const [share, number] of [[0, 0], [0.2, null], [0.55, null], [0.999, null], [1, 5]]) {
			const there = text.slice(data, data + Math.round(share * (text.length - data)));
			fs.writeFileSync(file, head + there);
			const tab = await ReportTab.open(browser, file);
			const counts = there.split('"wperf-count"').slice(1).filter(each => each.includes("</script>")).length;
			assert.equal(number ?? counts, counts);
			assert.ok((await tab.text("body")).includes(counts ? `${counts} count` : "There are no counts."), `${share}`);
			assert.equal((await tab.page.$$(".incomplete")).length, share < 0.99 ? 1 : 0);
			assert.deepEqual(tab.faults, []);
			await tab.page.close();
		}
		fs.writeFileSync(file, text.slice(0, data + Math.round(0.55 * (text.length - data))));
	},

	async "many cores and many counts"() {
		const units = Array.from({length: 64}, (_, i) => `core ${i}`);
		const counts = Array.from({length: 2000}, (_, i) => ({length_us: SECOND,
			sections: [units.map((_, core) => Math.round(1e9 * (1 + Math.sin(i / 50 + core))))]}));
		const tab = await ReportTab.open(browser, write("many.html", {sections: [events(units, ["cycles"])]}, counts));
		assert.equal((await tab.page.$$("figure")).length, 1);
		assert.equal(await tab.page.title(), "64 cores");
		assert.equal(Object.keys(await pointAt(tab, "cycles", 0.5)).length, 17);
		await tab.press("none");
		await tab.press("core 63");
		assert.deepEqual(Object.keys(await pointAt(tab, "cycles", 0.55)), ["", "core 63"]);
		return tab;
	},
};

runCases(async (opened, run) => {
	browser = opened;
	const skeleton = fs.readFileSync(count("skeleton.html", "--source", "sim", "-e", "ld_spec", "-c", "0", "-I", "100", "-n", "1"), "utf8");
	head = skeleton.slice(0, skeleton.indexOf('<script type="application/json"'));
	// The tests about all pages come last, when they are written.
	const late = ["axe finds nothing, and nothing is too wide"];
	const names = Object.keys(tests);
	for (const name of [...names.filter(each => !late.includes(each)), ...late]) {
		await run(name, async () => {
			const tab = await tests[name]();
			if (!tab)
				return;
			assert.deepEqual(tab.faults, []);
			await tab.page.close();
		});
	}
});
