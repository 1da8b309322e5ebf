// SPDX-License-Identifier: Apache-2.0
// test_fleet.js FOLDER WPERF: the pages of `wperf serve`: services, reports with the bar above, pickers,
// the heat map, comparisons, links and errors; what a user does, and what the numbers must be.
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const {accessibilityCounts, checkAccessibility} = require("./accessibility.js");
const {BROWSER, PHONE, ReportTab} = require("./browser.js");
const {runCases} = require("./cases.js");
const {BEGIN, HOSTILE, HOUR, LATER_LOADS, LOADS, MINUTE, STORES, iso, makeStore, serve} = require("./fleet_store.js");

const [folder, wperf] = process.argv.slice(2);
const DAY = `since=${iso(BEGIN)}&until=${iso(BEGIN + 24 * HOUR)}`;
const FIRST_HOURS = `since=${iso(BEGIN)}&until=${iso(BEGIN + 6 * HOUR)}`;

const texts = (tab, selector) => tab.page.$$eval(selector, all => all.map(each => each.textContent));

/** {since: ..., ...}: what the address asks for. */
const asked = tab => tab.page.evaluate(() => Object.fromEntries(new URLSearchParams(location.search)));

/** What an act leads to. */
const follow = async (tab, act) => {
	const arrival = tab.page.waitForNavigation({waitUntil: "load"});
	await act();
	await arrival;
	await tab.settle();
};

/** The weight of all samples that the report shows. */
const total = async tab => {
	const text = await tab.text(".shown .facts"), [, number, unit] = /([\d.,]+) ([kMG]?) ?(?:ld_spec|st_spec|events)/.exec(text) || [text];
	return Number(number.replace(/,/g, "")) * {"": 1, k: 1e3, M: 1e6, G: 1e9}[unit];
};

/** Three digits, as reports show. */
const shown = weight => Number(weight.toPrecision(3));

const click = (tab, label, where = "nav") => tab.page.$$eval(`${where} button`, (all, wanted) => all.find(each => each.textContent === wanted).click(), label);

/** Chooses in a picker of few. */
const choose = (tab, label, text, where = ".choice") => tab.page.$$eval(`${where} .picker`, (all, [wanted, value]) => {
	const select = all.find(each => each.querySelector("span").textContent === wanted).querySelector("select");
	select.value = [...select.options].find(option => option.textContent === value).value;
	select.dispatchEvent(new Event("change"));
}, [label, text]);

/** What a picker shows. */
const chosen = (tab, label) => tab.page.$$eval(".choice .picker", (all, wanted) => {
	const picker = all.find(each => each.querySelector("span").textContent === wanted), select = picker.querySelector("select");
	return select ? select.selectedOptions[0].textContent : picker.querySelector("input").value;
}, label);

/** Where in the heat map a share of its time is. */
const HEAT_GUTTER = 66;
const heatPoint = (tab, share) => tab.page.$eval(".choice .heat canvas", (canvas, [gutter, across]) => {
	const {left, top, width, height} = canvas.getBoundingClientRect();
	return [left + gutter + across * (width - gutter), top + height / 2];
}, [HEAT_GUTTER, share]);

