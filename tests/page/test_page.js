// SPDX-License-Identifier: Apache-2.0
// test_page.js FOLDER: what make_pages wrote there, against what is true of it (see write_truth()).
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const {ReportTab} = require("./browser.js");
const {runCases} = require("./cases.js");
const {nearestColors} = require("./palette.js");

const folder = process.argv[2];
const HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\ufffd\\u202e";

// Self and total of "cycles", of which there are 1000.
const TRUTH = {
	main: [0, 850], compute: [200, 650], multiply: [300, 300], copy_to_user: [150, 150],
	handle_request: [0, 100], "LazyCompile:*tick": [100, 100], recurse: [120, 120],
	[HOSTILE]: [80, 80], "[no stack]": [50, 50],
};

const tests = {
	async "the page is drawn"(tab) {
		assert.ok(await tab.colors(".graph canvas") > 8);
		assert.ok(await tab.colors("canvas.overview") > 3);
		assert.ok(await tab.colors("canvas.heat") > 3);
		assert.equal(await tab.page.$$eval(".graphs .legend li", items => items.map(each => each.textContent).join()),
			"native,kernel,JIT,Python,no code,inlined");
	},

	async "the header says what was recorded"(tab) {
		const header = await tab.text("header");
		for (const words of ["Truth <b>", "./server --name '</script><b>x'", "cycles at 4000 Hz", "100 samples",
			"1,000 cycles", "1 s elapsed", "3 samples lost", "build-7, aarch64",
			"10.0% in JIT-compiled Python code, where lines may be wrong"])
			assert.ok(header.includes(words), `${words} in ${header}`);
	},

	async "notes of the terminal are on the page"(tab) {
		await tab.press("Notes (2)");
		assert.deepEqual(await tab.page.$$eval("dialog[open] li", items => items.map(each => each.textContent)),
			["3 of 103 records were lost", "hint: raise <i>-F</i>", "no symbols of libc.so.6"]);
		await tab.keys("Escape");
		assert.equal((await tab.page.$$("dialog[open]")).length, 0);
	},

	async "the hot list tells the truth, and sorts"(tab) {
		assert.deepEqual(await tab.hotList(), TRUTH);
		assert.equal(Object.keys(await tab.hotList())[0], "multiply");
		await tab.click(".hot .col-total button");
		assert.equal(Object.keys(await tab.hotList())[0], "main");
		await tab.click(".hot .col-name button");
		assert.equal(Object.keys(await tab.hotList())[0], HOSTILE);
		await tab.click(".hot .col-name button");
		assert.equal(await tab.page.$eval(".hot .col-name", head => head.getAttribute("aria-sort")), "descending");
		assert.equal(Object.keys(await tab.hotList())[0], "recurse");
	},

	async "events are switched"(tab) {
		await tab.page.select("select.event", "1");
		await tab.settle();
		assert.deepEqual(await tab.hotList(),
			{[HOSTILE]: [30000, 30000], multiply: [10000, 10000], compute: [0, 10000], main: [0, 40000]});
		assert.ok((await tab.text("header")).includes("l1d_cache_refill every 10,000"));
	},

	async "search finds, and tells the share"(tab) {
		await tab.search("COMP");
		assert.equal(await tab.text(".found"), "75.0% in 2 functions");
		assert.deepEqual(Object.keys(await tab.hotList()).sort(), ["LazyCompile:*tick", "compute"]);
		await tab.search("/^(multi|copy)/");
		assert.equal(await tab.text(".found"), "45.0% in 2 functions");
		await tab.search("module:kernel");
		assert.equal(await tab.text(".found"), "15.0% in 1 function");
		await tab.search("nothing of that kind");
		assert.equal(await tab.text(".found"), "no function matches");
		assert.equal(await tab.text(".hotlist .note"), "no match");
		await tab.search("/(/");
		assert.equal(await tab.page.$eval('input[type="search"]', input => input.getAttribute("aria-invalid")), "true");
		await tab.press("Reset");
		assert.equal(await tab.text(".found"), "");
		assert.deepEqual(await tab.hotList(), TRUTH);
	},

	async "a match has another colour than the rest"(tab) {
		const before = await tab.colorAt(0.2, 3);
		await tab.search("multiply");
		const match = await tab.colorAt(0.2, 3), other = await tab.colorAt(0.2, 2);
		assert.notEqual(match, before);
		assert.notEqual(match, other);
		assert.equal(await tab.colorAt(0.2, 1), other);
	},

	async "a click zooms and selects, Reset goes back"(tab) {
		assert.equal(await tab.pointAt(0.99, 2), "");
		await tab.clickGraph(0.3, 2);
		assert.deepEqual(await tab.zoomPath(), ["all samples", "main", "compute"]);
		assert.equal(await tab.pointAt(0.99, 2), "compute");
		assert.equal(await tab.pointAt(0.4, 3), "multiply");
		assert.equal(await tab.pointAt(0.5, 3), "copy_to_user");
		assert.equal(await tab.text('.hot [aria-current="true"] .name'), "compute");
		await tab.click(".zoom-path button:nth-child(2)");
		assert.equal(await tab.pointAt(0.99, 2), HOSTILE);
		await tab.press("Reset");
		assert.equal(await tab.pointAt(0.3, 2), "compute");
		assert.equal(await tab.pointAt(0.99, 1), "[no stack]");
	},

	async "icicle, inverted and by thread"(tab) {
		await tab.press("Icicle");
		assert.equal(await tab.pointAt(0.3, 2, {isIcicle: true}), "compute");
		await tab.press("Invert");
		assert.equal(await tab.pointAt(0.1, 1, {isIcicle: true}), "multiply");
		assert.equal(await tab.pointAt(0.1, 2, {isIcicle: true}), "compute");
		assert.equal(await tab.pointAt(0.1, 3, {isIcicle: true}), "main");
		assert.equal(await tab.pointAt(0.48, 1, {isIcicle: true}), "compute"); // 300 to 500
		await tab.press("Invert");
		await tab.press("By thread");
		assert.equal(await tab.pointAt(0.1, 1, {isIcicle: true}), "main (101)");
		// 500 of the first thread, then 250.
		assert.equal(await tab.pointAt(0.6, 1, {isIcicle: true}), "worker (102)");
		assert.equal(await tab.pointAt(0.55, 4, {isIcicle: true}), "copy_to_user");
		assert.equal(await tab.pointAt(0.9, 1, {isIcicle: true}), "<i>evil</i> (103)");
	},

	async "Python has what native code spends for it"(tab) {
		await tab.press("Python only");
		assert.deepEqual(await tab.hotList(), {"[no Python]": [900, 900], handle_request: [100, 100]});
		assert.equal(await tab.pointAt(0.3, 1), "[no Python]");
		assert.equal(await tab.pointAt(0.95, 1), "handle_request");
		assert.equal(await tab.text(".graphs .legend"), "Pythonno code");
		await tab.search("handle");
		assert.equal(await tab.text(".found"), "10.0% in 1 function");
		await tab.press("worker (102)");
		assert.deepEqual(await tab.hotList(), {handle_request: [100, 100]});
		await tab.press("worker (102)");
		await tab.press("Reset");
		await tab.press("Python only");
		assert.deepEqual(await tab.hotList(), TRUTH);
	},

	async "what only Python's view has is not selected without it"(tab) {
		await tab.press("Python only");
		assert.equal(await tab.text(".details h2 bdi"), "[no Python]");
		await tab.press("Python only");
		assert.equal(await tab.text(".details h2 bdi"), "multiply");
	},

	async "a thread filters everything"(tab) {
		await tab.press("worker (102)");
		assert.deepEqual(await tab.hotList(), {copy_to_user: [150, 150], "LazyCompile:*tick": [100, 100],
			main: [0, 150], compute: [0, 150], handle_request: [0, 100]});
		assert.ok((await tab.text("header")).includes("25 samples"));
		assert.equal(await tab.pointAt(0.59, 1), "main");
		await tab.press("worker (102)");
		assert.deepEqual(await tab.hotList(), TRUTH);
	},

	async "a range of time filters everything"(tab) {
		await tab.brush(0.75, 0.55);
		assert.deepEqual(await tab.hotList(), {copy_to_user: [150, 150], compute: [100, 250], main: [0, 250]});
		assert.match(await tab.text(".range"), /^5[45]\d.* ms – 7[45]\d.* ms/);
		assert.deepEqual(await tab.page.$$eval(".lanes .number", cells => cells.map(each => each.textContent)),
			["40.0%", "60.0%", "0%"]); // of main, worker and evil
		await tab.press("Whole time");
		assert.deepEqual(await tab.hotList(), TRUTH);
		await tab.page.focus(".time");
		await tab.keys("ArrowRight", "ArrowRight"); // a tenth of the time, moved by a fiftieth
		assert.deepEqual(await tab.hotList(), {multiply: [300, 300], compute: [0, 300], main: [0, 300]});
		await tab.keys("Escape");
		assert.deepEqual(await tab.hotList(), TRUTH);
		assert.equal(await tab.address(), "");
	},

	async "each step is taken back, and none more"(tab) {
		const hash = [await tab.address()];
		const steps = [() => tab.clickGraph(0.3, 2), () => tab.press("Icicle"), () => tab.press("worker (102)"),
			() => tab.brush(0.75, 0.55), () => tab.press("Python only"), () => tab.press("Files"),
			() => tab.page.select("select.event", "1").then(() => tab.settle())];
		const seen = [await tab.state()];
		for (const step of steps) {
			await step();
			hash.push(await tab.address());
			seen.push(await tab.state());
		}
		assert.equal(new Set(hash).size, steps.length + 1, hash.join(" "));
		for (let i = steps.length - 1; i >= 0; i--) {
			await tab.keys("Escape");
			assert.equal(await tab.address(), hash[i]);
			assert.deepEqual(await tab.state(), seen[i]);
		}
		await tab.keys("Escape");
		assert.deepEqual(await tab.state(), seen[0]);
		await tab.page.goForward();
		await tab.settle();
		assert.deepEqual(await tab.state(), seen[1]);
	},

	async "letters of a search are one step"(tab) {
		await tab.keys("/");
		await tab.page.keyboard.type("compute");
		assert.equal(await tab.text(".found"), "65.0% in 1 function");
		await tab.keys("Escape");
		assert.equal(await tab.text(".found"), "");
		assert.equal(await tab.page.$eval('input[type="search"]', input => input.value), "");
	},

	async "a link shows the same"(tab) {
		await tab.clickGraph(0.3, 2);
		await tab.press("Invert");
		await tab.press("By thread");
		await tab.press("main (101)");
		await tab.search("/^m/");
		await tab.press("Lines");
		const url = await tab.page.url(), state = await tab.state();
		const other = await ReportTab.open(tab.page.browser(), url.replace("file://", ""));
		assert.deepEqual(await other.state(), state);
		assert.equal(await other.text(".found"), await tab.text(".found"));
		assert.deepEqual(other.faults, []);
		await other.page.close();
	},

	async "a link may be anything"(tab) {
		const url = await tab.page.url(), state = await tab.state();
		for (const words of ["function=99999&zoom=1.2.x.-3.7e9&threads=-1.9.abc&time=9-3&event=77&shape=%3Cb%3E&tab=zz",
			"event=__proto__&zoom=constructor&shape=toString&function=1e400&time=99999999999-99999999999",
			"&&&=&%ff=%&event", "threads=0.0.0.0&zoom=....", "function=3&event=1&against=0&zoom=0.1&threads=0.2&rules=hf2.cm1",
			"function=~~&zoom=,,~,!&threads=~,~2,!7e&rules=hf~,~,cm~", "function=constructor&event=~&against=!!"]) {
			const other = await ReportTab.open(tab.page.browser(), `${url.replace("file://", "")}#${words}`);
			assert.ok((await other.state()).shape === "Flame", words);
			await other.page.evaluate(() => location.hash = "");
			await other.settle();
			assert.deepEqual(await other.state(), state);
			assert.deepEqual(other.faults, []);
			await other.page.close();
		}
	},

	async "keys"(tab) {
		await tab.page.focus(".graph");
		await tab.keys("?");
		assert.ok(await tab.page.$eval('dialog[aria-label="Keys"]', dialog => dialog.open));
		await tab.keys("Escape");
		assert.ok(!await tab.page.$eval('dialog[aria-label="Keys"]', dialog => dialog.open));
		await tab.keys("c");
		assert.equal((await tab.state()).shape, "Icicle");
		await tab.keys("i", "t", "o");
		assert.equal((await tab.state()).shape, "Outline");
		await tab.keys("Escape", "Escape");
		assert.equal((await tab.state()).shape, "Icicle");
		assert.equal(await tab.pointAt(0.1, 1, {isIcicle: true}), "multiply");
		await tab.press("Copy link");
		await tab.page.waitForFunction(() => !document.querySelector(".tools").textContent.includes("Copy link"));
	},

	async "callers and callees, once for each sample"(tab) {
		await tab.search("compute");
		await tab.click(".hot tbody tr");
		assert.deepEqual(await tab.neighbours(), {"Called by": {main: 650},
			Calls: {multiply: 300, "self: no call": 200, copy_to_user: 150}});
		await tab.search("recurse");
		await tab.click(".hot tbody tr");
		assert.deepEqual(await tab.neighbours(), {"Called by": {main: 120, recurse: 120},
			Calls: {recurse: 120, "self: no call": 120}});
		await tab.click("#panel-neighbours tbody tr");
		assert.equal(await tab.text(".details h2 bdi"), "main");
	},

	async "source lines have their samples"(tab) {
		await tab.clickGraph(0.3, 2);
		assert.deepEqual(await tab.listing("source"),
			{12: [0, 850], 42: [100, 400], 45: [100, 250], 91: [300, 300], 151: [120, 120]});
		assert.equal(await tab.text("#panel-source tr.here .code"),
			"\tline_42(); // </script><img src=x onerror=alert(1)> \ufffd");
		assert.equal(await tab.page.$$eval("#panel-source tbody tr:not(.fold)", rows => rows.length < 120), true);
		await tab.press("lines 1");
		assert.ok((await tab.text('#panel-source [data-line="1"] .code')).startsWith("\tline_1()"));
	},

	async "a file that is not there still has lines"(tab) {
		await tab.search("handle");
		await tab.click(".hot tbody tr");
		assert.deepEqual(await tab.listing("source"), {"8 ?": [0, 100]});
		assert.ok((await tab.text("#panel-source .path")).includes("source text not included in this page"));
		assert.ok((await tab.text("#panel-source .path")).includes("the true line may be another one of the function"));
	},

	async "instructions have their samples"(tab) {
		await tab.clickGraph(0.3, 2);
		assert.deepEqual(await tab.listing("instructions"), {"0x2010": [100, 400], "0x2018": [100, 250]});
		assert.ok((await tab.text("#panel-instructions")).includes("ret </script>"));
	},

	async "the keyboard goes everywhere"(tab) {
		await tab.page.focus(".graph");
		await tab.keys("ArrowUp", "ArrowUp");
		assert.equal(await tab.text("[aria-live]"), "compute, server, 65.0%, level 2, 2 branches");
		await tab.keys("ArrowRight");
		assert.equal(await tab.text(".details h2 bdi"), "recurse");
		await tab.keys("ArrowLeft", "ArrowUp", "Enter");
		assert.deepEqual(await tab.zoomPath(), ["all samples", "main", "compute", "multiply"]);
		await tab.keys("Backspace");
		assert.deepEqual(await tab.zoomPath(), ["all samples", "main", "compute"]);
		await tab.keys("Escape");
		assert.deepEqual(await tab.zoomPath(), ["all samples", "main", "compute", "multiply"]);
		await tab.keys("Escape");
		assert.deepEqual(await tab.zoomPath(), ["all samples"]);
		await tab.keys("/");
		await tab.page.keyboard.type("recurse");
		assert.equal(await tab.text(".found"), "12.0% in 1 function");
		await tab.keys("Enter");
		assert.ok(await tab.page.evaluate(() => document.activeElement.matches(".graph")));
	},

	async "what the keyboard goes to comes into sight"(tab) {
		await tab.clickGraph(0.1, 3);
		assert.deepEqual(await tab.zoomPath(), ["all samples", "main", "compute", "multiply"]);
		await tab.keys("ArrowRight"); // a sibling, which the zoom had put outside
		assert.equal(await tab.text(".details h2 bdi"), "copy_to_user");
		assert.deepEqual(await tab.zoomPath(), ["all samples", "main", "compute"]);
	},

	async "Tab reaches each part in order"(tab) {
		const order = [];
		for (let i = 0; i < 50; i++) {
			await tab.page.keyboard.press("Tab");
			order.push(await tab.page.evaluate(() => ["select.event", 'input[type="search"]', ".time",
				".lanes button", ".segments button", ".graph", ".splitter:not(.upright)", '.hotlist [role="tab"]',
				".hot th button", ".hot tbody tr", ".splitter.upright", ".details .bar-head button", ".neighbours tr",
				"#panel-source"].find(selector => document.activeElement.matches(selector))));
		}
		const seen = [...new Set(order.filter(Boolean))];
		assert.deepEqual(seen, ["select.event", 'input[type="search"]', ".time", ".lanes button", ".segments button",
			".graph", ".splitter:not(.upright)", '.hotlist [role="tab"]', ".hot th button", ".hot tbody tr",
			".splitter.upright", ".details .bar-head button", ".neighbours tr", "#panel-source"]);
	},

	async "the outline is the graph as rows"(tab) {
		await tab.press("Outline");
		const rows = () => tab.page.$$eval('[role="treeitem"]', items => items.map(item =>
			`${item.getAttribute("aria-level")} ${item.querySelector("bdi").textContent} ` +
			[...item.querySelectorAll(".number")].map(each => each.textContent).join(" ").trim()));
		const first = await rows();
		assert.deepEqual(first.slice(0, 4), ["1 all samples 100.0%", "2 main 85.0%", "3 compute 65.0% 20.0%",
			"4 multiply 30.0% 30.0%"]);
		await tab.page.focus('[role="treeitem"]');
		await tab.keys("ArrowDown", "ArrowLeft"); // closes main
		assert.deepEqual(await rows(), ["1 all samples 100.0%", "2 main 85.0%", "2 handle_request 10.0%",
			"2 [no stack] 5.0% 5.0%"]);
		await tab.keys("ArrowRight", "ArrowRight", "Enter");
		assert.deepEqual(await tab.zoomPath(), ["all samples", "main", "compute"]);
	},

	async "hostile names stay text"(tab) {
		for (const label of ["Outline", "Icicle", "Time order", "Sandwich", "Lines", "Files", "Threads", "Functions"])
			await tab.press(label);
		await tab.search("onerror");
		await tab.click(".hot tbody tr");
		assert.equal(await tab.text(".details h2 bdi"), HOSTILE);
		assert.equal(await tab.page.$$eval("img, b b, i i, h1 b", found => found.length), 0);
		const file = fs.readFileSync(path.join(folder, "truth.html"), "utf8");
		assert.equal(file.match(/<script/g).length, file.match(/<\/script>/g).length);
		assert.ok(!file.includes("<img") && !file.includes("<!--"));
	},

	async "the policy refuses what is not on the page"(tab) {
		const refused = await tab.page.evaluate(() => new Promise(done => {
			document.addEventListener("securitypolicyviolation", event => done(event.effectiveDirective));
			document.body.append(Object.assign(document.createElement("img"), {src: "file:///nothing.png"}));
			setTimeout(() => done(""), 2000);
		}));
		assert.equal(refused, "img-src");
		tab.faults = [];
	},
};

