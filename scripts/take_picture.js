// SPDX-License-Identifier: Apache-2.0
// take_picture.js PAGE PICTURE [FUNCTION]: opens a report in the browser, selects a function of the
// table, and saves a picture.
"use strict";
const path = require("path");
const {ReportTab, launch} = require("../tests/page/browser.js");

const SIZE = {width: 1500, height: 900};

async function selectFunction(tab, name) {
	const isFound = await tab.page.evaluate(wanted => {
		const row = [...document.querySelectorAll(".hot tbody tr")].find(each =>
			each.querySelector(".name").textContent === wanted);
		if (row)
			row.click();
		return !!row;
	}, name);
	if (!isFound)
		throw new Error(`no function '${name}' in the table`);
	await tab.settle();
}

async function main([page, picture, name]) {
	const browser = await launch();
	try {
		const tab = await ReportTab.open(browser, path.resolve(page), SIZE);
		if (name)
			await selectFunction(tab, name);
		await tab.settle();
		await tab.page.screenshot({path: picture});
		if (tab.faults.length)
			throw new Error(tab.faults.join("\n"));
	} finally {
		await browser.close();
	}
}

main(process.argv.slice(2)).catch(error => {
	console.error(error.message);
	process.exit(1);
});
