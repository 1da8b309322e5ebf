/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_ELF_COMMON_LINK_H
#define WPERF_OBJECT_ELF_COMMON_LINK_H

/**
 * How a debug file names the file with the parts that it has in common with others: by GNU's
 * section .gnu_debugaltlink, or by .debug_sup, which DWARF 5 has for it.
 */

#include "object/elf/elf_image.h"

struct common_link {
	const char *name; /* a path; NULL: there is none */
	struct object_bytes id;
};

struct common_link common_link_read(const struct elf_image *image);

/** Is it the file that the link means? */
bool common_link_matches(const struct common_link *link, const struct elf_image *image);

#endif
