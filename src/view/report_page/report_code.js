// SPDX-License-Identifier: Apache-2.0
// Source and instructions of the selected function side by side, with the samples of each line, and
// arrows from jumps to where they go.

const LINES_AROUND = 8;
const MAX_LINES_SHOWN = 4000;
const MAX_ARROWS = 300;
const MAX_ARROW_LANES = 6;
const ARROW_LANE = 6; // pixels

/** The text of a line; "" where the page has none. */
function sourceLine(data, file, line) {
	if (!file || !line)
		return "";
	data.sourceLines = data.sourceLines || new Map();
	if (!data.sourceLines.has(file))
		data.sourceLines.set(file, (data.sources.get(file) || "").replace(/\n$/, "").split(/\r?\n/));
	return safeText(data.sourceLines.get(file)[line - 1] || "");
}

function lineCells(sum, total) {
	const cell = weight => {
		const element = make("td", {className: "weight"}, weight > 0 ? percent(weight / total) : "");
		element.dataset.weight = weight;
		return element;
	};
	return [cell(sum ? sum.self : 0), cell(sum ? sum.total : 0)];
}

/** As dark as the line's share of all samples, so that a cold function looks cold; the root makes few visible. */
function heatRow(row, sum, total) {
	if (sum && sum.self > 0)
		row.style.setProperty("--heat-share", Math.sqrt(sum.self / total).toFixed(3));
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

function foldRow(first, last, what, open) {
	const button = make("button", {type: "button", className: "quiet"},
		first === last ? `${what} ${first}` : `${what}s ${first} – ${last}`);
	const row = make("tr", {className: "fold"}, make("td", {colSpan: 6}, button));
	button.addEventListener("click", () => row.replaceWith(...open(first, last)));
	return row;
}

/** Rows 1 to @count, of which those far from samples are behind a button. */
function foldedRows(count, sums, firstLine, what, makeRow) {
	const shown = shownLines(count, sums, firstLine), rows = [];
	const open = (first, last) => {
		const opened = [];
		const stop = Math.min(last, first + MAX_LINES_SHOWN - 1);
		for (let number = first; number <= stop; number++)
			opened.push(makeRow(number));
		if (stop < last)
			opened.push(foldRow(stop + 1, last, what, open));
		return opened;
	};
	let number = 1;
	while (number <= count) {
		let last = number;
		while (last < count && shown[last + 1] === shown[number])
			last++;
		rows.push(...shown[number] ? open(number, last) : [foldRow(number, last, what, open)]);
		number = last + 1;
	}
	return rows;
}

/** The file with most of the function's own samples; its definition's if it has none. */
function hottestFile(report, func) {
	const {frames, where} = report.data, weights = report.sums.sumByFrame(frame =>
		frames.func[frame] === func && frames.line[frame] ? frames.file[frame] : -1, where.stacksOf(func));
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
	const {frames, where} = report.data, sums = report.sums.sumByFrame(frame =>
		frames.func[frame] === func && frames.file[frame] === file && frames.line[frame] ? frames.line[frame] : -1, where.stacksOf(func));
	return [...sums].sort((a, b) => b[1].self - a[1].self || b[1].total - a[1].total)[0]?.[0] || 0;
}

function listingTable(kind, heads, rows) {
	return make("table", {className: "listing " + kind},
		make("thead", {}, make("tr", {}, ...heads.map(head => make("th", {scope: "col"}, head)))),
		make("tbody", {}, ...rows));
}

/** Where the row begins in what the panel scrolls; offsetTop of rows is another thing in each browser. */
function topInPanel(panel, row) {
	return row.getBoundingClientRect().top - panel.getBoundingClientRect().top - panel.clientTop + panel.scrollTop;
}

/** So that the row is a little above the middle. */
function scrollToRow(panel, row) {
	if (row)
		panel.scrollTop = Math.max(0, topInPanel(panel, row) - panel.clientHeight * 0.45);
}

function sourceRow(report, number, text, sum) {
	const row = make("tr", {}, ...lineCells(sum, report.sums.total || 1),
		make("td", {className: "line"}, sum?.isUncertain ? number + " ?" : String(number)),
		make("td", {className: "code"}, ...markedText(safeText(text), report.search)));
	row.dataset.line = number;
	return heatRow(row, sum, report.sums.total || 1);
}

function showSource(report, panel) {
	const func = report.selected, file = func < 0 ? 0 : hottestFile(report, func);
	if (!file) {
		panel.replaceChildren(make("p", {className: "empty"}, func < 0 ? "Select a function to see its source."
			: "The source file of this function is not known."));
		return;
	}
	const {data} = report, hasText = data.sources.has(file), sums = report.sums.lineSums(file);
	const uncertain = report.sums.compiledLines(file);
	for (const number of uncertain)
		sums.get(number).isUncertain = true;
	const line = report.selectedLine || hottestLine(report, func, file) || data.functions[func].line;
	sourceLine(data, file, 1);
	const lines = data.sourceLines.get(file), textOf = number => lines[number - 1] || "";
	const rows = hasText ? foldedRows(lines.length, sums, line, "line", number => sourceRow(report, number, textOf(number), sums.get(number)))
		: [...sums].sort((a, b) => a[0] - b[0]).map(([number, sum]) => sourceRow(report, number, "", sum)); // there still are the lines
	panel.replaceChildren(
		make("p", {className: "path", title: data.strings[file]}, make("bdi", {}, data.strings[file]),
			hasText ? "" : make("span", {className: "note"}, "source text not included in this page"),
			uncertain.length ? make("span", {className: "note"}, "? JIT-compiled code: the true line may be another one of the function") : ""),
		listingTable("source", ["Self", "Total", "Line", "Source"], rows));
	const row = panel.querySelector(`[data-line="${line}"]`);
	row?.classList.add("here");
	scrollToRow(panel, row);
}

/** The jumps whose both ends are shown, the shortest nearest to the code: {from, to, lane}. */
function placeArrows(jumps) {
	const lanes = [], placed = [];
	for (const jump of jumps.sort((a, b) => Math.abs(a.from - a.to) - Math.abs(b.from - b.to)).slice(0, MAX_ARROWS)) {
		const top = Math.min(jump.from, jump.to), bottom = Math.max(jump.from, jump.to);
		let lane = lanes.findIndex(taken => taken.every(each => each.bottom < top || each.top > bottom));
		if (lane < 0)
			lane = Math.min(lanes.length, MAX_ARROW_LANES - 1);
		(lanes[lane] = lanes[lane] || []).push({top, bottom});
		placed.push({...jump, lane});
	}
	return placed;
}

function drawArrows(panel, listing) {
	const rows = [...panel.querySelectorAll("tr[data-number]")], topOf = new Map(rows.map(row =>
		[+row.dataset.number, topInPanel(panel, row) + row.offsetHeight / 2]));
	const jumps = listing.flatMap(([, , , target], i) => target && topOf.has(i + 1) && topOf.has(target)
		? [{from: topOf.get(i + 1), to: topOf.get(target), source: i + 1}] : []);
	panel.querySelector("svg")?.remove();
	if (!jumps.length)
		return;
	const holder = make("div");
	holder.innerHTML = "<svg></svg>"; // its name in full is an address, and the page has none
	const svg = holder.firstChild;
	const right = MAX_ARROW_LANES * ARROW_LANE + 6, table = panel.querySelector("table");
	svg.setAttribute("class", "arrows");
	svg.setAttribute("aria-hidden", "true");
	svg.setAttribute("width", right);
	svg.setAttribute("height", table.offsetTop + table.offsetHeight);
	for (const {from, to, lane, source} of placeArrows(jumps)) {
		const path = document.createElementNS(svg.namespaceURI, "path"), left = right - 6 - (lane + 1) * ARROW_LANE + 2;
		path.setAttribute("d", `M${right - 4} ${from}H${left}V${to}H${right - 2}m-4 -3l4 3l-4 3`);
		path.setAttribute("data-source", source);
		svg.append(path);
	}
	const first = table.tBodies[0].rows[0].querySelector(".jumps");
	svg.style.left = (first ? first.offsetLeft : 0) + "px";
	panel.append(svg);
}

function instructionRow(report, number, [address, text, line, target], sum) {
	const row = make("tr", {}, ...lineCells(sum, report.sums.total || 1), make("td", {className: "line"}, address),
		make("td", {className: "jumps"}), make("td", {className: "code", title: target ? "jump: see the arrow" : ""}, safeText(text)),
		make("td", {className: "line"}, line || ""));
	Object.assign(row.dataset, {number, line});
	return heatRow(row, sum, report.sums.total || 1);
}

function showInstructions(report, panel) {
	const listing = report.data.listings.get(report.selected);
	panel.hidden = !listing;
	if (!listing)
		return;
	const sums = report.sums.instructionSums(report.selected);
	const [hottest] = [...sums].sort((a, b) => b[1].self - a[1].self || a[0] - b[0])[0] || [0];
	const rows = foldedRows(listing.length, listing.length > 10 * LINES_AROUND ? sums : new Map(listing.map((_, i) => [i + 1, 0])), hottest || 1,
		"instruction", number => instructionRow(report, number, listing[number - 1], sums.get(number)));
	panel.replaceChildren(listingTable("instructions", ["Self", "Total", "Address", "Jumps", "Instruction", "Line"], rows));
	const draw = () => drawArrows(panel, listing);
	panel.onclick = event => event.target.closest(".fold") || requestAnimationFrame(draw);
	new MutationObserver(draw).observe(panel.querySelector("tbody"), {childList: true});
	draw();
	scrollToRow(panel, panel.querySelector(`[data-number="${hottest}"]`));
}

/** What the pointer is at in one of them is marked in the other, and a click brings it into sight. */
function linkPanels(source, instructions) {
	const marked = panel => panel.querySelectorAll(".linked");
	const link = (from, to) => {
		from.addEventListener("pointerover", event => {
			const {line} = event.target.closest("tr[data-line]")?.dataset || {};
			[...marked(source), ...marked(instructions)].forEach(row => row.classList.remove("linked"));
			if (+line > 0)
				[...source.querySelectorAll(`tr[data-line="${line}"]`), ...instructions.querySelectorAll(`tr[data-line="${line}"]`)]
					.forEach(row => row.classList.add("linked"));
		});
		from.addEventListener("click", event => {
			const {line} = event.target.closest("tr[data-line]")?.dataset || {};
			if (+line > 0 && !to.hidden)
				scrollToRow(to, to.querySelector(`tr[data-line="${line}"]`));
		});
	};
	link(source, instructions);
	link(instructions, source);
}
