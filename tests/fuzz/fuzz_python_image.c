// SPDX-License-Identifier: Apache-2.0

// The lines of an image of Python's lines: two bytes say how many of the rest are .debug_line, what
// is behind them is .debug_info.

#include "object/python_image_lines.h"

#include <elf.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint16_t rows;
	if (size < sizeof(rows))
		return 0;
	memcpy(&rows, data, sizeof(rows));
	size_t left = size - sizeof(rows);
	size_t num_rows = rows < left ? rows : left;
	struct elf_section sections[] = {
		{.name = ".debug_line", .type = SHT_PROGBITS, .offset = 2, .size = num_rows},
		{.name = ".debug_info",
		 .type = SHT_PROGBITS,
		 .offset = 2 + num_rows,
		 .size = left - num_rows},
	};
	const struct elf_image image = {
		.data = data, .size = size, .sections = sections, .num_sections = 2};
	struct python_image_lines *lines;
	struct error *err = python_image_lines_create(&image, &lines);
	if (err) {
		error_destroy(err);
		return 0;
	}
	struct object_line found;
	size_t num_bytes = 0;
	for (uint64_t address = 0x1000; address < 0x1100; address++)
		if (python_image_lines_find(lines, address, &found))
			num_bytes +=
				strlen(found.file) + (found.function ? strlen(found.function) : 0);
	python_image_lines_destroy(lines);
	return num_bytes == SIZE_MAX;
}
