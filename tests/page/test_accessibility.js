// SPDX-License-Identifier: Apache-2.0
// test_accessibility.js FOLDER: axe-core on pages that make_pages wrote, light and dark, on a phone and
// on a large screen, with each of their tabs and shapes. pictures.js does it to pages of real recordings.
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const {accessibilityCounts, checkAccessibility} = require("./accessibility.js");
const {PHONE, ReportTab} = require("./browser.js");
const {runCases} = require("./cases.js");

const folder = process.argv[2];
const PAGES = ["truth", "spe", "demo", "wait", "gil", "cxx", "diff", "ratio"];
const SCREENS = {phone: PHONE, large: {width: 2000, height: 1200}};
// What is in the open only after a click: the page as it is opened is checked first.
const VIEWS = '[role="tab"]:not([aria-selected="true"]), .segments button:not([aria-pressed="true"])';

/** The page as it opens, then each of its other tabs and shapes. */
async function checkViews(tab, where) {
	await checkAccessibility(tab, where);
	const labels = await tab.page.$$eval(VIEWS, all => all.filter(each => each.offsetParent).map(each => each.textContent));
	assert.ok(labels.length >= 3, labels.join());
	for (const label of labels) {
		await tab.press(label);
		await checkAccessibility(tab, `${where}, ${label}`);
	}
}

runCases(async (browser, run) => {
	for (const name of PAGES) {
		for (const [size, screen] of Object.entries(SCREENS)) {
			for (const scheme of ["light", "dark"]) {
				await run(`${name}, ${size}, ${scheme}`, async () => {
					const tab = await ReportTab.open(browser, path.join(folder, name + ".html"), {...screen, scheme});
					// Colours differ by scheme, the rest does not: the views are checked once.
					await (scheme === "light" && size === "large" ? checkViews : checkAccessibility)(tab, name);
					assert.deepEqual(tab.faults, []);
					await tab.page.close();
				});
			}
		}
	}
	console.log(accessibilityCounts());
});