/** What is asked for first is shown first; a wait is as long as it was; work is drawn evenly. */
async function testWait(browser) {
	const tab = await ReportTab.open(browser, path.join(folder, "wait.html"), {height: 700});
	const top = () => tab.page.$eval(".graph", element => element.scrollTop);
	assert.equal(await tab.page.$eval("select.event", select => select.selectedOptions[0].text), "cpu-clock");
	await tab.press("Python only"); // it begins with Python's rows alone
	const begin = await top();
	const width = await tab.page.$eval("canvas.heat", each => each.width);
	// How darkly the first lane is drawn.
	const drawn = async () => (await tab.pixels("canvas.heat", {y: 5, width, height: 1})).map(pixel => pixel >>> 24);
	let row = await drawn();
	const share = (from, to) => row.slice(from * width, to * width).filter(Boolean).length / ((to - from) * width);
	const mean = (from, to) => row.slice(from * width, to * width).reduce((sum, each) => sum + each, 0) / ((to - from) * width);
	assert.ok(share(0.01, 0.24) > 0.99 && share(0.76, 0.99) > 0.99);
	// Off the CPU it is hatched, as long as that lasted.
	assert.ok(mean(0.26, 0.74) > 10 && mean(0.26, 0.74) < 0.6 * mean(0.01, 0.24), `${mean(0.26, 0.74)} of ${mean(0.01, 0.24)}`);
	const work = row.slice(0.02 * width, 0.24 * width); // regular samples make no waves
	assert.ok(Math.min(...work) > 0.9 * Math.max(...work), `${Math.min(...work)} to ${Math.max(...work)}`);
	await tab.page.select("select.event", "1");
	await tab.settle();
	assert.ok(Math.abs(await top() - begin) < 20 && begin < 100, "the script's row, not its interpreter's");
	assert.ok((await tab.page.$$eval(".lanes bdi", labels => labels.map(each => each.textContent)))[0]
		.startsWith("python3"));
	assert.deepEqual((await tab.page.$$eval(".lanes .number", cells => cells.map(each => each.textContent))), ["71.4%", "28.6%"]);
	assert.deepEqual(tab.faults, []);
	await tab.page.close();
}

