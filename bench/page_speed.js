// SPDX-License-Identifier: Apache-2.0
// page_speed.js BROWSER wperf PAGE, or page_speed.js BROWSER speedscope INDEX#localProfilePath=SCRIPT:
// what page_speed.py prints, as JSON: {what: milliseconds of each time}.
"use strict";
const {ReportTab, launch} = require("../tests/page/browser.js");

// Where the report's page has its controls: all that is known here of its elements.
const GRAPH = '[aria-roledescription="flame graph"]';
const TIME = '[role="slider"][aria-label^="Time range"]';
const THREADS = '[role="group"][aria-label^="Threads"] button';
const SEARCH = 'input[type="search"]';
const FUNCTIONS = 'section[aria-label="Tables"] tbody';
const MORE = "Show more"; // a button's text, as are these
const VIEWS = ["Icicle", "Outline", "Flame", "Invert", "Invert", "By thread", "By thread"];
const RESET = "Reset";

const ROW_HEIGHT = 20; // of the graph
const LOADS = {wperf: 3, speedscope: 1};
const LOAD_LIMIT_MS = 300000;
const DRAG_MS = 2000;
const WORDS = "get_value";
const QUIET_MS = 300; // after this long without drawing, nothing more is expected

/** In the page before its own scripts: when something was last drawn or changed. */
function watchPage() {
	window.lastDrawn = 0;
	const note = () => window.lastDrawn = performance.now();
	for (const [type, names] of [[CanvasRenderingContext2D, ["clearRect", "fillText", "drawImage"]],
		[WebGLRenderingContext, ["clear", "drawArrays", "drawElements"]]]) {
		for (const name of names) {
			const call = type.prototype[name];
			type.prototype[name] = function(...words) {
				note();
				return call.apply(this, words);
			};
		}
	}
	new MutationObserver(note).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
	// After the frame in which the last drawing was, and all work before it.
	window.whenQuiet = async quietMs => {
		for (let painted = performance.now();;) {
			await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
			if (window.lastDrawn > painted - 1000 / 60)
				painted = performance.now();
			if (performance.now() - painted > quietMs)
				return painted;
		}
	};
	/** The function that it returns gives the lengths of the frames until now, or up to the last drawing. */
	window.watchFrames = () => {
		const times = [];
		let isOver = false;
		requestAnimationFrame(function step() {
			times.push(performance.now());
			if (!isOver)
				requestAnimationFrame(step);
		});
		return isOfDrawing => {
			isOver = true;
			const end = isOfDrawing ? times.filter(time => time <= window.lastDrawn).length + 1 : times.length;
			return times.slice(1, end).map((time, i) => time - times[i]);
		};
	};
}

class Measurement {
	constructor(page) {
		this.page = page;
		this.times = {};
	}

	add(what, ...milliseconds) {
		this.times[what] = (this.times[what] || []).concat(milliseconds);
	}

	/** From an action until what it changes is drawn; what cannot be done is not in the result. */
	async act(what, action, ...words) {
		const time = await this.page.evaluate(`(async () => {
			const begin = performance.now();
			if ((${action})(...${JSON.stringify(words)}) === false)
				return null;
			return await whenQuiet(${QUIET_MS}) - begin;
		})()`);
		if (time === null)
			throw new Error(`${what}: no such control: ${words}`);
		this.add(what, time);
	}

	/** The lengths of frames while work is going on, or while something is drawn because of it. */
	async watch(what, work, isOfDrawing = false) {
		await this.page.evaluate(() => window.framesUntilNow = watchFrames());
		await work();
		this.add(what, ...await this.page.evaluate(isOfDrawing => framesUntilNow(isOfDrawing), isOfDrawing));
	}
}

const press = label => {
	const found = [...document.querySelectorAll("button, label, [role='button'], [role='tab']")].find(each =>
		each.textContent.trim().startsWith(label) && each.offsetParent);
	found?.click();
	return !!found;
};

async function open(browser, url, options) {
	const page = await browser.newPage();
	await page.evaluateOnNewDocument(watchPage);
	const tab = Object.assign(new ReportTab(), {page, faults: [], isFirefox: options.isFirefox});
	await tab.emulate({width: 1440, height: 900, scheme: "light", motion: "no-preference", isPhone: false});
	await page.goto("file://" + url, {waitUntil: "load", timeout: LOAD_LIMIT_MS});
	return tab;
}