/** [page, case]: each begins with a page of its own. */
const cases = {
	"all services with events, times and strips": ["/", async tab => {
		const rows = await tab.page.$$eval(".start tbody tr", all => all.map(row => [...row.cells].map(cell => cell.textContent)));
		assert.equal(rows.length, 6);
		const shop = rows.find(([name]) => name === "shop"), wide = rows.find(([name]) => name === "wide");
		assert.equal(shop[1], "ld_spec, st_spec");
		assert.match(shop[2], /^\d(\.\d)? h ago$/);
		assert.match(shop[4], /^[\d.]+ ?[kMG]? ld_spec$/);
		assert.deepEqual(shop.slice(5), ["32", "0", "0"]);
		assert.deepEqual([wide[1], ...wide.slice(5)], ["ld_spec, st_spec", "30", "0", "0"]);
		// The service with most is first: each of these has as many loads in each batch.
		assert.ok(rows.indexOf(shop) < rows.indexOf(wide), rows.map(([name]) => name).join());
		assert.ok(await tab.colors(".start .heat canvas") > 1);
	}],

	"a service leads to the last hour that it has": ["/", async tab => {
		await follow(tab, () => tab.page.evaluate(() => [...document.querySelectorAll(".start .name a")].find(a => a.textContent === "shop").click()));
		assert.equal(await tab.text("header h1 bdi"), "shop");
		assert.ok((await tab.hotList()).x_mul[0] > 0);
		assert.equal(await chosen(tab, "Service"), "shop");
		await follow(tab, () => tab.page.click(".home"));
		assert.equal(await tab.text("h1"), "Services");
	}],

	"hosts add up to all of them": [`/?service=shop&event=ld_spec&${FIRST_HOURS}`, async tab => {
		const all = await total(tab), byHost = [];
		assert.equal(all, 8 * LOADS); // each hour from one host, the first one from three
		for (const host of ["web-1", "web-2", "web-3"]) {
			await follow(tab, () => choose(tab, "Host", host));
			assert.deepEqual([(await asked(tab)).label, await chosen(tab, "Host")], [`host.name=${host}`, host]);
			byHost.push(await total(tab));
		}
		assert.deepEqual(byHost, [6 * LOADS, LOADS, LOADS]);
		await follow(tab, () => choose(tab, "Host", "any of 3"));
		assert.equal(await total(tab), all);
	}],

	"events and labels are chosen": [`/?service=shop&${DAY}`, async tab => {
		await follow(tab, () => choose(tab, "Event", "st_spec"));
		assert.equal(await total(tab), shown(16 * STORES));
		await follow(tab, () => choose(tab, "Event", "ld_spec"));
		assert.equal(await total(tab), shown(16 * LOADS + 16 * LATER_LOADS));
		await follow(tab, () => choose(tab, "version", "1.1"));
		assert.equal(await total(tab), 16 * LATER_LOADS);
		assert.deepEqual((await tab.hotList()).x_mul[0] > 0, true);
	}],

	"another service keeps the time": [`/?service=shop&${DAY}&label=version%3D1.0`, async tab => {
		await follow(tab, () => choose(tab, "Service", "wide"));
		assert.deepEqual(await asked(tab), {service: "wide", since: iso(BEGIN), until: iso(BEGIN + 24 * HOUR)});
		assert.equal(await total(tab), 30 * LOADS);
	}],

	"one of many hosts is found by a part of its name": [`/?service=wide&event=ld_spec&${DAY}`, async tab => {
		const input = '.search-picker input';
		await tab.page.click(input);
		await tab.settle();
		assert.equal(await tab.page.$eval(input, each => each.getAttribute("aria-expanded")), "true");
		assert.equal((await texts(tab, ".popup li")).length, 31);
		await tab.page.keyboard.type("t-17");
		await tab.settle();
		assert.deepEqual(await texts(tab, ".popup li"), ["host-17"]);
		if (BROWSER === "chromium")
			await checkAccessibility(tab, "the open list");
		await tab.keys("Escape");
		assert.equal(await tab.page.$eval(".popup", each => each.hidden), true);
		await tab.page.keyboard.type("host-2");
		await tab.keys("ArrowDown", "ArrowDown"); // host-2, host-20, host-21
		await follow(tab, () => tab.page.keyboard.press("Enter"));
		assert.equal((await asked(tab)).label, "host.name=host-21");
		assert.equal(await total(tab), LOADS);
	}],

	"the mouse marks a range in the heat map": [`/?service=shop&event=ld_spec&${FIRST_HOURS}`, async tab => {
		const words = await tab.text(".tip-line"), [x, y] = await heatPoint(tab, 0.25);
		assert.equal(words, "ld_spec over time");
		await tab.page.mouse.move(x, y);
		await tab.settle();
		assert.match(await tab.text(".tip-line"), /^\d{4}-\d\d-\d\d \d\d:\d\d – \d\d:\d\d UTC: /);
		await follow(tab, async () => {
			await tab.page.mouse.down();
			await tab.page.mouse.move(x + 60, y, {steps: 5});
			await tab.page.mouse.up();
		});
		const {since, until} = await asked(tab);
		assert.ok(Date.parse(since) >= BEGIN && Date.parse(until) > Date.parse(since), `${since} ${until}`);
		assert.ok(Date.parse(until) - Date.parse(since) < 3 * HOUR);
		assert.equal((Date.parse(since) - BEGIN) % (5 * MINUTE), 0);
		assert.ok((await tab.text(".ranges")).includes(since.slice(11, 16)));
	}],

	"keys mark a range in the heat map": [`/?service=shop&event=ld_spec&${FIRST_HOURS}`, async tab => {
		await tab.page.focus(".choice .heat");
		const before = await tab.page.$eval(".choice .heat", each => each.getAttribute("aria-valuetext"));
		await tab.keys("ArrowRight");
		assert.notEqual(await tab.page.$eval(".choice .heat", each => each.getAttribute("aria-valuetext")), before);
		await tab.keys("Escape");
		assert.equal(await tab.page.$eval(".choice .heat", each => each.getAttribute("aria-valuetext")), before);
		await tab.page.keyboard.down("Shift");
		await tab.keys(..."x".repeat(36).split("").map(() => "ArrowLeft")); // of 5 minutes
		await tab.page.keyboard.up("Shift");
		await follow(tab, () => tab.page.keyboard.press("Enter"));
		assert.deepEqual(await asked(tab), {service: "shop", event: "ld_spec", since: iso(BEGIN), until: iso(BEGIN + 3 * HOUR)});
		assert.equal(await total(tab), 5 * LOADS);
	}],

	"a row of each host": [`/?service=shop&event=ld_spec&${DAY}`, async tab => {
		const names = () => texts(tab, ".host-names a");
		await follow(tab, () => click(tab, "By host"));
		assert.equal((await asked(tab)).rows, "host");
		assert.deepEqual(await names(), ["web-1", "web-2", "web-3"]); // the first has most
		assert.equal(await tab.text(".tip-line"), "ld_spec over time, of 3 hosts");
		// Its names: by key, one of them in the order of Tab.
		await tab.page.focus(".host-names a");
		await tab.keys("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp");
		assert.deepEqual(await tab.page.evaluate(() => [document.activeElement.textContent, document.querySelectorAll('.host-names a[tabindex="0"]').length]), ["web-2", 1]);
		await follow(tab, () => tab.page.keyboard.press("Enter"));
		assert.deepEqual([(await asked(tab)).label, (await asked(tab)).rows, await total(tab)], ["host.name=web-2", undefined, 2 * LOADS + 2 * LATER_LOADS]);
		assert.equal((await texts(tab, ".caption .segments")).length, 0);
	}],

	"a range is marked in the rows of hosts": [`/?service=shop&event=ld_spec&rows=host&${FIRST_HOURS}`, async tab => {
		const [left, top, width] = await tab.page.$eval(".choice .heat canvas", canvas => {
			const box = canvas.getBoundingClientRect();
			return [box.left, box.top, box.width];
		});
		await tab.page.mouse.move(left + 180 + (width - 180) / 24, top + 15 + 19 + 9); // the first hour of the second host
		await tab.settle();
		assert.match(await tab.text(".tip-line"), /^web-2, \d{4}-.* UTC: /);
		await follow(tab, async () => {
			await tab.page.mouse.down();
			await tab.page.mouse.move(left + 180 + (width - 180) / 8, top + 15 + 19 + 9, {steps: 5});
			await tab.page.mouse.up();
		});
		const {since, until, rows} = await asked(tab);
		assert.equal(rows, "host");
		assert.ok(Date.parse(since) >= BEGIN && Date.parse(until) < BEGIN + 6 * HOUR, `${since} ${until}`);
		await tab.page.focus(".choice .heat");
		await tab.keys("ArrowRight");
		await follow(tab, () => tab.page.keyboard.press("Enter"));
		assert.ok(Date.parse((await asked(tab)).since) > Date.parse(since));
		await follow(tab, () => click(tab, "By service"));
		assert.equal((await asked(tab)).rows, undefined);
	}],

	"all of many hosts are reached": [`/?service=wide&event=ld_spec&rows=host&${DAY}`, async tab => {
		assert.equal((await texts(tab, ".host-names a")).length, 30);
		const scrolled = () => tab.page.$eval(".host-names", list => [list.scrollTop > 0, list.clientHeight < list.scrollHeight]);
		assert.deepEqual(await scrolled(), [false, true]);
		await tab.page.focus(".host-names a");
		await tab.keys("End");
		assert.deepEqual(await scrolled(), [true, true]);
		assert.equal(await tab.page.evaluate(() => document.activeElement.textContent), "host-9");
		const {left, bottom} = await tab.page.$eval(".choice .heat canvas", canvas => canvas.getBoundingClientRect().toJSON());
		await tab.page.mouse.move(left + 400, bottom - 8);
		await tab.settle();
		assert.match(await tab.text(".tip-line"), /^host-9, /);
		await tab.page.mouse.wheel({deltaY: -2000});
		await tab.page.waitForFunction(() => document.querySelector(".host-names").scrollTop === 0);
		await tab.page.focus(".choice .heat");
		await tab.keys("ArrowDown");
		assert.deepEqual(await scrolled(), [true, true]);
	}],

	"earlier, later, zoom out": [`/?service=shop&event=ld_spec&since=${iso(BEGIN + 2 * HOUR)}&until=${iso(BEGIN + 4 * HOUR)}`, async tab => {
		const press = label => follow(tab, () => click(tab, label));
		await press("‹");
		assert.deepEqual([(await asked(tab)).since, await total(tab)], [iso(BEGIN), 4 * LOADS]);
		await press("›");
		assert.deepEqual([(await asked(tab)).since, await total(tab)], [iso(BEGIN + 2 * HOUR), 2 * LOADS]);
		await press("Zoom out");
		assert.deepEqual([(await asked(tab)).since, (await asked(tab)).until], [iso(BEGIN - HOUR), iso(BEGIN + 7 * HOUR)]);
	}],

	"relative times, and where there is nothing": [`/?service=shop&${DAY}`, async tab => {
		await follow(tab, () => choose(tab, "Time", "Last 7 d"));
		assert.equal((await asked(tab)).since, "7d");
		assert.equal(await chosen(tab, "Time"), "Last 7 d");
		await follow(tab, () => choose(tab, "Time", "Last hour"));
		assert.match(await tab.text(".words h1"), /^No samples of 'shop' between \S+ and \S+$/);
		assert.match(await tab.text(".words p"), new RegExp(`^The store has samples of 'shop' from ${iso(BEGIN + 20 * MINUTE)} to`));
		await follow(tab, () => tab.page.click(".words a"));
		assert.equal(await total(tab), LATER_LOADS);
	}],

	"a range by its dates": [`/?service=shop&event=ld_spec&${DAY}`, async tab => {
		await choose(tab, "Time", "Other…");
		await tab.settle();
		const fill = (number, ms) => tab.page.$$eval('dialog input[type="datetime-local"]', (all, [at, value]) => {
			all[at].value = value;
			all[at].dispatchEvent(new Event("input"));
		}, [number, iso(ms).replace("Z", "")]);
		await fill(1, BEGIN - HOUR);
		await tab.press("Show");
		assert.match(await tab.text("dialog .note"), /must be after/);
		await fill(1, BEGIN + HOUR);
		if (BROWSER === "chromium")
			await checkAccessibility(tab, "the range dialog");
		await follow(tab, () => tab.page.click("dialog .accept"));
		assert.equal(await total(tab), 3 * LOADS);
		tab.faults = tab.faults.filter(fault => !fault.startsWith("request: data:image/svg+xml")); // the browser's own, of a calendar
	}],

	"two versions compared": [`/?service=shop&event=ld_spec&${DAY}&label=version%3D1.1`, async tab => {
		await tab.press("Compare…");
		await choose(tab, "version", "1.0", "dialog");
		if (BROWSER === "chromium")
			await checkAccessibility(tab, "the dialog of comparisons");
		await follow(tab, () => tab.page.click("dialog .accept"));
		assert.deepEqual(await texts(tab, ".of-run span:first-child"), ["1.0", "1.1"]);
		assert.equal(await total(tab), 16 * LATER_LOADS);
		assert.ok((await texts(tab, ".hot th")).some(text => text.startsWith("Change")));
		assert.equal((await texts(tab, ".choice .part")).join(), "Shown,Compared with");
		await follow(tab, () => click(tab, "Swap"));
		assert.deepEqual(await texts(tab, ".of-run span:first-child"), ["1.1", "1.0"]);
		await follow(tab, () => click(tab, "End comparison"));
		assert.equal(await total(tab), 16 * LOADS);
	}],

	"compared with what was before": [`/?service=shop&event=ld_spec&since=${iso(BEGIN + 12 * HOUR)}&until=${iso(BEGIN + 14 * HOUR)}`, async tab => {
		await tab.press("Compare…");
		await choose(tab, "Time", "The same length just before", "dialog");
		await follow(tab, () => tab.page.click("dialog .accept"));
		assert.equal((await asked(tab))["other-since"], iso(BEGIN + 10 * HOUR));
		assert.deepEqual(await texts(tab, ".of-run span:first-child"), [iso(BEGIN + 10 * HOUR), iso(BEGIN + 12 * HOUR)]);
	}],

	"a link shows the same again": [`/?service=shop&event=ld_spec&since=40h`, async tab => {
		await tab.pickRow("v_isub");
		await tab.press("Icicle");
		const before = await tab.state();
		await tab.page.evaluate(() => navigator.clipboard.writeText = async text => window.copied = text);
		await tab.press("Copy link");
		const link = await tab.page.evaluate(() => window.copied);
		assert.match(link, /since=\d{4}-.*until=\d{4}-.*#.*shape=icicle/);
		const other = await ReportTab.open(tab.page.browser(), link);
		assert.deepEqual(await other.state(), before);
		assert.deepEqual(other.faults, []);
		await other.page.close();
	}],

	"names are texts, whatever they are": ["/", async tab => {
		assert.equal((await texts(tab, ".start .name")).filter(name => name.startsWith("very-long-name-")).length, 1);
		for (const name of [HOSTILE.script, HOSTILE.quotes, HOSTILE.backwards, HOSTILE.long]) {
			await tab.page.goto(new URL(`/?service=${encodeURIComponent(name)}&event=ld_spec&label=${encodeURIComponent("zone=" + name)}`, tab.page.url()).href);
			await tab.settle();
			const safe = name.replace("\u202e", "\\u202e");
			assert.equal(await chosen(tab, "Service"), safe);
			assert.equal(await tab.text("header h1 bdi"), safe);
			assert.equal(await tab.page.title(), safe);
			assert.equal(await total(tab), LOADS);
			assert.ok(await tab.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
		}
	}],

	"the policy refuses requests": [`/?service=shop&${DAY}`, async tab => {
		const refused = await tab.page.evaluate(async () => {
			const found = [];
			document.addEventListener("securitypolicyviolation", event => found.push(event.effectiveDirective));
			await fetch("/health").then(() => found.push("fetched"), () => {});
			document.body.append(Object.assign(document.createElement("form"), {action: "/health", method: "post"}));
			try {
				document.body.lastChild.submit();
			} catch {
				// Firefox throws besides.
			}
			await new Promise(done => setTimeout(done, 200));
			return found;
		});
		assert.deepEqual(refused.sort(), ["connect-src", "form-action"]);
		tab.faults = tab.faults.filter(fault => !/Content.Security.Policy|Content-Security-Policy|Refused to/i.test(fault));
	}],
};

/** What the address has wrong is said on a page. */
const errors = {
	"/?service=nosuch": [404, /no service 'nosuch'/],
	"/?service=shop&event=nosuch": [404, /'shop' has no event 'nosuch'/],
	"/?service=shop&since=yesterday": [400, /'since': not understood: 'yesterday'/],
	"/?service=shop&since=2026-03-02&until=2026-03-01": [400, /not after its begin/],
	"/?service=shop&label=x": [400, /'label': not understood/],
	"/?event=ld_spec": [400, /No service is chosen/],
	"/compare?service=shop&other-service=nosuch": [404, /no service 'nosuch'/],
};

async function checkErrors(tab, base) {
	for (const [address, [status, words]] of Object.entries(errors)) {
		const answer = await tab.page.goto(base + address);
		await tab.settle();
		assert.equal(answer.status(), status, address);
		assert.match(await tab.text(".words h1"), words);
		assert.ok((await texts(tab, ".words a")).includes("All services"));
	}
	// Chromium says that there is no such page, as it should.
	tab.faults = tab.faults.filter(fault => !/status of 40[04]/.test(fault));
}

const VIEWS = ["/", `/?service=shop&${DAY}`, `/?service=wide&rows=host&${DAY}`, `/?service=wide&${DAY}`, `/compare?service=shop&${DAY}&label=version%3D1.1&other-label=version%3D1.0`,
	`/?service=shop&since=${iso(BEGIN - 100 * HOUR)}&until=${iso(BEGIN - 90 * HOUR)}`];

/** axe-core, and no wider than the screen. */
async function checkView(browser, base, view, screen, scheme) {
	const tab = await ReportTab.open(browser, base + view, {...screen, scheme});
	const excess = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	assert.ok(excess <= 0, `${view}: ${excess} pixels too wide`);
	await checkAccessibility(tab, `${view} ${scheme}`);
	assert.deepEqual(tab.faults, []);
	await tab.page.close();
}

runCases(async (browser, run) => {
	const base = await serve(wperf, makeStore(wperf, path.join(folder, "stored")));
	for (const [name, [address, test]] of Object.entries(cases)) {
		await run(name, async () => {
			const tab = await ReportTab.open(browser, base + address);
			await test(tab);
			assert.deepEqual(tab.faults, []);
			await tab.page.close();
		});
	}
	await run("errors are pages", async () => {
		const tab = await ReportTab.open(browser, base + "/");
		await checkErrors(tab, base);
		assert.deepEqual(tab.faults, []);
		await tab.page.close();
	});
	await run("a finger marks a range in the heat map", async () => {
		const tab = await ReportTab.open(browser, `${base}/?service=shop&event=ld_spec&${FIRST_HOURS}`, PHONE);
		await follow(tab, async () => tab.swipe(await heatPoint(tab, 0.2), await heatPoint(tab, 0.5)));
		const {since, until} = await asked(tab);
		assert.ok(Date.parse(since) > BEGIN && Date.parse(until) < BEGIN + 24 * HOUR, `${since} ${until}`);
		assert.deepEqual(tab.faults, []);
		await tab.page.close();
	});
	await run("an empty store says how to fill it", async () => {
		const tab = await ReportTab.open(browser, await serve(wperf, path.join(folder, "stored", "empty.db")));
		assert.equal(await tab.text("h1"), "The store is empty");
		assert.match(await tab.text("pre"), /^wperf agent --server http:\/\/127\.0\.0\.1:\d+$/);
		if (BROWSER === "chromium")
			await checkAccessibility(tab, "an empty store");
		assert.deepEqual(tab.faults, []);
		await tab.page.close();
	});
	for (const view of BROWSER === "chromium" ? VIEWS : []) {
		await run(`nothing keeps people from using ${view.slice(0, 40)}`, async () => {
			for (const screen of [PHONE, {width: 1500, height: 950}])
				for (const scheme of ["light", "dark"])
					await checkView(browser, base, view, screen, scheme);
		});
	}
	console.log(accessibilityCounts());
});
