// SPDX-License-Identifier: Apache-2.0
// How far apart colours are for four kinds of sight. The matrices simulate people who lack one kind
// of cones (Machado, Oliveira and Fernandes: A Physiologically-based Model for Simulation of Color
// Vision Deficiency, 2009, table for severity 1.0), on linear RGB; distances are those of CIELAB.
"use strict";

const SIGHTS = {
	all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	protanope: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
	deuteranope: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
	tritanope: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
};
const XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]; // of sRGB
const WHITE = [0.9505, 1, 1.089];

function times(matrix, vector) {
	return matrix.map(row => row.reduce((sum, each, i) => sum + each * vector[i], 0));
}

function linear(value) {
	return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function lab(rgb) {
	const [x, y, z] = times(XYZ, rgb).map((each, i) => Math.max(0, each) / WHITE[i])
		.map(each => each > 0.008856 ? Math.cbrt(each) : 7.787 * each + 16 / 116);
	return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** @colors: "rgb(1, 2, 3)". The two that are most alike, to whom, and how far apart they are. */
function nearestColors(colors) {
	let nearest = {distance: Infinity};
	for (const [sight, matrix] of Object.entries(SIGHTS)) {
		const seen = colors.map(color => lab(times(matrix, color.match(/\d+/g).map(each => linear(each / 255)))
			.map(each => Math.min(1, Math.max(0, each)))));
		for (let a = 0; a < seen.length; a++) {
			for (let b = 0; b < a; b++) {
				const distance = Math.hypot(...seen[a].map((each, i) => each - seen[b][i]));
				if (distance < nearest.distance)
					nearest = {distance, sight, colors: [colors[a], colors[b]]};
			}
		}
	}
	return nearest;
}

module.exports = {nearestColors};
