// SPDX-License-Identifier: Apache-2.0
// Runs before the report's own script, which appends the report below the bar.

/** For the report's "Copy link": the address that also later shows the same. */
function setLink(fleet) {
	const href = choicesAddress(fleet.bars.map(({choice}) => choice), true);
	document.head.append(make("link", {rel: "canonical", href: new URL(href, location.href).href}));
}

function showFleet() {
	const fleet = JSON.parse(document.getElementById("wperf-fleet").textContent), root = document.documentElement;
	root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
	document.body.classList.add("fleet-page");
	const bars = fleet.bars.map((_, i) => new Bar(fleet, i).element);
	if (bars.length)
		document.body.append(make("nav", {className: "fleet", attributes: {"aria-label": "The store"}}, ...bars));
	const isStart = !bars.length && !fleet.problem;
	if (fleet.problem)
		document.body.append(makeProblem(fleet, fleet.nowMs));
	else if (isStart)
		document.body.append(fleet.services.length ? new Start(fleet).element : makeEmptyStore());
	else
		setLink(fleet);
	performance.measure("wperf-bar", {start: 0, end: performance.now()});
}

showFleet();
