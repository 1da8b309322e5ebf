// SPDX-License-Identifier: Apache-2.0
// Source and instructions of the selected function, with the samples of each line.

const LINES_AROUND = 8;
const MAX_LINES_SHOWN = 4000;

function lineCells(sum, total) {
	const cell = weight => {
		const element = make("td", {className: "weight"}, weight > 0 ? percent(weight / total) : "");
		element.dataset.weight = weight;
		return element;
	};
	return [cell(sum ? sum.self : 0), cell(sum ? sum.total : 0)];
}

function heatRow(row, sum, hottest) {
	if (sum && sum.self > 0)
		row.style.setProperty("--heat-share", (sum.self / hottest).toFixed(3));
	return row;
}

/** The lines that are near to samples or to the function: the others are folded. */
function shownLines(count, sums, firstLine) {
	const shown = new Uint8Array(count + 2);
	const showAround = line => shown.fill(1, Math.max(1, line - LINES_AROUND),
		Math.min(count, line + LINES_AROUND) + 1);
	for (const line of sums.keys()) {
		if (line <= count)
			showAround(line);
	}
	if (firstLine > 0 && firstLine <= count)
		showAround(firstLine);
	return shown;
}

function lineText(number, sum) {
	return sum?.isUncertain ? number + " ?" : String(number);
}

function sourceRow(number, text, sum, scale) {
	const row = make("tr", {}, ...lineCells(sum, scale.total), make("td", {className: "line"}, lineText(number, sum)),
		make("td", {className: "code"}, safeText(text)));
	row.dataset.line = number;
	return heatRow(row, sum, scale.hottest);
}

function foldRow(first, last, open) {
	const button = make("button", {type: "button", className: "quiet"},
		first === last ? `line ${first}` : `lines ${first} – ${last}`);
	const row = make("tr", {className: "fold"}, make("td", {colSpan: 4}, button));
	button.addEventListener("click", () => row.replaceWith(...open(first, last)));
	return row;
}

function sourceRows(lines, sums, scale, firstLine) {
	const shown = shownLines(lines.length, sums, firstLine), rows = [];
	const open = (first, last) => {
		const opened = [];
		const stop = Math.min(last, first + MAX_LINES_SHOWN - 1);
		for (let number = first; number <= stop; number++)
			opened.push(sourceRow(number, lines[number - 1], sums.get(number), scale));
		if (stop < last)
			opened.push(foldRow(stop + 1, last, open));
		return opened;
	};
	let number = 1;
	while (number <= lines.length) {
		let last = number;
		while (last < lines.length && shown[last + 1] === shown[number])
			last++;
		rows.push(...shown[number] ? open(number, last) : [foldRow(number, last, open)]);
		number = last + 1;
	}
	return rows;
}

/** Without the text there still are the lines. */
function lineRows(sums, scale) {
	return [...sums].sort((a, b) => a[0] - b[0]).map(([line, sum]) => sourceRow(line, "", sum, scale));
}

/** The file with most of the function's own samples; its definition's if it has none. */
function hottestFile(report, func) {
	const {frames} = report.data, weights = report.sums.sumByFrame(frame =>
		frames.func[frame] === func && frames.line[frame] ? frames.file[frame] : 0);
	let best = report.data.functions[func].file, most = -1;
	for (const [file, sum] of weights) {
		if (sum.self + sum.total / 1e3 > most) {
			most = sum.self + sum.total / 1e3;
			best = file;
		}
	}
	return best;
}

function hottestLine(report, func, file) {
	const {frames} = report.data, sums = report.sums.sumByFrame(frame =>
		frames.func[frame] === func && frames.file[frame] === file ? frames.line[frame] : 0);
	return [...sums].sort((a, b) => b[1].self - a[1].self || b[1].total - a[1].total)[0]?.[0] || 0;
}

function listingTable(kind, heads, rows) {
	return make("table", {className: "listing " + kind},
		make("thead", {}, make("tr", {}, ...heads.map(head => make("th", {scope: "col"}, head)))),
		make("tbody", {}, ...rows));
}

function scaleOf(report, sums) {
	let hottest = 0;
	for (const sum of sums.values())
		hottest = Math.max(hottest, sum.self);
	return {total: report.sums.total || 1, hottest: hottest || 1};
}

function showSource(report, panel) {
	const func = report.selected, file = func < 0 ? 0 : hottestFile(report, func);
	if (!file) {
		panel.replaceChildren(make("p", {className: "empty"}, func < 0 ? "Select a function to see its source."
			: "The source file of this function is not known."));
		return;
	}
	const {data} = report, text = data.sources.get(file), sums = report.sums.lineSums(file);
	const uncertain = [...report.sums.compiledLines(file)];
	for (const number of uncertain)
		sums.get(number).isUncertain = true;
	const line = hottestLine(report, func, file) || data.functions[func].line, scale = scaleOf(report, sums);
	const rows = text === undefined ? lineRows(sums, scale)
		: sourceRows(text.replace(/\n$/, "").split(/\r?\n/), sums, scale, line);
	panel.replaceChildren(
		make("p", {className: "path", title: data.strings[file]}, make("bdi", {}, data.strings[file]),
			text === undefined ? make("span", {className: "note"}, "source text not included in this page") : "",
			uncertain.length ? make("span", {className: "note"}, "? JIT-compiled code: the true line may be another one of the function") : ""),
		listingTable("source", ["Self", "Total", "Line", "Source"], rows));
	const row = panel.querySelector(`[data-line="${line}"]`);
	if (row) {
		row.classList.add("here");
		panel.scrollTop = Math.max(0, row.offsetTop - panel.clientHeight * 0.45);
	}
}

function showInstructions(report, panel) {
	const listing = report.data.listings.get(report.selected);
	if (!listing) {
		panel.replaceChildren(make("p", {className: "empty"}, report.selected < 0
			? "Select a function to see its instructions." : "This page has no instructions for this function."));
		return;
	}
	const sums = report.sums.instructionSums(report.selected), scale = scaleOf(report, sums);
	panel.replaceChildren(listingTable("instructions", ["Self", "Total", "Address", "Instruction", "Line"],
		listing.map(([address, text, line], i) => {
			const sum = sums.get(i + 1);
			return heatRow(make("tr", {}, ...lineCells(sum, scale.total),
				make("td", {className: "line"}, address), make("td", {className: "code"}, safeText(text)),
				make("td", {className: "line"}, line || "")), sum, scale.hottest);
		})));
}
