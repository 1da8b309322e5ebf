// SPDX-License-Identifier: Apache-2.0
// A browser with the report in it, for tests: what a user sees and does. Chromium is driven over
// its DevTools protocol, Firefox over WebDriver BiDi. What BiDi has no command for is done by a
// script in Firefox's own window: see inFirefox().
"use strict";
const puppeteer = require("puppeteer-core");

const ROW_HEIGHT = 20;

/** A viewport for ReportTab.open(). */
const PHONE = {width: 390, height: 800, isPhone: true};

const BROWSERS = {
	chromium: {
		executablePath: "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync"],
	},
	firefox: {
		browser: "firefox",
		executablePath: "/usr/bin/firefox-esr",
		// Touches are sent to the window, which must not end above a tab's lower edge.
		args: ["--remote-allow-system-access", "--width=1600", "--height=1400"],
	},
};

/** The one that the tests run in. */
const BROWSER = process.env.PAGE_BROWSER || "chromium";

/** @name: of BROWSERS. */
function launch(name = BROWSER) {
	return puppeteer.launch({headless: true, timeout: 120000, ...BROWSERS[name]});
}

async function isFirefox(browser) {
	return (await browser.version()).toLowerCase().startsWith("firefox");
}

/** The result of a function that runs in Firefox's window, with its privileges. */
async function inFirefox(browser, script, ...words) {
	const {connection} = browser;
	const {result: tree} = await connection.send("browsingContext.getTree", {"moz:scope": "chrome"});
	const {result} = await connection.send("script.evaluate", {
		target: {context: tree.contexts[0].context}, awaitPromise: true,
		expression: `(${script})(...${JSON.stringify(words)})`});
	if (result.type !== "success")
		throw new Error(`in Firefox's window: ${result.exceptionDetails.text}`);
	return result.result.value;
}

/** What page.emulateMediaFeatures() and isMobile do in Chromium. The pointer is that of all tabs. */
async function emulateInFirefox(page, scheme, motion, isPhone) {
	await inFirefox(page.browser(), (id, scheme, motion, isPhone) => {
		const {NavigableManager} = ChromeUtils.importESModule(
			"chrome://remote/content/shared/NavigableManager.sys.mjs");
		const tab = NavigableManager.getBrowsingContextById(id).top;
		tab.prefersColorSchemeOverride = scheme;
		tab.prefersReducedMotionOverride = motion;
		tab.touchEventsOverride = isPhone ? "enabled" : "none";
		for (const each of ["primary", "all"]) {
			const name = `ui.${each}PointerCapabilities`;
			if (isPhone)
				Services.prefs.setIntPref(name, 1); // coarse, does not hover
			else
				Services.prefs.clearUserPref(name);
		}
	}, page.mainFrame()._id, scheme, motion, isPhone);
}

/** Steps within a page: BiDi's commands for them wait for a page that is loaded. */
function stepInFirefox(page) {
	const step = delta => page.evaluate(by => new Promise(done => {
		addEventListener("popstate", done, {once: true});
		history.go(by);
	}), delta);
	page.goBack = () => step(-1);
	page.goForward = () => step(1);
}

/** What puppeteer passes to a script are handles, of which each costs Firefox's driver 10 to 30 ms. */
function findInFirefox(page) {
	const run = (script, elements, words) => page.evaluate(`(${script})(${elements}, ...${JSON.stringify(words)})`);
	page.$eval = (selector, script, ...words) =>
		run(script, `document.querySelector(${JSON.stringify(selector)})`, words);
	page.$$eval = (selector, script, ...words) =>
		run(script, `[...document.querySelectorAll(${JSON.stringify(selector)})]`, words);
}

/**
 * Touches at points of the page, [x, y, milliseconds until the next one]. They go to the window, so
 * that Firefox itself makes taps and panning of them: BiDi's touches reach only scripts.
 */
