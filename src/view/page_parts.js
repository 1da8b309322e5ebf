// SPDX-License-Identifier: Apache-2.0
// What the report and the timeline have in common: elements, canvases, and names as text.

function make(tag, properties = {}, ...children) {
	const {attributes, ...rest} = properties;
	const element = Object.assign(document.createElement(tag), rest);
	for (const [name, value] of Object.entries(attributes || {}))
		element.setAttribute(name, value);
	element.append(...children);
	return element;
}

/** Sized for the screen's pixels; drawing is in those of CSS. */
function prepareCanvas(canvas, width, height, ratio = window.devicePixelRatio || 1) {
	const pixelWidth = Math.round(width * ratio), pixelHeight = Math.round(height * ratio);
	if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
		canvas.width = pixelWidth;
		canvas.height = pixelHeight;
		canvas.style.width = width + "px";
		canvas.style.height = height + "px";
	}
	const context = canvas.getContext("2d");
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, width, height);
	return context;
}

/** Controls, and what reorders a line, as visible escapes; names and sources may hold them. */
function safeText(text) {
	if (/^[ -~]*$/.test(text))
		return text; // nearly all of them
	return text.replace(
		// eslint-disable-next-line no-control-regex
		/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
		character => {
			const code = character.charCodeAt(0);
			return code < 256 ? "\\x" + code.toString(16).padStart(2, "0")
				: "\\u" + code.toString(16).padStart(4, "0");
		});
}

function safeName(text) {
	return safeText(text).replace(/[\t\n]/g, " ");
}
