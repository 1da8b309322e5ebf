/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_LINE_FINDER_H
#define WPERF_OBJECT_DWARF_LINE_FINDER_H

/**
 * The lines of addresses by DWARF 2 to 5, with the calls that were inlined.
 *
 * A unit is read once, at the first address in it, into sorted tables, so that an address costs
 * some binary searches.
 */

#include "base/error.h"
#include "object/dwarf/debug_search.h"
#include "object/elf/elf_image.h"
#include "object/object.h"

struct line_finder;

/**
 * @image: the file with the DWARF. @code: the object that it is of, whose segments of code count:
 * ranges of functions that the linker removed are elsewhere.
 * @path: of @image, NULL if it is not a file.
 * @search: for parts that several debug files have in common, and .dwo files.
 * All but the path must outlive the finder.
 * Without DWARF the finder finds nothing. Damaged units cost their own lines; sections that
 * cannot be unpacked are an error.
 */
struct error *line_finder_create(const struct elf_image *image, const struct elf_image *code,
				 const char *path, const struct debug_search *search,
				 struct line_finder **ret);
void line_finder_destroy(struct line_finder *finder); /* NULL is fine */
static inline void line_finder_destroyp(struct line_finder **finder)
{
	line_finder_destroy(*finder);
}

/** As object_find_lines(). */
struct error *line_finder_find(struct line_finder *finder, uint64_t address,
			       const struct object_line **ret, size_t *ret_num);

#endif