async function touchInFirefox(page, points) {
	const origin = await page.evaluate(() => [mozInnerScreenX, mozInnerScreenY]);
	await inFirefox(page.browser(), async (points, [left, top]) => {
		const CONTACT = 2, REMOVE = 4;
		const send = async ([x, y, wait], state) => {
			window.windowUtils.sendNativeTouchPoint(1, state, left + x, top + y, 1, 90, null);
			await new Promise(done => setTimeout(done, wait));
		};
		for (const point of points)
			await send(point, CONTACT);
		await send(points.at(-1), REMOVE);
	}, points, origin);
}

/** Pointer moves at 60 Hz, whether the page keeps up or not. */
async function dragInFirefox(page, [left, top], [right, bottom], milliseconds) {
	await page.browser().connection.send("input.performActions", {context: page.mainFrame()._id, actions: [{
		type: "pointer", id: "drag", parameters: {pointerType: "mouse"}, actions: [
			{type: "pointerMove", x: Math.round(left), y: Math.round(top)},
			{type: "pointerDown", button: 0},
			{type: "pointerMove", x: Math.round(right), y: Math.round(bottom), duration: milliseconds},
			{type: "pointerUp", button: 0},
		]}]});
}

async function dragInChromium(page, [left, top], [right, bottom], milliseconds) {
	const begin = performance.now(), moves = [];
	await page.mouse.move(left, top);
	await page.mouse.down();
	for (let share = 0; share < 1;) {
		await new Promise(done => setTimeout(done, 1000 / 60));
		share = Math.min(1, (performance.now() - begin) / milliseconds);
		moves.push(page.mouse.move(left + share * (right - left), top + share * (bottom - top)));
	}
	await Promise.all(moves);
	await page.mouse.up();
}

async function touchInChromium(page, points) {
	const [first, ...rest] = points;
	const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));
	await page.touchscreen.touchStart(first[0], first[1]);
	await wait(first[2]);
	for (const [x, y, milliseconds] of rest) {
		await page.touchscreen.touchMove(x, y);
		await wait(milliseconds);
	}
	await page.touchscreen.touchEnd();
}

class ReportTab {
	/**
	 * path: of a file, or an address of a server. What must not happen is kept in .faults: a request to
	 * anything but that file or server as well.
	 */
	static async open(browser, path, {width = 1440, height = 900, scheme = "light", motion = "reduce",
		isPhone = false} = {}) {
		const tab = new ReportTab();
		tab.page = await browser.newPage();
		tab.isFirefox = await isFirefox(browser);
		tab.scheme = scheme;
		const address = path.startsWith("http://") ? path : "file://" + path;
		tab.watch(address.startsWith("http://") ? new URL(address).origin + "/" : address);
		await tab.emulate({width, height, scheme, motion, isPhone});
		await tab.page.goto(address, {waitUntil: "load"});
		await tab.settle();
		return tab;
	}

	/**
	 * Firefox reports no request for a file, but each one that the page's policy refuses, as an error. That
	 * for a server's icon is its own.
	 */
	watch(allowed) {
		this.faults = [];
		this.page.on("console", message => this.faults.push("console: " + message.text()));
		this.page.on("pageerror", error => /favicon\.ico/.test(error.message) || this.faults.push("error: " + error.message));
		this.page.on("dialog", dialog => {
			this.faults.push("dialog: " + dialog.message());
			dialog.dismiss();
		});
		this.page.on("request", request => {
			const isBullet = this.isFirefox && request.url().startsWith("data:font/"); // of <li>, its own font
			if (!request.url().startsWith(allowed) && !isBullet)
				this.faults.push("request: " + request.url());
		});
	}

	async emulate({width, height, scheme, motion, isPhone}) {
		if (this.isFirefox) {
			await this.page.setViewport({width, height});
			await emulateInFirefox(this.page, scheme, motion, isPhone);
			stepInFirefox(this.page);
			findInFirefox(this.page);
			return;
		}
		await this.page.setViewport({width, height, hasTouch: isPhone, isMobile: isPhone});
		await this.page.emulateMediaFeatures([{name: "prefers-color-scheme", value: scheme},
			{name: "prefers-reduced-motion", value: motion}]);
	}

