// SPDX-License-Identifier: Apache-2.0
// test_svg.js FOLDER: the flame graph as a picture, with its script and without, in both themes.
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const {runCases} = require("./cases.js");

const address = `file://${path.resolve(process.argv[2], "demo.svg")}`;

/** What is seen of the boxes: name, place in pixels, label. */
function boxesOf(page) {
	return page.evaluate(() => [...document.querySelectorAll("#graph > svg")].map(box => {
		const {left, width, top, height} = box.firstElementChild.nextElementSibling.getBoundingClientRect();
		const text = box.querySelector("text");
		return {name: box.querySelector("title").textContent.split("\n")[0], left, width, top, height,
			isShown: box.style.display !== "none", label: text ? text.textContent : "", classes: [...box.classList],
			fill: getComputedStyle(box).fill};
	}));
}

const named = (boxes, name) => boxes.find(box => box.name === name);
const note = page => page.$eval("#note", element => element.textContent);

async function click(page, box) {
	await page.mouse.click(box.left + Math.min(box.width / 2, 20), box.top + box.height / 2);
}

const tests = {
	async "it fits the window, and labels are where there is room"(page) {
		const [wide] = await boxesOf(page);
		assert.ok(Math.abs(wide.width - 1000) < 20, `${wide.width}`);
		await page.setViewport({width: 500, height: 700});
		await page.waitForFunction(() => document.documentElement.getBoundingClientRect().width <= 500);
		const boxes = await boxesOf(page);
		assert.ok(boxes.length > 20);
		for (const box of boxes.filter(each => !each.classes.includes("rest") && Math.abs(each.width - 26) > 1))
			assert.equal(box.label, box.width >= 26 ? box.name : "", JSON.stringify(box));
	},

	async "a click zooms to a box with its callers above, Escape goes back"(page) {
		const before = await boxesOf(page), [all] = before;
		const box = before.find(each => each.width < all.width / 2 && each.width > 40);
		await click(page, box);
		const boxes = await boxesOf(page), zoomed = boxes[before.indexOf(box)];
		assert.equal(Math.round(zoomed.width), Math.round(all.width));
		assert.equal(Math.round(boxes[0].width), Math.round(all.width));
		assert.ok(boxes.some(each => !each.isShown));
		for (const each of boxes.filter(one => one.isShown))
			assert.ok(each.left > -1 && each.left + each.width < all.width + 1, JSON.stringify(each));
		await page.keyboard.press("Escape");
		const rounded = list => list.map(each => [each.name, Math.round(each.left), Math.round(each.width), each.label]);
		assert.deepEqual(rounded(await boxesOf(page)), rounded(before));
	},

	async "search marks what it finds and says its share"(page) {
		const before = await note(page), boxes = await boxesOf(page);
		const {name} = boxes.find(each => each.width < 300 && each.width > 100);
		await page.keyboard.press("/");
		await page.keyboard.type(name.toUpperCase());
		const found = (await boxesOf(page)).filter(each => each.classes.includes("match"));
		assert.ok(found.length && found.every(each => each.name.includes(name)));
		assert.match(await note(page), new RegExp(`^${found.length} boxes, \\d+\\.\\d\\d % of all$`));
		await page.keyboard.press("Escape");
		assert.equal(await note(page), before);
	},

	async "the theme is that of the browser"(page) {
		const colors = {};
		for (const value of ["light", "dark"]) {
			await page.emulateMediaFeatures([{name: "prefers-color-scheme", value}]);
			colors[value] = [await page.$eval("#page", element => getComputedStyle(element).fill),
				(await boxesOf(page))[1].fill];
			await page.screenshot({path: path.join(process.argv[2], `svg-${value}.png`)});
		}
		assert.equal(colors.light[0], "rgb(244, 245, 248)");
		assert.equal(colors.dark[0], "rgb(15, 19, 26)");
		assert.notEqual(colors.light[1], colors.dark[1]);
	},

	async "without scripts names are clipped to their boxes"(page) {
		await page.setJavaScriptEnabled(false);
		await page.goto(address);
		const boxes = (await boxesOf(page)).filter(box => box.label);
		assert.ok(boxes.length > 10);
		assert.equal(Math.round(boxes[0].width), 1200);
		assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("#graph > svg")]
			.filter(box => getComputedStyle(box).overflowX !== "hidden").length), 0);
		await page.screenshot({path: path.join(process.argv[2], "svg-plain.png")});
	},
};

runCases(async (browser, run) => {
	for (const [name, test] of Object.entries(tests)) {
		const page = await browser.newPage(), asked = [], mistakes = [];
		await page.setViewport({width: 1000, height: 700});
		page.on("request", request => asked.push(request.url()));
		page.on("pageerror", error => mistakes.push(error.message));
		await page.goto(address);
		await run(name, async () => {
			await test(page);
			assert.deepEqual([asked.filter(url => url !== address), mistakes], [[], []]);
		});
		await page.close();
	}
});
