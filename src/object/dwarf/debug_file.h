/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DEBUG_FILE_H
#define WPERF_OBJECT_DWARF_DEBUG_FILE_H

/**
 * The file to which the symbols and lines of an object were moved when it was stripped: by its
 * build-id, else by the name and checksum in its section .gnu_debuglink, else from the servers of
 * DEBUGINFOD_URLS.
 */

#include "base/error.h"
#include "base/file/file_map.h"
#include "object/dwarf/debug_search.h"
#include "object/elf/common_link.h"
#include "object/elf/elf_image.h"

struct debug_file {
	char *path; /* NULL: there is none */
	struct file_map map;
	struct elf_image image;
};

#define DEBUG_FILE_INIT \
	{               \
	}

/** @path: of the object, NULL if it is not a file. */
struct error *debug_file_find(struct debug_file *file, const struct elf_image *image,
			      const char *path, const struct debug_search *search);

/**
 * The parts that the debug file @path has in common with others, by what it says of them; their
 * path may be one from the folder of @path on. @path: NULL if it is not a file.
 */
struct error *debug_file_find_common(struct debug_file *file, const struct common_link *link,
				     const char *path, const struct debug_search *search);

/**
 * The .dwo file that a program names: where the compiler wrote it, below the root or not, or
 * beside the program.
 * @folder: where the compiler ran, or NULL; @path: of the program, NULL if it is not a file.
 */
struct error *debug_file_find_split(struct debug_file *file, const char *name, const char *folder,
				    const char *path, const struct debug_search *search);

/** Safe on DEBUG_FILE_INIT and twice. */
void debug_file_close(struct debug_file *file);

#endif