	/** Until what was asked for is drawn. */
	settle() {
		return this.page.evaluate(() => new Promise(done => requestAnimationFrame(() =>
			requestAnimationFrame(() => requestAnimationFrame(done)))));
	}

	text(selector) {
		return this.page.$eval(selector, element => element.textContent);
	}

	async click(selector, options) {
		await this.page.click(selector, options);
		await this.settle();
	}

	/** Clicks the button with that text. */
	async press(label) {
		const found = await this.page.evaluate(wanted => {
			const button = [...document.querySelectorAll("button, label.check")].find(each =>
				each.textContent.trim().startsWith(wanted) && each.offsetParent);
			if (button)
				button.click();
			return !!button;
		}, label);
		if (!found)
			throw new Error(`there is no button '${label}'`);
		await this.settle();
	}

	async keys(...keys) {
		for (const key of keys)
			await this.page.keyboard.press(key);
		await this.settle();
	}

	async search(words) {
		await this.page.$eval('input[type="search"]', (input, value) => {
			input.value = value;
			input.dispatchEvent(new Event("input"));
		}, words);
		await this.settle();
	}

	/** {name: [self, total]} of the hot list. */
	hotList() {
		return this.page.$$eval(".hot tbody tr", rows => Object.fromEntries(rows.map(row => [
			row.querySelector(".name").textContent,
			[...row.querySelectorAll(".col-self, .col-total")].map(cell => +cell.dataset.weight)])));
	}

	/** Texts of the cells of the table, by the text of the column that has the name: {name: {column: text}}. */
	table(name = ".name") {
		return this.page.$eval(".hot", (table, selector) => {
			const heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
			return Object.fromEntries([...table.tBodies[0].rows].map(row => [row.querySelector(selector).textContent,
				Object.fromEntries([...row.cells].map((cell, i) => [heads[i], cell.textContent]))]));
		}, name);
	}

	/** {caption: {name: weight}} of callers and callees. */
	neighbours() {
		return this.page.$$eval("#panel-neighbours table", tables => Object.fromEntries(tables.map(table => [
			table.caption.textContent, Object.fromEntries([...table.tBodies[0].rows].map(row =>
				[row.cells[1].textContent, +row.cells[0].dataset.weight]))])));
	}

	/** {first cell that names the row: [self, total]} of rows with samples, of source or instructions. */
	listing(panel) {
		return this.page.$$eval(`#panel-${panel} tbody tr:not(.fold)`, rows => Object.fromEntries(rows
			.map(row => [row.querySelector(".line").textContent,
				[...row.querySelectorAll(".weight")].map(cell => +cell.dataset.weight)])
			.filter(([, weights]) => weights[1] > 0)));
	}

	/** A place in the flame graph: the share of its width, and rows above the root. */
	async graphPoint(share, depth, {isIcicle = false} = {}) {
		const box = await this.page.$eval(".graph", element => {
			const {left, top, bottom} = element.getBoundingClientRect();
			return {left, top, bottom, width: element.clientWidth};
		});
		const across = box.left + share * box.width, along = depth * ROW_HEIGHT + ROW_HEIGHT / 2;
		return [across, isIcicle ? box.top + along : box.bottom - along];
	}

	async clickGraph(share, depth, options) {
		await this.page.mouse.click(...await this.graphPoint(share, depth, options));
		await this.settle();
	}

	/** A place of an element: shares of its width and height. */
	centerOf(selector, across = 0.5, down = 0.5) {
		return this.page.$eval(selector, (element, across, down) => {
			const {left, top, width, height} = element.getBoundingClientRect();
			return [left + across * width, top + down * height];
		}, across, down);
	}

	/** Of a finger. */
	async tap(x, y) {
		await this.touch([[x, y, 60]]);
	}

	/** A finger from a point to another one, which stops before it is lifted: nothing goes on by itself. */
	async swipe([left, top], [right, bottom], {steps = 12} = {}) {
		const points = [[left, top, 30]];
		for (let i = 1; i <= steps; i++)
			points.push([left + (right - left) * i / steps, top + (bottom - top) * i / steps, i < steps ? 16 : 150]);
		await this.touch(points);
	}