/** The selected function has room for its name, and all tabs can be come to. */
async function testNarrow(browser) {
	const tab = await ReportTab.open(browser, path.join(folder, "demo.html"), {width: 1100, height: 800});
	const widths = await tab.page.evaluate(() => [...document.querySelectorAll(".hot tbody tr")].map(row => {
		row.click();
		const name = document.querySelector(".details h2 bdi");
		return [name.textContent, name.clientWidth, name.scrollWidth];
	}));
	assert.ok(widths.length > 30);
	for (const [name, width, wanted] of widths)
		assert.ok(width >= Math.min(wanted, 180), `${name}: ${width} of ${wanted} pixels`);
	await tab.page.close();
	const phone = await ReportTab.open(browser, path.join(folder, "spe.html"), {width: 390, height: 800});
	const last = await phone.page.$eval('.details [role="tab"]:last-child', each => {
		each.scrollIntoView();
		const box = each.getBoundingClientRect(), seen = document.elementFromPoint(box.right - 5, box.top + 5);
		return {label: each.textContent, isSeen: seen === each};
	});
	assert.deepEqual(last, {label: "Shared lines", isSeen: true});
	await phone.page.close();
}

/** What a click zooms to stays in sight, with what it calls. */
async function testZoom(browser) {
	const tab = await ReportTab.open(browser, path.join(folder, "large.html"), {height: 700});
	const rows = await tab.page.$eval(".graph", element => {
		element.scrollTop = element.scrollHeight - 2 * element.clientHeight;
		return Math.floor(element.clientHeight / 20);
	});
	await tab.settle();
	let isSeen = false;
	for (let share = 0.02; share < 0.9 && !isSeen; share += 0.02)
		isSeen = await tab.pointAt(share, rows - 1) !== "";
	assert.ok(isSeen, "there is something in the topmost row");
	const name = await tab.page.$eval(".tip p", tip => tip.textContent);
	await tab.page.mouse.down();
	await tab.page.mouse.up();
	await tab.settle();
	assert.equal((await tab.zoomPath()).at(-1), name);
	const depth = (await tab.zoomPath()).length - 1;
	const above = await tab.page.$eval(".graph", (element, level) =>
		element.scrollHeight - (level + 1) * 20 - element.scrollTop, depth);
	assert.ok(above >= 20 * Math.min(rows - 3, 5) || await tab.page.$eval(".graph", each => each.scrollTop) === 0,
		`${above} pixels above what was zoomed to`);
	assert.deepEqual(tab.faults, []);
	await tab.page.close();
}

