// SPDX-License-Identifier: Apache-2.0
// Stores of a fleet for tests, and servers that show them. Samples are those of simulated registers,
// so that their numbers are known; times are of the last day, as servers drop what is old.
"use strict";
const assert = require("node:assert/strict");
const {spawn, spawnSync} = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const MINUTE = 60e3, HOUR = 60 * MINUTE;

/** An hour of which there is no sample any more, and later ones. */
const BEGIN = Math.floor(Date.now() / HOUR) * HOUR - 30 * HOUR;

/** Of a recording: 270 samples of ld_spec, 123 of st_spec. */
const LOADS = 27e6, STORES = 12.3e6;
/** Of the other one, which has callers. */
const LATER_LOADS = 54e6;

const HOSTILE = {
	script: "</script><script>document.title = 'hacked'</script>",
	quotes: "\"quoted\" & 'single' <b>&amp;",
	backwards: "\u202egnp.evil",
	long: "very-long-name-".repeat(20),
};

function run(wperf, folder, ...words) {
	const {status, stderr} = spawnSync(wperf, words, {cwd: folder, encoding: "utf8"});
	assert.equal(status, 0, `${words.join(" ")}: ${stderr}`);
}

/** "2026-03-01T12:30:05Z" */
function iso(ms) {
	return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

/** fleet.db: shop on three hosts each hour, two versions; wide on 30 hosts; names that hurt. */
function makeStore(wperf, folder) {
	const sim = ["record", "--source", "sim", "-c", "0", "-q", "--archive"];
	fs.rmSync(folder, {recursive: true, force: true});
	fs.mkdirSync(folder, {recursive: true});
	run(wperf, folder, ...sim, "-e", "ld_spec:100000,st_spec:100000", "--save", "sim.data", "--timeout", "0.1", "--", "app");
	run(wperf, folder, ...sim, "-e", "ld_spec:100000", "-g", "--save", "later.data", "--timeout", "0.2", "--", "app");
	const put = (recording, service, host, ms, ...labels) => run(wperf, folder, "store", "put", "fleet.db", recording, "-q",
		"--service", service, "--host", host, "--since", iso(ms), ...labels.flatMap(label => ["--label", label]));
	for (let hour = 0; hour < 24; hour++) {
		for (const host of hour % 6 ? ["web-1"] : ["web-1", "web-2", "web-3"]) {
			const isLater = hour >= 12;
			put(isLater ? "later.data" : "sim.data", "shop", host, BEGIN + hour * HOUR + 20 * MINUTE, `version=1.${isLater ? 1 : 0}`);
		}
	}
	for (let host = 0; host < 30; host++)
		put("sim.data", "wide", `host-${host}`, BEGIN + 10 * HOUR + host * MINUTE);
	for (const name of Object.values(HOSTILE))
		put("sim.data", name, name, BEGIN + 3 * HOUR, `zone=${name}`);
	return path.join(folder, "fleet.db");
}

/** Until it is ready: its address. It ends with this process. */
function serve(wperf, store) {
	const server = spawn(wperf, ["serve", "--store", `sqlite:${store}`, "--listen", "127.0.0.1:0"], {stdio: ["ignore", "pipe", "inherit"]});
	process.on("exit", () => server.kill());
	return new Promise((done, failed) => {
		let text = "";
		server.stdout.on("data", data => {
			text += data;
			const found = /http:\/\/\S+?(?=,|\s)/.exec(text);
			if (found)
				done(found[0]);
		});
		server.on("exit", status => failed(new Error(`serve ended with ${status}: ${text}`)));
	});
}

module.exports = {BEGIN, HOSTILE, HOUR, LATER_LOADS, LOADS, MINUTE, STORES, iso, makeStore, serve};
