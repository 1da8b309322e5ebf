/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PYTHON_IMAGE_LINES_H
#define WPERF_OBJECT_PYTHON_IMAGE_LINES_H

/**
 * The lines of an image of Python's lines (python_image.h), read back from its DWARF: where there
 * is no reader of all DWARF. What our writer does not write ends the reading; what was read until
 * then stays.
 */

#include "object/elf_image.h"

struct python_image_lines;

/** Is it such an image? */
bool python_image_lines_are_in(const struct elf_image *image);

/** @image: must outlive it; its strings are used in place. */
struct error *python_image_lines_create(const struct elf_image *image,
					struct python_image_lines **ret);
void python_image_lines_destroy(struct python_image_lines *lines); /* NULL is fine */

/** The line of an address; false if it has none. */
bool python_image_lines_find(const struct python_image_lines *lines, uint64_t address,
			     struct object_line *ret);

#endif