/** Time begins when the page is navigated to. */
async function load(measure, browser, url, isFirefox, loads) {
	for (let i = 0; i < loads; i++) {
		const tab = await open(browser, url, {isFirefox});
		measure.add("load", await tab.page.evaluate(ms => whenQuiet(ms), 4 * QUIET_MS));
		if (i === loads - 1)
			return tab;
		await tab.page.close();
	}
	return null;
}

async function zoom(measure, tab, page) {
	for (const [share, depth] of [[0.1, 2], [0.3, 4], [0.6, 6], [0.2, 3], [0.5, 7]]) {
		const point = await page.$eval(GRAPH, (element, share, up) => {
			element.scrollTop = element.scrollHeight;
			const {left, bottom, width} = element.getBoundingClientRect();
			return [left + share * width, bottom - up];
		}, share, (depth + 0.5) * ROW_HEIGHT);
		await measure.watch("zoom, each frame", async () => {
			await page.mouse.click(...point);
			await page.evaluate(ms => whenQuiet(ms), QUIET_MS);
		}, true);
	}
	await measure.act("reset", press, RESET);
}

async function useTable(measure, tab, page) {
	for (let i = 0; i < 5; i++)
		await measure.act("'Show more'", press, MORE);
	await page.mouse.move(...await tab.centerOf(FUNCTIONS + " tr:nth-child(3)"));
	await measure.watch("table scrolled, each frame", async () => {
		for (let i = 0; i < 60; i++) {
			await page.mouse.wheel({deltaY: 120});
			await new Promise(done => setTimeout(done, 1000 / 60));
		}
	});
}

async function measureReport(measure, tab) {
	const {page} = tab;
	for (let i = 0; i < 3; i++) {
		for (let undo = 0; undo < 2; undo++) {
			await measure.act("filter by thread", (selector, at) => {
				const button = document.querySelectorAll(selector)[at];
				button?.click();
				return !!button;
			}, THREADS, i);
		}
	}
	const center = share => tab.centerOf(TIME, share, 0.3);
	await measure.watch("time dragged, each frame", async () =>
		tab.drag(await center(0.2), await center(0.7), DRAG_MS));
	await measure.act("reset", press, RESET);
	await zoom(measure, tab, page);
	for (let end = 1; end <= WORDS.length; end++) {
		await measure.act("search, each letter", (selector, value) => {
			const input = document.querySelector(selector);
			input.value = value;
			input.dispatchEvent(new Event("input", {bubbles: true}));
		}, SEARCH, WORDS.slice(0, end));
	}
	await measure.act("reset", press, RESET);
	await useTable(measure, tab, page);
	for (const label of VIEWS)
		await measure.act("switch of view", press, label);
}

/** Keys that its manual names: 1 to 3 are its views, Ctrl and F searches, 0 zooms out. */
async function measureSpeedscope(measure, {page}) {
	const key = (key, ctrlKey = false) => {
		window.dispatchEvent(new KeyboardEvent("keydown", {key, ctrlKey, bubbles: true}));
		window.dispatchEvent(new KeyboardEvent("keypress", {key, ctrlKey, bubbles: true}));
	};
	for (const view of ["2", "3", "1", "2", "3", "1", "2"])
		await measure.act("switch of view", key, view);
	await page.keyboard.down("Control");
	await page.keyboard.press("f");
	await page.keyboard.up("Control");
	for (let end = 1; end <= WORDS.length; end++) {
		await measure.act("search, each letter", value => {
			const input = document.querySelector("input");
			if (!input)
				return false;
			input.value = value;
			input.dispatchEvent(new Event("input", {bubbles: true}));
			return true;
		}, WORDS.slice(0, end));
	}
	await page.keyboard.press("Escape");
	for (const [x, y] of [[700, 260], [500, 300], [900, 300]]) {
		await measure.watch("zoom, each frame", async () => {
			await page.mouse.click(x, y, {count: 2});
			await page.evaluate(ms => whenQuiet(ms), QUIET_MS);
		}, true);
		await page.keyboard.press("0");
	}
}

async function main([name, what, url]) {
	const browser = await launch(name);
	try {
		const measure = new Measurement(null);
		const tab = await load(measure, browser, url, name === "firefox", LOADS[what]);
		measure.page = tab.page;
		await (what === "wperf" ? measureReport : measureSpeedscope)(measure, tab);
		console.log(JSON.stringify(measure.times));
	} finally {
		await browser.close();
	}
}

main(process.argv.slice(2)).catch(error => {
	console.error(error.stack);
	process.exit(1);
});
