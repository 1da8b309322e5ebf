// SPDX-License-Identifier: Apache-2.0
// test_touch.js FOLDER: the report under a finger, on a phone.
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const {PHONE, ReportTab} = require("./browser.js");
const {runCases} = require("./cases.js");

const folder = process.argv[2];

// What needs a longer page, or the one with the most tabs.
const OTHER_PAGES = {
	"the page scrolls, also from the time strip": "demo.html",
	"the page scrolls, also from the graph and the details": "demo.html",
	"tabs scroll to the last one, and a tap opens it": "spe.html",
};

const pageTop = tab => tab.page.evaluate(() => scrollY);

async function show(tab, selector) {
	await tab.page.$eval(selector, element => element.scrollIntoView({block: "center"}));
	await tab.settle();
}

const tests = {
	async "the browser is a phone's"(tab) {
		assert.deepEqual(await tab.page.evaluate(() => [innerWidth, matchMedia("(pointer: coarse)").matches,
			matchMedia("(hover: none)").matches]), [390, true, true]);
	},

	async "a tap on the graph selects and zooms"(tab) {
		await show(tab, ".graphs");
		await tab.tap(...await tab.graphPoint(0.3, 2));
		assert.equal(await tab.text(".details h2 bdi"), "compute");
		assert.deepEqual(await tab.zoomPath(), ["all samples", "main", "compute"]);
	},

	async "no tip stays after a tap"(tab) {
		await show(tab, ".graphs");
		await tab.tap(...await tab.graphPoint(0.3, 2));
		await tab.tap(...await tab.centerOf(".details h2"));
		assert.equal(await tab.page.$eval(".tip", tip => tip.hidden), true);
	},

	async "a tap selects a row"(tab) {
		await show(tab, ".hotlist");
		await tab.tap(...await tab.centerOf(".hot tbody tr:nth-child(3) .name"));
		assert.equal(await tab.text(".details h2 bdi"), await tab.text(".hot tbody tr:nth-child(3) .name"));
	},

	async "the page scrolls, also from the time strip"(tab) {
		for (const selector of ["header", ".overview", ".graphs footer"]) {
			await show(tab, selector);
			const before = await pageTop(tab), [x, y] = await tab.centerOf(selector);
			await tab.swipe([x, y], [x, Math.max(5, y - 100)]);
			assert.ok(await pageTop(tab) > before, `${selector}: ${before} to ${await pageTop(tab)}`);
		}
	},

	async "the page scrolls, also from the graph and the details"(tab) {
		for (const selector of ["header", ".graph", ".overview", ".summary"]) {
			await tab.page.evaluate(() => scrollTo(0, 0));
			await show(tab, selector);
			const before = await pageTop(tab), [x, y] = await tab.centerOf(selector);
			await tab.swipe([x, y], [x, Math.max(5, y - 150)]);
			assert.ok(await pageTop(tab) > before, `${selector}: ${before} to ${await pageTop(tab)}`);
		}
	},

	async "a scroll that begins on the time strip marks nothing"(tab) {
		const [x, y] = await tab.centerOf("canvas.overview", 0.4);
		await tab.swipe([x, y], [x + 20, Math.max(5, y - 150)]);
		assert.equal(await tab.text(".range"), "");
		assert.deepEqual(await tab.address(), "");
	},

	async "buttons are large enough for a finger"(tab) {
		// 24 pixels: WCAG 2.2, target size (minimum).
		const small = await tab.page.evaluate(() => [...document.querySelectorAll("button, select, input, label.check")]
			.filter(each => each.offsetParent).map(each => [each.textContent.slice(0, 20) || each.type,
				each.closest("label")?.getBoundingClientRect() || each.getBoundingClientRect()])
			.filter(([, box]) => box.width < 24 || box.height < 24).map(([name, box]) =>
				`${name}: ${box.width.toFixed(0)} x ${box.height.toFixed(0)}`));
		assert.deepEqual(small, []);
	},

	async "a mouse after a scroll by finger marks nothing"(tab) {
		const [x, y] = await tab.centerOf("canvas.overview", 0.4);
		await tab.swipe([x, y], [x, y - 100]);
		await tab.page.evaluate(() => scrollTo(0, 0));
		const before = await tab.text(".range");
		await tab.page.mouse.move(...await tab.centerOf("canvas.overview", 0.9), {steps: 3});
		await tab.settle();
		assert.equal(await tab.text(".range"), before);
	},

	async "a drag on the time strip marks a time, and the page stays"(tab) {
		const before = await pageTop(tab);
		const [left, y] = await tab.centerOf("canvas.overview", 0.55), [right] = await tab.centerOf("canvas.overview", 0.75);
		await tab.swipe([left, y], [right, y]);
		assert.match(await tab.text(".range"), /^5\d\d.* ms – 7\d\d.* ms/);
		assert.deepEqual(Object.keys(await tab.hotList()).sort(), ["compute", "copy_to_user", "main"]);
		assert.equal(await pageTop(tab), before);
	},

	async "tabs scroll to the last one, and a tap opens it"(tab) {
		await show(tab, ".details");
		const last = '.details [role="tab"]:last-child', [x, y] = await tab.centerOf('.details [role="tab"]:first-child');
		for (let i = 0; i < 3; i++)
			await tab.swipe([x + 100, y], [x - 60, y]);
		const box = await tab.page.$eval(last, element => {
			const {left, right} = element.getBoundingClientRect();
			return {left, right, width: innerWidth};
		});
		assert.ok(box.left >= 0 && box.right <= box.width, JSON.stringify(box));
		await tab.tap(...await tab.centerOf(last));
		assert.equal(await tab.page.$eval(last, element => element.getAttribute("aria-selected")), "true");
	},
};

runCases(async (browser, run) => {
	for (const [name, test] of Object.entries(tests)) {
		await run(name, async () => {
			const tab = await ReportTab.open(browser, path.join(folder, OTHER_PAGES[name] || "truth.html"), PHONE);
			await test(tab);
			assert.deepEqual(tab.faults, []);
			await tab.page.close();
		});
	}
});