/** Many moves in one frame are one step. */
async function testDrag(browser) {
	const tab = await ReportTab.open(browser, path.join(folder, "truth.html"));
	const before = (await tab.measures("wperf-filter")).length;
	await tab.page.$eval("canvas.overview", canvas => {
		const box = canvas.getBoundingClientRect();
		const send = (type, share) => canvas.dispatchEvent(new PointerEvent(type, {clientX: box.left + share * box.width,
			clientY: box.top + 5, pointerId: 1, button: 0}));
		canvas.setPointerCapture = () => {};
		send("pointerdown", 0.1);
		for (let share = 0.1; share < 0.7; share += 0.01)
			send("pointermove", share);
		send("pointerup", 0.7);
	});
	await tab.settle();
	const steps = (await tab.measures("wperf-filter")).length - before;
	assert.ok(steps >= 1 && steps <= 3, `${steps} steps`);
	assert.deepEqual(tab.faults, []);
	await tab.page.close();
}

/** People of all kinds of sight tell the kinds of code apart. See test_accessibility.js, too. */
async function testEverybody(browser) {
	for (const scheme of ["light", "dark"]) {
		const tab = await ReportTab.open(browser, path.join(folder, "truth.html"), {scheme});
		const colors = await tab.page.$$eval(".graphs .legend .swatch", all =>
			all.map(each => getComputedStyle(each).backgroundColor));
		const {distance, ...where} = nearestColors(colors);
		assert.ok(distance > 10, `${scheme}: ${JSON.stringify({distance, ...where})}`);
		await tab.page.close();
	}
}

