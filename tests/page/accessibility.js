// SPDX-License-Identifier: Apache-2.0
// What axe-core finds that keeps people from using a page: contrast, names, roles, landmarks.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");

const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Of all calls. */
const counts = {pages: 0, passes: 0, violations: 0, incomplete: 0};

/**
 * Fails with what axe-core finds on the page as it is now. @where: for the message. What axe-core could
 * not decide, as contrast over a picture, is counted only. In the dark only contrasts are others: all
 * rules take twice as long, and belong to the same page in the light.
 */
async function checkAccessibility(tab, where = "") {
	await tab.page.evaluate(AXE);
	const rules = tab.scheme === "dark" ? {runOnly: ["color-contrast"]} : {};
	const found = await tab.page.evaluate(async options => {
		const {passes, violations, incomplete} = await axe.run(document, options);
		return {
			passes: passes.length, violations: violations.length, incomplete: incomplete.length,
			findings: violations.flatMap(each =>
				each.nodes.map(node => `${each.id}: ${node.target}: ${node.failureSummary}`)),
		};
	}, rules);
	counts.pages++;
	for (const name of ["passes", "violations", "incomplete"])
		counts[name] += found[name];
	assert.deepEqual(found.findings, [], where);
}

/** What all calls found together. */
function accessibilityCounts() {
	const {pages, passes, violations, incomplete} = counts;
	return `axe-core: ${pages} views, ${passes} rules passed, ${violations} violated, ${incomplete} not decided`;
}

module.exports = {accessibilityCounts, checkAccessibility};