	async touch(points) {
		await (this.isFirefox ? touchInFirefox : touchInChromium)(this.page, points);
		await new Promise(done => setTimeout(done, 150)); // until it is decided that no second tap follows
		await this.settle();
	}

	/** What the tip says of that place. */
	async pointAt(share, depth, options) {
		await this.page.mouse.move(...await this.graphPoint(share, depth, options));
		await this.settle();
		return this.page.$eval(".tip", tip => tip.hidden ? "" : tip.querySelector("p").textContent);
	}

	zoomPath() {
		return this.page.$$eval(".zoom-path button", buttons => buttons.map(each => each.textContent));
	}

	/** The part of the address that tells the state. */
	address() {
		return this.page.evaluate(() => location.hash);
	}

	/** What a user sees of it. */
	async state() {
		const pressed = selector => this.page.$$eval(selector, all => all
			.filter(each => each.getAttribute("aria-pressed") === "true" || each.selected || each.checked
				|| each.getAttribute("aria-selected") === "true")
			.map(each => each.closest("label")?.textContent || each.textContent).join());
		return {
			hot: await this.hotList(), zoom: await this.zoomPath(), selected: await this.text(".details h2"),
			shape: await pressed(".segments button"), threads: await pressed(".lanes button"),
			event: await pressed("select.event option"), tab: await pressed(".tabs button"),
			checked: await pressed("label.check input"), range: await this.text(".range"),
			search: await this.page.$eval('input[type="search"]', input => input.value),
		};
	}

	async brush(from, to) {
		const box = await (await this.page.$("canvas.overview")).boundingBox();
		const y = box.y + 10;
		await this.page.mouse.move(box.x + from * box.width, y);
		await this.page.mouse.down();
		await this.page.mouse.move(box.x + to * box.width, y, {steps: 4});
		await this.page.mouse.up();
		await this.settle();
	}

	/** Clicks the row of the table with that name. */
	async pickRow(name) {
		await this.page.$$eval(".hot tbody tr", (rows, wanted) =>
			rows.find(row => row.querySelector(".name, .file").textContent === wanted).click(), name);
		await this.settle();
	}

	/** Of the menu that is open. */
	menuItems() {
		return this.page.$$eval(".menu:not([hidden]) button", buttons => buttons.map(each => each.textContent));
	}

	async drag(from, to, milliseconds) {
		await (this.isFirefox ? dragInFirefox : dragInChromium)(this.page, from, to, milliseconds);
		await this.settle();
	}

	/** The pixels of a part of a canvas, as numbers: all of them, or one of each colour. */
	pixels(selector, {x = 0, y = 0, width, height, isDistinct = false} = {}) {
		return this.page.$eval(selector, (canvas, part) => {
			const copy = Object.assign(document.createElement("canvas"),
				{width: part.width || canvas.width, height: part.height || canvas.height});
			const context = copy.getContext("2d", {willReadFrequently: true});
			context.drawImage(canvas, -part.x, -part.y);
			const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
			return [...part.isDistinct ? new Set(pixels) : pixels];
		}, {x, y, width, height, isDistinct});
	}

	async colors(selector) {
		return (await this.pixels(selector, {isDistinct: true})).length;
	}

	/** The colour of the flame graph at graphPoint(), beside the label's letters. */
	async colorAt(share, depth) {
		const [x, y] = await this.graphPoint(share, depth);
		const box = await (await this.page.$(".graph")).boundingBox();
		const part = {x: Math.round(x - box.x), y: Math.round(y - box.y) - 7, width: 1, height: 1};
		return (await this.pixels(".graph canvas", part))[0];
	}

	/** Milliseconds that the page measured itself. */
	measures(name) {
		return this.page.evaluate(wanted => performance.getEntriesByName(wanted)
			.map(entry => entry.duration), name);
	}
}

module.exports = {BROWSER, PHONE, ReportTab, launch};