async function testPrint(browser) {
	const tab = await ReportTab.open(browser, path.join(folder, "truth.html"), {scheme: "dark"});
	const paper = await tab.page.pdf({format: "A4"});
	fs.writeFileSync(path.join(folder, "truth.pdf"), paper);
	assert.equal(Buffer.from(paper.subarray(0, 5)).toString(), "%PDF-");
	// As it is laid out for paper: the whole graph, as wide as what is around it.
	const graph = await tab.page.evaluate(() => {
		dispatchEvent(new Event("beforeprint"));
		const {clientWidth, clientHeight, scrollHeight} = document.querySelector(".graph");
		const canvas = document.querySelector(".graph canvas").getBoundingClientRect();
		const card = document.querySelector(".graphs").clientWidth;
		dispatchEvent(new Event("afterprint"));
		return {clientWidth, clientHeight, scrollHeight, card, width: canvas.width};
	});
	assert.ok(graph.width === graph.clientWidth && graph.width > 0.95 * graph.card && graph.card > 650 && graph.card < 710, JSON.stringify(graph));
	assert.ok(graph.scrollHeight <= graph.clientHeight + 1, JSON.stringify(graph));
	await tab.settle();
	assert.equal(await tab.page.evaluate(() => document.documentElement.dataset.theme), "dark");
	assert.deepEqual(tab.faults, []);
	await tab.page.close();
}

