// SPDX-License-Identifier: Apache-2.0
// What a flame graph does in a browser: it fits the window, a click zooms to a box, Escape goes
// back, "/" or Ctrl-F searches. Without this script it is a picture with tooltips. Boxes are <svg>
// elements in percent of the width, so that fitting needs nothing but new labels.
"use strict";
(() => {
	const MIN_LABEL_WIDTH = 26, MIN_EDGE_WIDTH = 3, LABEL_X = 4; // pixels, as in the file
	const NEAR = 1e-4; // percent: less than the narrowest box
	const SVG = "http://www.w3.org/2000/svg", HTML = "http://www.w3.org/1999/xhtml";
	const picture = document.documentElement, graph = document.getElementById("graph");
	const note = document.getElementById("note"), ownNote = note.textContent;
	const boxes = [...graph.children].map(element => {
		const text = element.firstElementChild.textContent;
		return {
			element, text, name: text.slice(0, text.indexOf("\n")), isShown: true,
			left: parseFloat(element.getAttribute("x")), top: +element.getAttribute("y"),
			width: parseFloat(element.getAttribute("width")),
			label: element.querySelector("text"),
		};
	});
	const root = boxes[0];
	let zoomed = root;

	function contains(outer, inner) {
		return outer.left <= inner.left + NEAR && outer.left + outer.width >= inner.left + inner.width - NEAR;
	}

	/** Labels of what is wide enough now. */
	function label() {
		const scale = picture.getBoundingClientRect().width / zoomed.width;
		for (const box of boxes) {
			const width = Math.min(box.width, zoomed.width) * scale;
			const isWide = box.isShown && width >= MIN_LABEL_WIDTH;
			if (isWide && !box.label && !box.element.classList.contains("rest")) {
				box.label = document.createElementNS(SVG, "text");
				box.label.setAttribute("x", LABEL_X);
				box.label.setAttribute("y", 13);
				box.label.textContent = box.name;
				box.element.append(box.label);
			} else if (!isWide && box.label) {
				box.label.remove();
				box.label = null;
			}
			box.element.classList.toggle("s", width >= MIN_EDGE_WIDTH);
		}
	}

	/** The box takes the whole width, as do those above it, its callers. */
	function zoom(target) {
		zoomed = target;
		for (const box of boxes) {
			const isCaller = box.top < target.top && contains(box, target);
			const isInside = box.top >= target.top && contains(target, box);
			box.isShown = isCaller || isInside;
			box.element.style.display = box.isShown ? "" : "none";
			if (!box.isShown)
				continue;
			const left = isCaller ? 0 : (box.left - target.left) / target.width * 100;
			const width = isCaller ? 100 : box.width / target.width * 100;
			box.element.setAttribute("x", left + "%");
			box.element.setAttribute("width", width + "%");
		}
		label();
	}

	/** Finds a part of names, whatever the case; says how much of all is in what was found. */
	function search(words) {
		const wanted = words.toLowerCase();
		let found = 0, share = 0;
		const ends = new Map(); // of the outermost matches: their left and right edges
		for (const box of boxes) {
			const matches = wanted && box !== root && box.name.toLowerCase().includes(wanted);
			box.element.classList.toggle("match", Boolean(matches));
			box.element.classList.toggle("dim", Boolean(wanted && !matches));
			if (!matches)
				continue;
			found++;
			ends.set(box, box.left + box.width);
		}
		// Boxes come before those below them, and from left to right: what ends before the last
		// end is within a box that counts.
		let end = -1;
		for (const [box, right] of ends) {
			if (right <= end + NEAR)
				continue;
			share += box.width;
			end = right;
		}
		note.textContent = wanted ? `${found} boxes, ${share.toFixed(2)} % of all` : ownNote;
	}

	function addSearch() {
		const place = document.createElementNS(SVG, "foreignObject");
		const input = document.createElementNS(HTML, "input");
		for (const [name, value] of [["width", 180], ["height", 28], ["y", 4]])
			place.setAttribute(name, value);
		place.style.transform = "translateX(calc(100% - 188px))";
		place.style.transformBox = "view-box";
		input.type = "search";
		input.placeholder = "search (/)";
		input.setAttribute("aria-label", "search functions");
		input.style.cssText = "box-sizing:border-box;width:100%;color-scheme:light dark";
		input.addEventListener("input", () => search(input.value));
		place.append(input);
		picture.append(place);
		return input;
	}

	picture.setAttribute("width", "100%");
	const input = addSearch();
	graph.style.cursor = "pointer";
	graph.addEventListener("click", event => {
		const element = event.target.closest("#graph > svg");
		const box = boxes.find(each => each.element === element);
		if (box)
			zoom(box);
	});
	addEventListener("resize", label);
	addEventListener("keydown", event => {
		const isSearch = event.key === "/" && event.target !== input || event.key === "f" && event.ctrlKey;
		if (isSearch) {
			event.preventDefault();
			input.focus();
		} else if (event.key === "Escape") {
			input.value = "";
			search("");
			input.blur();
			zoom(root);
		}
	});
	label();
})();
