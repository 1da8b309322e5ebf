// SPDX-License-Identifier: Apache-2.0
// pictures.js FOLDER WPERF SPE_PROGRAM: pictures of five kinds of recording on screens of three sizes,
// light and dark, in FOLDER/pictures, for a developer to look at. Four of them are recorded now.
"use strict";
const assert = require("node:assert/strict");
const {spawnSync} = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const {accessibilityCounts, checkAccessibility} = require("./accessibility.js");
const {PHONE, ReportTab} = require("./browser.js");
const {runCases} = require("./cases.js");

const [folder, wperf, speProgram] = process.argv.slice(2);
const KINDS = ["python", "cpp", "events", "spe", "large"];
const MIDDLE = {width: 1100, height: 800}; // has nothing that the others have not, but its own places
const SCREENS = [{width: 1500, height: 950}, MIDDLE, PHONE];
const SCHEMES = ["light", "dark"];

function record(into) {
	fs.mkdirSync(into, {recursive: true});
	const {status} = spawnSync("bash", [path.join(__dirname, "record_pages.sh"), wperf, speProgram, into],
		{stdio: ["ignore", "inherit", "inherit"]});
	if (status)
		process.exit(status);
}

/** What is on the screen; of a phone the whole page, which nobody sees at once. axe-core looks at it, too. */
async function takePicture(browser, file, picture, screen, scheme) {
	const tab = await ReportTab.open(browser, file, {...screen, scheme});
	// Recordings without stacks have no graph, but a table that takes its place.
	const hasGraph = await tab.page.$eval(".graphs", card => !!card.offsetParent);
	assert.ok(hasGraph ? await tab.colors(".graph canvas") > 6 : Object.keys(await tab.hotList()).length > 0);
	const excess = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	assert.ok(excess <= 0, `${excess} pixels too wide`);
	await tab.page.screenshot({path: picture, fullPage: !!screen.isPhone});
	if (screen !== MIDDLE)
		await checkAccessibility(tab, picture);
	assert.deepEqual(tab.faults, []);
	await tab.page.close();
}

const recorded = path.join(folder, "recorded"), pictures = path.join(folder, "pictures");
record(recorded);
fs.rmSync(pictures, {recursive: true, force: true});
fs.mkdirSync(pictures);

runCases(async (browser, run) => {
	for (const kind of KINDS) {
		const file = path.join(kind === "large" ? folder : recorded, kind + ".html");
		await run(`pictures of ${kind}`, async () => {
			for (const screen of SCREENS) {
				for (const scheme of SCHEMES)
					await takePicture(browser, file, path.join(pictures, `${kind}-${screen.width}-${scheme}.png`),
						screen, scheme);
			}
		});
	}
	console.log(accessibilityCounts());
	console.log(`${fs.readdirSync(pictures).length} pictures in ${pictures}`);
});