async function testLayouts(browser) {
	for (const scheme of ["light", "dark"]) {
		for (const [width, height] of [[1440, 900], [390, 800], [2560, 1300]]) {
			const tab = await ReportTab.open(browser, path.join(folder, "truth.html"), {width, height, scheme});
			assert.ok(await tab.colors(".graph canvas") > 6, `${scheme} ${width}`);
			const excess = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			assert.ok(excess <= 0, `${width}: ${excess} pixels too wide`);
			assert.deepEqual(tab.faults, []);
			await tab.page.close();
		}
	}
}

function median(numbers) {
	return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

/** What SPE told: weights of samples or cycles, latencies of a function, and who shares a line. */
async function testSpe(browser) {
	const tab = await ReportTab.open(browser, path.join(folder, "spe.html"));
	assert.deepEqual(await tab.hotList(), {quick: [120, 120], slow: [60, 60]});
	await tab.page.select("select.event", "1");
	await tab.settle();
	assert.deepEqual(await tab.hotList(), {slow: [5400, 5400], quick: [600, 600]});
	assert.ok((await tab.text("header")).includes("6,000 cycles"));
	// Samples of SPE have no callers: there is no empty flame graph, but figures of their own.
	assert.equal(await tab.page.$eval(".graphs", card => card.offsetParent), null);
	assert.ok((await tab.text(".flat-note")).startsWith("No stacks were recorded"));
	const rows = await tab.table();
	assert.deepEqual([rows.slow["Mean latency"], rows.slow.L1, rows.quick["Mean latency"]], ["90.0", "100.0%", "5.0"]);
	await tab.press("Latency");
	await tab.pickRow("slow");
	const cells = selector => tab.page.$$eval(selector, rows => rows.map(row =>
		[...row.children].map(each => each.textContent)));
	assert.deepEqual(await cells(".spe-figures tbody tr"), [
		["total, here", "60", "90", "89", "89", "89", "90"],
		["total, all", "180", "33.3", "5", "89", "89", "90"]]);
	const shares = Object.fromEntries((await cells(".spe-shares tbody tr")).map(([name, ...rest]) => [name, rest]));
	assert.deepEqual(shares["4 – 7"], ["0%", "66.7%"]);
	assert.deepEqual(shares["64 – 127"], ["100.0%", "33.3%"]);
	assert.deepEqual(shares.L1, ["100.0%", "100.0%"]);
	assert.deepEqual(shares["L1 data cache miss"], ["0%", "0%"]);
	await tab.press("Shared lines");
	assert.ok((await tab.text("#panel-lines .spe-note")).startsWith("1 of 121 cache lines touched by samples: shared"));
	assert.deepEqual((await cells(".accesses tbody tr")).map(row => row.slice(0, 6)), [
		["0", "write", "30", "90.0", "0%", "main (101)"],
		["8", "read", "30", "90.0", "0%", "</script><b>evil</b> (102)"]]);
	assert.deepEqual(await tab.page.$$eval(".line-map i", all => all.map((each, i) => each.className && i + each.className)
		.filter(Boolean)), ["0thread-0 written", "8thread-1"]);
	assert.notEqual(await tab.page.$eval(".line-map .thread-0", each => getComputedStyle(each).backgroundColor),
		await tab.page.$eval(".line-map .thread-1", each => getComputedStyle(each).backgroundColor));
	await tab.press("Reset");
	await tab.press("Latency");
	assert.deepEqual(await cells(".spe-figures tbody tr"), [["total, all", "180", "33.3", "5", "89", "89", "90"]]);
	assert.deepEqual(tab.faults, []);
	await tab.page.close();
	const other = await ReportTab.open(browser, path.join(folder, "truth.html"));
	assert.equal(await other.page.$$eval("#tab-latency, #tab-lines", found => found.length), 0);
	await other.page.close();
}

/** Bounds are for a busy machine without a graphics card; what is usual is printed. */
async function testLarge(browser) {
	const file = path.join(folder, "large.html");
	const tab = await ReportTab.open(browser, file);
	const [load] = await tab.measures("wperf-load");
	const shown = [];
	for (const [share, depth] of [[0.1, 2], [0.1, 4], [0.1, 6], [0.1, 1]])
		await tab.clickGraph(share, depth);
	shown.push(`size ${(fs.statSync(file).size / 1e6).toFixed(1)} MB`, `first drawing ${load.toFixed(0)} ms`);
	const frames = await tab.measures("wperf-frame");
	shown.push(`zoom frames: median ${median(frames).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms`);
	await tab.brush(0.2, 0.6);
	const filters = await tab.measures("wperf-filter");
	shown.push(`filter: median ${median(filters).toFixed(1)} ms`);
	let begin = Date.now();
	await tab.press("Invert");
	shown.push(`invert ${Date.now() - begin} ms`);
	begin = Date.now();
	await tab.press("By thread");
	shown.push(`by thread ${Date.now() - begin} ms`);
	begin = Date.now();
	await tab.search("lookup");
	shown.push(`search ${Date.now() - begin} ms`);
	console.log("200,000 stacks: " + shown.join(", "));
	assert.ok(await tab.colors(".graph canvas") > 20);
	assert.ok(load < 15000 && median(frames) < 150 && median(filters) < 3000);
	assert.deepEqual(tab.faults, []);
	await tab.page.close();
}

runCases(async (browser, run) => {
	for (const [name, test] of Object.entries(tests)) {
		await run(name, async () => {
			const tab = await ReportTab.open(browser, path.join(folder, "truth.html"));
			await test(tab);
			assert.deepEqual(tab.faults, []);
			await tab.page.close();
		});
	}
	await run("light and dark, narrow and wide", () => testLayouts(browser));
	await run("on paper", () => testPrint(browser));
	await run("work and waits", () => testWait(browser));
	await run("room for names and tabs", () => testNarrow(browser));
	await run("a click keeps what it zoomed to in sight", () => testZoom(browser));
	await run("a drag takes one step for each frame", () => testDrag(browser));
	await run("for everybody", () => testEverybody(browser));
	await run("what SPE told", () => testSpe(browser));
	await run("200,000 stacks", () => testLarge(browser));
});
