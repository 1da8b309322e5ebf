// SPDX-License-Identifier: Apache-2.0
// Runs cases in one browser and counts what became of them.
"use strict";
const {BROWSER, launch} = require("./browser.js");

/** Cases that a browser cannot pass, and why. They are run and printed all the same. */
const IMPOSSIBLE = {
	chromium: {},
	firefox: {
		"the policy refuses what is not on the page":
			"Firefox loads images of the local disk in spite of a page's policy; addresses in the network it refuses",
		"on paper": "the graph's canvas still has the width of before its scroll bar went; " +
			"headless Chromium has no scroll bars",
	},
};

class Cases {
	constructor() {
		this.failed = 0;
	}

	async run(name, test) {
		const reason = IMPOSSIBLE[BROWSER][name];
		try {
			await test();
			console.log(`ok      ${name}${reason ? " (in spite of IMPOSSIBLE, which should no longer have it)" : ""}`);
		} catch (error) {
			if (reason) {
				console.log(`cannot  ${name}: ${reason}\n        ${error.message.split("\n").join("\n        ")}`);
				return;
			}
			this.failed++;
			console.log(`FAILED  ${name}\n${error.stack}`);
		}
	}
}

/** @work: is called with the browser and with a function that runs a case: (name, test). */
async function runCases(work) {
	const cases = new Cases(), browser = await launch();
	await work(browser, (name, test) => cases.run(name, test));
	await browser.close();
	process.exit(cases.failed ? 1 : 0);
}

module.exports = {runCases};
