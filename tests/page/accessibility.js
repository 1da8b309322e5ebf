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
 * not decide, as contrast over a picture, is counted only.
 */
async function checkAccessibility(tab, where = "") {
	await tab.page.evaluate(AXE);
	const found = await tab.page.evaluate(async () => {
		const {passes, violations, incomplete} = await axe.run(document);
		return {
			passes: passes.length, violations: violations.length, incomplete: incomplete.length,
			findings: violations.flatMap(each =>
				each.nodes.map(node => `${each.id}: ${node.target}: ${node.failureSummary}`)),
		};
	});
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
