// SPDX-License-Identifier: Apache-2.0

#include "object/line_finder.h"

// No file of these: there is nothing that a finder could keep.
struct line_finder {
	char nothing;
};

struct error *line_finder_create(const struct elf_image *image, const struct elf_image *code,
				 const char *path, const char *debug_root, struct line_finder **ret)
{
	if (elf_image_has_lines(image))
		return error_with_hint(
			error_create(ERROR_FAILED,
				     "wperf.exe reads lines from PDBs, not from DWARF"),
			"wperf on Linux reads both, also of a recording made here");
	struct line_finder *finder = calloc(1, sizeof(*finder));
	if (!finder)
		return &error_no_memory;
	*ret = finder;
	return NULL;
}

void line_finder_destroy(struct line_finder *finder)
{
	free(finder);
}

struct error *line_finder_find(struct line_finder *finder, uint64_t address,
			       const struct object_line **ret, size_t *ret_num)
{
	*ret = NULL;
	*ret_num = 0;
	return NULL;
}
