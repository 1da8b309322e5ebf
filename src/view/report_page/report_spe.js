// SPDX-License-Identifier: Apache-2.0
// What Arm's SPE told: latencies, where data came from, misses, and lines of data that are shared.

const SPE_RATES = [
	["l1d_miss", "L1 data cache miss"], ["l2d_miss", "L2 data cache miss"],
	["llc_miss", "last level cache miss"], ["tlb_walk", "TLB walk"], ["misaligned", "misaligned"],
	["remote_access", "access to another socket"], ["mispredicted", "branch mispredicted"],
	["not_taken", "branch not taken"], ["not_retired", "did not retire"],
];
const SPE_LATENCIES = ["total", "issue", "translation"];
const SPE_FIGURES = [["samples", "samples"], ["mean", "mean"], ["p50", "50%"], ["p90", "90%"], ["p99", "99%"],
	["max", "max"]];
const LINE_BYTES = 64;

function readSpe() {
	const spe = readJson("spe");
	if (spe)
		spe.byFunction = new Map(spe.functions.map(each => [each.function, each]));
	return spe;
}

function shareCell(part, whole) {
	const cell = weightCell(part || 0, whole || 0);
	if (!whole)
		cell.replaceChildren();
	return cell;
}

/** Rows of shares: of what is selected, and of all samples beside it. */
function speTable(title, rows, hasAll) {
	const heads = hasAll ? [title, "here", "all"] : [title, "all"];
	return make("table", {className: "spe-shares"},
		make("thead", {}, make("tr", {}, ...heads.map(head => make("th", {scope: "col"}, head)))),
		make("tbody", {}, ...rows.map(({label, cells}) =>
			make("tr", {}, make("td", {className: "name"}, label), ...cells))));
}

function rangeText(from, below) {
	return below - from === 1 ? String(from) : `${from} – ${below - 1}`;
}

function histogramRows(all, sides) {
	const filled = all.latency_histogram.filter(each => each.samples > 0);
	const first = filled.length ? filled[0].from : 0;
	return all.latency_histogram.filter(each => each.from >= first).map(bucket => ({
		label: rangeText(bucket.from, bucket.below),
		cells: sides.map(side => shareCell(
			side.latency_histogram.find(each => each.from === bucket.from)?.samples, side.samples)),
	}));
}

function levelRows(all, sides) {
	const loads = side => Object.values(side.data_from).reduce((sum, count) => sum + count, 0);
	return Object.keys(all.data_from).map(level => ({
		label: level, cells: sides.map(side => shareCell(side.data_from[level], loads(side))),
	}));
}

function rateRows(all, sides) {
	return SPE_RATES.filter(([key]) => all.rates[key]).map(([key, label]) => ({
		label, cells: sides.map(side => shareCell(side.rates[key]?.samples, side.rates[key]?.of)),
	}));
}

function figuresTable(sides, names) {
	const rows = sides.flatMap((side, i) => SPE_LATENCIES.filter(each => side.latency[each]).map(each =>
		make("tr", {}, make("td", {className: "name"}, `${each}, ${names[i]}`),
			...SPE_FIGURES.map(([key]) => make("td", {className: "number"},
				(+side.latency[each][key].toFixed(1)).toLocaleString("en"))))));
	return make("table", {className: "spe-figures"}, make("thead", {}, make("tr", {},
		make("th", {scope: "col"}, "latency in cycles"),
		...SPE_FIGURES.map(([, label]) => make("th", {scope: "col"}, label)))), make("tbody", {}, ...rows));
}

/** Not filtered by time and threads: the sums are those of the recording. */
function showLatency(report, panel) {
	const {spe} = report.data, here = spe.byFunction.get(report.selected);
	const sides = here ? [here, spe.whole] : [spe.whole];
	const names = here ? ["here", "all"] : ["all"];
	const titles = [["cycles", histogramRows], ["data source of loads", levelRows], ["share of operations", rateRows]];
	panel.replaceChildren(
		make("p", {className: "note spe-note"}, (report.selected >= 0 && !here
			? "SPE has no samples in this function. " : "") +
			"For the whole recording: the time and threads chosen above have no effect here."),
		figuresTable(sides, names),
		make("div", {className: "spe-columns"}, ...titles.map(([title, rows]) => ({title, rows: rows(spe.whole, sides)}))
			.filter(({rows}) => rows.length).map(({title, rows}) => speTable(title, rows, Boolean(here)))));
}

