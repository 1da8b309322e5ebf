// SPDX-License-Identifier: Apache-2.0
// take_picture.js PAGE PICTURE [FUNCTION [PANEL [top]]]: opens a report in the browser, selects a
// function in the table and a panel (Source, Instructions, Callers), scrolls the graph to its top if
// asked to, and saves a picture.
"use strict";
const path = require("path");
const {ReportTab, launch} = require("../tests/page/browser.js");

const SIZE = {width: 1360, height: 860};

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

async function main([page, picture, name, panel, end]) {
	const browser = await launch();
	try {
		const tab = await ReportTab.open(browser, path.resolve(page), SIZE);
		if (name)
			await selectFunction(tab, name);
		if (panel)
			await tab.press(panel);
		if (end === "top")
			await tab.page.$eval(".graph", graph => graph.scrollTo(0, 0));
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
