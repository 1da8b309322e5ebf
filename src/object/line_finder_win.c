// SPDX-License-Identifier: Apache-2.0

#include "object/line_finder.h"

#include "object/python_image_lines.h"

#include <stdlib.h>

// Of all files with DWARF only those that we write ourselves can be read.
struct line_finder {
	struct python_image_lines *python; // NULL: there are no lines
	struct object_line line;
};

struct error *line_finder_create(const struct elf_image *image, const struct elf_image *code,
				 const char *path, const char *debug_root, struct line_finder **ret)
{
	bool is_python = python_image_lines_are_in(image);
	if (!is_python && elf_image_has_lines(image))
		return error_with_hint(
			error_create(ERROR_FAILED,
				     "wperf.exe reads lines from PDBs, not from DWARF"),
			"wperf on Linux reads both, also of a recording made here");
	_cleanup_(line_finder_destroyp) struct line_finder *finder = calloc(1, sizeof(*finder));
	if (!finder)
		return &error_no_memory;
	struct error *err = is_python ? python_image_lines_create(image, &finder->python) : NULL;
	if (err)
		return err;
	*ret = take_ptr(finder);
	return NULL;
}

void line_finder_destroy(struct line_finder *finder)
{
	if (finder)
		python_image_lines_destroy(finder->python);
	free(finder);
}

struct error *line_finder_find(struct line_finder *finder, uint64_t address,
			       const struct object_line **ret, size_t *ret_num)
{
	bool is_found =
		finder->python && python_image_lines_find(finder->python, address, &finder->line);
	*ret = &finder->line;
	*ret_num = is_found;
	return NULL;
}
