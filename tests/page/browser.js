// SPDX-License-Identifier: Apache-2.0
// A browser with the report in it, for tests: what a user sees and does.
"use strict";
const puppeteer = require("puppeteer-core");

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync"];
const ROW_HEIGHT = 20;

class ReportTab {
	/** What must not happen is kept in .faults. */
	static async open(browser, path, {width = 1440, height = 900, scheme = "light"} = {}) {
		const tab = new ReportTab();
		tab.page = await browser.newPage();
		tab.faults = [];
		tab.page.on("console", message => tab.faults.push("console: " + message.text()));
		tab.page.on("pageerror", error => tab.faults.push("error: " + error.message));
		tab.page.on("dialog", dialog => {
			tab.faults.push("dialog: " + dialog.message());
			dialog.dismiss();
		});
		tab.page.on("request", request => {
			if (!request.url().startsWith("file://" + path))
				tab.faults.push("request: " + request.url());
		});
		await tab.page.setViewport({width, height});
		await tab.page.emulateMediaFeatures([{name: "prefers-color-scheme", value: scheme},
			{name: "prefers-reduced-motion", value: "reduce"}]);
		await tab.page.goto("file://" + path, {waitUntil: "load"});
		await tab.settle();
		return tab;
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

	/** The pixels of a part of a canvas, as numbers. */
	pixels(selector, {x = 0, y = 0, width, height} = {}) {
		return this.page.$eval(selector, (canvas, part) => {
			const copy = Object.assign(document.createElement("canvas"),
				{width: part.width || canvas.width, height: part.height || canvas.height});
			const context = copy.getContext("2d", {willReadFrequently: true});
			context.drawImage(canvas, -part.x, -part.y);
			return [...new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer)];
		}, {x, y, width, height});
	}

	async colors(selector) {
		return new Set(await this.pixels(selector)).size;
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

function launch() {
	return puppeteer.launch({executablePath: "/usr/bin/chromium", headless: true, args: ARGUMENTS});
}

module.exports = {ReportTab, launch};
