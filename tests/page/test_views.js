// SPDX-License-Identifier: Apache-2.0
// test_views.js FOLDER: the views beside the flame graph, rules, comparison, tables, tracks and the
// inspector, over what make_pages wrote there.
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const {ReportTab} = require("./browser.js");
const {runCases} = require("./cases.js");

const folder = process.argv[2];
const SORT = "void std::sort<__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > > >(int*, int*)";

const menuOf = async (tab, share, depth) => {
	const [x, y] = await tab.graphPoint(share, depth);
	await tab.page.mouse.click(x, y, {button: "right"});
	await tab.settle();
	return tab.menuItems();
};

const choose = async (tab, label) => {
	await tab.page.$$eval(".menu button", (buttons, wanted) => buttons.find(each => each.textContent === wanted).click(), label);
	await tab.settle();
};

const rulesOf = tab => tab.page.$$eval(".rules button", buttons => buttons.map(each => each.textContent));

const texts = (tab, selector) => tab.page.$$eval(selector, all => all.map(each => each.textContent));

/** [page, case]: each begins with a page of its own. */
const cases = {
	"the menu of a function": ["truth", async tab => {
		assert.deepEqual(await menuOf(tab, 0.2, 2), ["Zoom here", "Callers and callees (sandwich)", "Focus function", "Hide function",
			"Collapse function", "Focus server", "Hide server", "Collapse server", "Copy name", "Copy stack"]);
		assert.equal(await tab.text(".menu-title"), "compute");
		await tab.keys("Escape");
		assert.deepEqual(await tab.menuItems(), []);
		assert.equal(await tab.address().then(hash => hash.includes("function")), true); // it is selected as well
		await tab.page.focus(".graph");
		await tab.keys("m");
		assert.equal((await tab.menuItems()).length, 10);
		await tab.keys("ArrowDown", "ArrowDown", "Enter"); // Focus function
		assert.deepEqual(await rulesOf(tab), ["Focus: compute×"]);
	}],

	"focus cuts off what is around a function": ["truth", async tab => {
		await menuOf(tab, 0.2, 2);
		await choose(tab, "Focus function");
		assert.deepEqual(await tab.hotList(), {multiply: [300, 300], compute: [200, 650], copy_to_user: [150, 150]});
		assert.equal(await tab.pointAt(0.5, 1), "compute");
		assert.ok((await tab.text("header")).includes("650 cycles"));
		await tab.keys("Escape");
		assert.deepEqual(await rulesOf(tab), []);
		assert.equal(Object.keys(await tab.hotList()).length, 9);
	}],

	"what is hidden counts for its caller": ["truth", async tab => {
		await menuOf(tab, 0.2, 2);
		await choose(tab, "Hide function");
		const hot = await tab.hotList();
		assert.deepEqual([hot.main, hot.multiply, hot.compute], [[200, 850], [300, 300], undefined]);
		await menuOf(tab, 0.2, 1);
		await choose(tab, "Hide server"); // the rest of the module
		assert.deepEqual((await tab.hotList()).copy_to_user, [150, 150]);
		assert.deepEqual(await rulesOf(tab), ["Hide: compute×", "Hide: server×"]);
		await tab.click(".rules button"); // takes the first back
		assert.deepEqual(await rulesOf(tab), ["Hide: server×"]);
	}],

	"what a collapsed function calls is its own": ["truth", async tab => {
		await menuOf(tab, 0.2, 2);
		await choose(tab, "Collapse function");
		assert.deepEqual((await tab.hotList()).compute, [650, 650]);
		const url = await tab.page.url();
		const other = await ReportTab.open(tab.page.browser(), url.replace("file://", ""));
		assert.deepEqual(await other.hotList(), await tab.hotList());
		assert.deepEqual(await rulesOf(other), ["Collapse: compute×"]);
		await other.page.close();
		await tab.press("Reset");
		await menuOf(tab, 0.2, 1);
		await choose(tab, "Collapse server");
		const hot = await tab.hotList();
		assert.deepEqual([hot.main, hot.copy_to_user, hot.multiply], [[620, 850], [150, 150], undefined]);
	}],

	"rules of an address may be anything": ["truth", async tab => {
		const url = await tab.page.url(), all = await tab.hotList();
		const hidden = "hf~multiply~server~calc.c";
		for (const rules of ["hf99999", "xx3.hf.hm0.hm99", "hf~,hm~,hf-,hf~-,cm~nosuch", "%00", "hf2.hf2.hf2", [hidden, hidden, hidden].join()]) {
			const other = await ReportTab.open(tab.page.browser(), `${url.replace("file://", "")}#rules=${rules}`);
			assert.equal(Object.keys(await other.hotList()).length, Object.keys(all).length - (rules.includes(hidden) ? 1 : 0), rules);
			assert.deepEqual(other.faults, []);
			await other.page.close();
		}
	}],

	"a sandwich has callers above and callees below": ["truth", async tab => {
		await tab.pickRow("compute");
		await tab.press("Sandwich");
		const names = await tab.page.$$eval(".sandwich .graph", graphs => graphs.map(each => each.getAttribute("aria-label")));
		assert.deepEqual(names, ["Callers of the selected function", "Callees of the selected function"]);
		const at = async (half, share, row) => {
			const box = await tab.page.$$eval(".sandwich .graph", (graphs, i) => {
				const {left, top, bottom} = graphs[i].getBoundingClientRect();
				return {left, top, bottom, width: graphs[i].clientWidth};
			}, half);
			await tab.page.mouse.move(box.left + share * box.width, half ? box.top + 20 * row + 10 : box.bottom - 20 * row - 10);
			await tab.settle();
			return tab.page.$eval(".tip", tip => tip.hidden ? "" : tip.querySelector("p").textContent);
		};
		assert.deepEqual([await at(0, 0.5, 0), await at(0, 0.5, 1)], ["compute", "main"]);
		assert.deepEqual([await at(1, 0.5, 0), await at(1, 0.2, 1), await at(1, 0.6, 1), await at(1, 0.95, 1)],
			["compute", "multiply", "copy_to_user", ""]);
		await tab.pickRow("recurse");
		assert.deepEqual([await at(0, 0.5, 0), await at(0, 0.5, 1)], ["recurse", "main"]);
	}],

	"time order shows each thread's calls when they were": ["truth", async tab => {
		await tab.press("Time order");
		assert.equal(await tab.pointAt(0.5, 1, {isIcicle: true}), "main (101)");
		const name = (share, row) => tab.pointAt(share, row, {isIcicle: true});
		assert.deepEqual([await name(0.0975, 2), await name(0.0975, 3), await name(0.0975, 4)], ["main", "compute", "multiply"]);
		assert.equal(await name(0.2, 2), "");
		assert.equal(await name(0.5, 6), "worker (102)");
		await tab.press("worker (102)");
		assert.equal(await name(0.5, 1), "worker (102)");
		const [x, y] = await tab.graphPoint(0.797, 2, {isIcicle: true});
		await tab.page.mouse.move(x, y);
		await tab.settle();
		assert.match(await tab.text(".tip"), /handle_requestfrom7\d\d.* ms, .* long.*40\.0%/);
	}],

	"time order follows the marked time": ["gil", async tab => {
		await tab.press("Time order");
		const name = (share, row) => tab.pointAt(share, row, {isIcicle: true});
		assert.deepEqual([await name(0.4, 2), await name(0.4, 3)], ["<module>", "compute"]);
		assert.equal(await name(0.9, 2), "");
		await tab.page.select("select.event", "1");
		await tab.settle();
		assert.deepEqual([await name(0.4, 3), await name(0.7, 3), await name(0.9, 3)], ["wait", "", "wait"]);
	}],

	"tracks: work, waits and waits for the GIL": ["gil", async tab => {
		assert.deepEqual(await texts(tab, ".lanes bdi"), ["loader (101)", "main (102)"]);
		assert.deepEqual(await texts(tab, ".strip .legend li"), ["on CPU", "off CPU", "waits for the GIL"]);
		const width = await tab.page.$eval("canvas.heat", each => each.width);
		const colors = async (from, to, lane) => new Set(await tab.pixels("canvas.heat", {x: Math.round(from * width), y: lane * 24 + 5,
			width: Math.round((to - from) * width), height: 14}));
		const shared = (a, b) => [...a].filter(each => each && b.has(each)).length;
		const work = await colors(0.1, 0.5, 0), gil = await colors(0.1, 0.5, 1), off = await colors(0.85, 0.95, 1);
		assert.ok(!shared(work, gil) && !shared(gil, off) && !shared(work, off));
		assert.ok(gil.size > 1, "hatched");
		const box = await (await tab.page.$("canvas.heat")).boundingBox();
		await tab.page.mouse.move(box.x + 0.3 * box.width, box.y + 24 + 12);
		await tab.settle();
		assert.equal(await tab.text(".tip"), "main (102)at0 nswaits for the GIL600 msstackwait\n<module>");
		await tab.page.mouse.move(box.x + 0.3 * box.width, box.y + 12);
		await tab.settle();
		assert.match(await tab.text(".tip"), /^loader \(101\)at[\d.]+ mson CPU5 msstackcompute\n<module>$/);
	}],

	"tracks are folded, and remember it": ["gil", async tab => {
		const isShown = () => tab.page.$eval(".lanes", each => !!each.offsetParent);
		assert.ok(await isShown());
		await tab.press("Threads over time");
		assert.ok(!await isShown());
		assert.ok((await tab.address()).includes("lanes=0"));
		await tab.keys("Escape");
		assert.ok(await isShown());
	}],

	"threads: parts of their time": ["gil", async tab => {
		await tab.click("#table-threads");
		assert.deepEqual(await tab.table(), {
			"loader (101)": {"On CPU": "80.0%", "With GIL": "60.0%", "Waits for GIL": "0%", "Off CPU": "20.0%", Time: "1 s", Thread: "loader (101)"},
			"main (102)": {"On CPU": "20.0%", "With GIL": "20.0%", "Waits for GIL": "60.0%", "Off CPU": "80.0%", Time: "1 s", Thread: "main (102)"},
		});
		await tab.brush(0.05, 0.5); // waits count where they begin
		assert.equal((await tab.table())["loader (101)"]["On CPU"], "100.0%");
		await tab.press("Whole time");
		await tab.pickRow("main (102)");
		assert.deepEqual(await texts(tab, '.lanes button[aria-pressed="true"] bdi'), ["main (102)"]);
	}],

	"a program of Python opens on its lines": ["gil", async tab => {
		assert.equal(await tab.page.$eval("#table-lines", each => each.getAttribute("aria-selected")), "true");
		assert.ok(await tab.page.$$eval("label.check", all => all.some(each =>
			each.textContent === "Python only" && each.firstChild.checked)));
		const rows = await tab.table(".file");
		assert.deepEqual(Object.keys(rows), ["app.py:4", "app.py:20"]);
		assert.deepEqual([rows["app.py:4"].Self, rows["app.py:4"]["off-cpu"], rows["app.py:4"].Function], ["100.0%", "0%", "compute"]);
	}],

	"intervals are those of the terminal": ["truth", async tab => {
		const rows = await tab.table();
		// Wilson's interval of 30 of 100 samples, as tests/unit/profile/test_share.c has it.
		assert.equal(rows.multiply["Within (95 %)"], "21.9 – 39.6");
		assert.equal(rows.main["Within (95 %)"], "0.0 – 3.7");
		assert.equal(rows.multiply.l1d_cache_refill, "25.0%");
	}],

	"a wait is measured": ["gil", async tab => {
		await tab.page.select("select.event", "1");
		await tab.settle();
		assert.equal((await tab.table(".file"))["app.py:9"]["Within (95 %)"], "measured");
	}],

	"lines and files": ["truth", async tab => {
		await tab.click("#table-lines");
		const lines = await tab.table(".file");
		assert.deepEqual([lines["calc.c:91"].Self, lines["calc.c:42"].Total, lines["calc.c:12"].Total, lines["calc.c:151"].Self,
			lines["[no stack]"].Self], ["30.0%", "40.0%", "85.0%", "12.0%", "5.0%"]);
		assert.ok(lines["calc.c:91"].Source.startsWith("line_91();"));
		await tab.page.$$eval(".hot tbody tr", rows => rows.find(row => row.textContent.includes("calc.c:45")).click());
		await tab.settle();
		assert.equal(await tab.text(".details h2 bdi"), "compute");
		assert.equal(await tab.page.$eval("#panel-source tr.here", row => row.dataset.line), "45");
		await tab.click("#table-files");
		const files = await tab.table(".file");
		assert.deepEqual([files["calc.c"].Self, files["calc.c"].Total, files["[kernel]"].Self, files["[no file]"].Self],
			["62.0%", "85.0%", "15.0%", "10.0%"]);
		await tab.pickRow("[kernel]");
		assert.equal(await tab.text(".details h2 bdi"), "copy_to_user");
	}],

	"C++ opens with inlined calls folded and short names": ["cxx", async tab => {
		assert.deepEqual(Object.keys(await tab.table()), ["text::Counter::add(…)", "std::sort<…>(…)", "main"]);
		assert.deepEqual(await tab.hotList(), {"text::Counter::add(…)": [700, 700], "std::sort<…>(…)": [300, 300], main: [0, 1000]});
		assert.ok(await tab.page.$eval('.hot .name[title^="void std::sort"]', each => !!each), "the whole name is its title");
		await tab.pickRow("std::sort<…>(…)");
		assert.deepEqual([await tab.text(".details h2 bdi"), await tab.text(".full-name")], ["std::sort<…>(…)", SORT]);
		await tab.press("Fold inlined");
		assert.deepEqual((await tab.hotList())["std::hash<int>::operator()(int) const"], [200, 200]);
	}],

	"the name of a method is cut last": ["cxx", async tab => {
		const drawn = await tab.page.evaluate(() => {
			const words = [], draw = CanvasRenderingContext2D.prototype.fillText;
			CanvasRenderingContext2D.prototype.fillText = function(text, ...where) {
				words.push(text);
				draw.call(this, text, ...where);
			};
			document.querySelector(".left").style.flex = "0 0 190px";
			return new Promise(done => setTimeout(() => done(words), 300));
		});
		assert.ok(drawn.some(text => /^…(Counter::)?add$/.test(text)), drawn.join(", "));
		assert.ok(!drawn.some(text => /^text::[^…]*…$/.test(text)), drawn.join(", "));
	}],

	"two recordings, red and blue": ["diff", async tab => {
		assert.deepEqual(await texts(tab, "select.event option"), ["cycles · old.data", "cycles · new.data"]);
		assert.deepEqual([await tab.page.$eval("select.event", each => each.value), await tab.page.$eval("select.against", each => each.value)], ["1", "0"]);
		const rows = await tab.table();
		assert.deepEqual(rows["std::sort<…>(…)"], {Change: "+30.0", Before: "30.0%", Now: "60.0%", "Change, total": "+30.0",
			"Within (95 %)": "+24.8 to +35.0", Function: "std::sort<…>(…)", Module: "words"});
		assert.equal(rows["text::Counter::add(…)"].Change, "−30.0");
		assert.deepEqual(await texts(tab, ".graphs .legend li"), ["less than before", "same", "more"]);
		const [r, g, b] = [0, 8, 16].map(shift => tab.colorAt(0.1, 2).then(color => color >>> shift & 255));
		assert.ok(await r > await b + 30, "what grew is red");
		const blue = await tab.colorAt(0.9, 2);
		assert.ok((blue >>> 16 & 255) > (blue & 255) + 30 && await g, "what shrank is blue");
		await tab.pointAt(0.1, 2);
		assert.match(await tab.text(".tip"), /now60\.0%.*before30\.0%.*change\+30\.0 points/);
		await tab.press("Light or dark");
		await tab.keys("x"); // the other way round
		assert.equal((await tab.table())["std::sort<…>(…)"].Change, "−30.0");
		assert.ok((await texts(tab, ".of-run")).every((line, i) => line.startsWith(["old.data1 s elapsed", "new.data1 s elapsed"][i])));
	}],

	"two events of one recording": ["truth", async tab => {
		await tab.page.select("select.against", "1");
		await tab.settle();
		const rows = await tab.table();
		assert.deepEqual([rows.multiply.Change, rows.multiply.Before, rows.multiply.Now], ["+5.0", "25.0%", "30.0%"]);
		await tab.keys("Escape");
		assert.ok(!("Change" in (await tab.table()).multiply));
	}],

	"the inspector has all of a function": ["truth", async tab => {
		await tab.pickRow("compute");
		assert.equal(await tab.text(".details .where"), "server  ·  calc.c:40  ·  native");
		assert.equal(await tab.text(".figures"), "Self20.0% (13.3 – 28.9) · 200 cyclesTotal65.0% (55.3 – 73.6) · 650 cycles");
		const boxes = await tab.page.$$eval("#panel-source, #panel-instructions", all => all.map(each => {
			const {left, top, width} = each.getBoundingClientRect();
			return {left, top, width};
		}));
		assert.ok(boxes[1].top > boxes[0].top, "one below the other where there is little width");
		await tab.press("Wide");
		const wide = await tab.page.$$eval("#panel-source, #panel-instructions", all => all.map(each => each.getBoundingClientRect().top));
		assert.ok(Math.abs(wide[0] - wide[1]) < 2, "side by side");
	}],

	"jumps have arrows": ["truth", async tab => {
		await tab.pickRow("compute");
		const [arrow] = await tab.page.$$eval(".arrows path", paths => paths.map(path => {
			const number = path.getAttribute("data-source"), {top} = path.ownerSVGElement.getBoundingClientRect();
			const [, from, to] = /^M\d+ ([\d.]+)H\d+V([\d.]+)/.exec(path.getAttribute("d")).map(Number);
			const middle = each => {
				const box = document.querySelector(`#panel-instructions tr[data-number="${each}"]`).getBoundingClientRect();
				return (box.top + box.bottom) / 2;
			};
			return {number, isFromThere: Math.abs(top + from - middle(4)) < 2, isToThere: Math.abs(top + to - middle(2)) < 2};
		}));
		assert.deepEqual(arrow, {number: "4", isFromThere: true, isToThere: true});
	}],

	"source and instructions point at each other": ["truth", async tab => {
		await tab.pickRow("compute");
		await tab.page.$eval("#panel-source tr.here", row => row.scrollIntoView());
		await tab.page.hover('#panel-instructions tr[data-number="3"] .code');
		assert.deepEqual(await tab.page.$$eval(".linked", rows => rows.map(row => row.dataset.number || row.dataset.line)), ["45", "3"]);
	}],

	"heat is the share of all samples": ["truth", async tab => {
		const heat = async name => {
			await tab.pickRow(name);
			return tab.page.$eval("#panel-source tr.here", row => +row.style.getPropertyValue("--heat-share"));
		};
		assert.ok(Math.abs(await heat("multiply") - Math.sqrt(0.3)) < 0.01);
		assert.ok(Math.abs(await heat("recurse") - Math.sqrt(0.12)) < 0.01);
	}],

	"what was searched for is marked": ["truth", async tab => {
		await tab.search("put");
		assert.deepEqual(await texts(tab, ".hot mark"), ["put"]);
		await tab.press("Outline");
		assert.deepEqual(await texts(tab, ".outline mark"), ["put"]);
		await tab.search("calc");
		assert.equal(await tab.text(".found"), "no function matches");
		await tab.search("file:calc");
		await tab.click("#table-files");
		assert.deepEqual(await texts(tab, ".hot mark"), ["calc"]);
		await tab.click("#table-lines");
		await tab.search("line_91");
		assert.deepEqual(await texts(tab, ".hot .source mark"), ["line_91"]);
		assert.deepEqual(await texts(tab, "#panel-source mark"), ["line_91"]);
	}],

	"cycles and misses per instruction": ["ratio", async tab => {
		const ratios = async (name = ".name") => Object.fromEntries(Object.entries(await tab.table(name)).map(([row, cells]) =>
			[row, Object.entries(cells).flatMap(([head, text]) => /^(CPI|MPKI)/.test(head) ? [text] : [])]));
		await tab.page.select("select.event", "1"); // cycles
		await tab.settle();
		// As event_ratio.c has them: the shown event first; with few samples of either there is none.
		assert.deepEqual(await ratios(), {
			compute: ["1.000.76 – 1.32", "0.060.04 – 0.08"], multiply: ["2.001.24 – 3.22", "–"], copy_to_user: ["–", "–"]});
		await tab.page.$$eval(".hot th button", all => all.find(each => each.textContent === "CPI").click());
		assert.deepEqual(Object.keys(await ratios()), ["multiply", "compute", "copy_to_user"]);
		await tab.click("#table-lines");
		assert.deepEqual((await ratios(".file"))["calc.c:42"], ["0.500.34 – 0.73", "0.070.05 – 0.10"]);
		assert.deepEqual((await ratios(".file"))["calc.c:45"], ["3.001.82 – 4.95", "–"]);
		await tab.click("#table-files");
		assert.deepEqual((await ratios(".file"))["calc.c"], []);
	}],

	"without instructions there is nothing to divide by": ["truth", async tab => {
		assert.deepEqual((await texts(tab, ".hot th")).filter(head => /CPI|MPKI/.test(head)), []);
	}],

	"a link means the same when functions have other numbers": ["ratio", async tab => {
		await tab.page.select("select.event", "1");
		await tab.settle();
		await tab.pickRow("multiply");
		const address = await tab.address();
		assert.match(address, /function=multiply%7Eserver%7Ecalc\.c/);
		assert.ok(!/=\d+(&|$)/.test(address.replace(/line=\d+/, "")), address);
		const state = await tab.state();
		const other = await ReportTab.open(tab.page.browser(), path.join(folder, "ratio_late.html") + address);
		assert.deepEqual(await other.state(), state);
		await other.page.close();
	}],

	"splitters by key": ["truth", async tab => {
		const width = () => tab.page.$eval(".details", each => each.clientWidth);
		const before = await width();
		await tab.page.focus(".splitter.upright");
		await tab.keys("ArrowLeft", "ArrowLeft");
		assert.ok(Math.abs(await width() - before - 48) <= 3, `${before} to ${await width()}`);
	}],
};

runCases(async (browser, run) => {
	for (const [name, [page, test]] of Object.entries(cases)) {
		await run(name, async () => {
			const tab = await ReportTab.open(browser, path.join(folder, page + ".html"), {width: 1500, height: 950});
			await test(tab);
			assert.deepEqual(tab.faults, []);
			await tab.page.close();
		});
	}
});