/** Each byte of the line that is touched first by somebody; threads have colours. */
function lineMap(line, threads) {
	const map = make("div", {className: "line-map", attributes: {role: "img",
		"aria-label": "Bytes of the cache line, coloured by the threads that touch them"}});
	for (let byte = 0; byte < LINE_BYTES; byte++) {
		const touching = line.accesses.filter(access => access.byte === byte);
		const cell = make("i", {title: `byte ${byte}`});
		const numbers = [...new Set(touching.map(access => threads.indexOf(access.tid)))];
		if (numbers.length)
			cell.className = numbers.length > 1 ? "many" : `thread-${numbers[0] % 6}`;
		if (touching.some(access => access.access === "write"))
			cell.classList.add("written");
		map.append(cell);
	}
	return map;
}

function accessRow(access, threads) {
	const mean = access.samples_with_latency ? access.cycles / access.samples_with_latency : 0;
	return make("tr", {},
		make("td", {className: "number"}, String(access.byte)), make("td", {}, access.access),
		make("td", {className: "number"}, access.samples.toLocaleString("en")),
		make("td", {className: "number"}, mean ? mean.toFixed(1) : ""),
		shareCell(access.from_other_core, access.samples),
		make("td", {className: "name"}, make("i", {className: `swatch thread-${threads.indexOf(access.tid) % 6}`}),
			make("bdi", {}, safeName(`${access.thread} (${access.tid})`))),
		make("td", {className: "name", title: safeName(access.function || "")},
			make("bdi", {}, safeName(access.function || ""))),
		make("td", {className: "name", title: safeName(access.place || "")},
			make("bdi", {}, safeName(fileName(access.place || "")))));
}

const ACCESS_HEADS = ["byte", "access", "samples", "cycles", "other core", "thread", "function", "place"];

function sharedLine(line) {
	const threads = [...new Set(line.accesses.map(access => access.tid))];
	const facts = `${line.kind}, ${plural(line.threads, "thread", "threads")}, ${line.writers} writing, ` +
		`${(line.reads + line.writes).toLocaleString("en")} samples, ${line.cycles.toLocaleString("en")} cycles`;
	return make("section", {className: "shared-line"},
		make("h3", {}, make("code", {}, line.address), " ", make("span", {className: "note"},
			(line.pid ? `of process ${line.pid}: ` : "of the kernel: ") + facts)),
		lineMap(line, threads),
		make("table", {className: "accesses"},
			make("thead", {}, make("tr", {}, ...ACCESS_HEADS.map(head => make("th", {scope: "col"}, head)))),
			make("tbody", {}, ...line.accesses.map(access => accessRow(access, threads)))));
}

function showLines(report, panel) {
	const {data_lines: lines} = report.data.spe;
	const missing = lines.missing_have_at_most
		? ` More lines were touched than wperf keeps: a line with up to ${lines.missing_have_at_most} samples may be missing.`
		: "";
	panel.replaceChildren(make("p", {className: "note spe-note"},
		`${lines.num_shared.toLocaleString("en")} of ${plural(lines.touched, "cache line", "cache lines")} touched by ` +
		"samples: shared by threads, and written by at least one." + missing),
	...lines.shared.map(sharedLine));
}

/** "func  file:line" of one end of a branch. */
function branchEnd(end) {
	const name = end.function || end.module || "not known";
	return [make("td", {className: "name", title: safeName(name)}, make("bdi", {}, shortName(safeName(name)))),
		make("td", {className: "name", title: safeName(end.place || "")}, make("bdi", {}, safeName(fileName(end.place || ""))))];
}

/** From where branches went, how often, and how often to nowhere that was predicted. */
function showBranches(report, panel) {
	const {branches} = report.data.spe;
	panel.replaceChildren(make("p", {className: "note spe-note"}, "Branches by samples, of the whole recording."),
		make("table", {className: "accesses branches"},
			make("thead", {}, make("tr", {}, ...["samples", "mispredicted", "branch in", "at", "to", "at"].map(head =>
				make("th", {scope: "col"}, head)))),
			make("tbody", {}, ...branches.map(({samples, mispredicted, branch, target}) => make("tr", {},
				make("td", {className: "number"}, samples.toLocaleString("en")), shareCell(mispredicted, samples),
				...branchEnd(branch), ...branchEnd(target))))));
}
