/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_LINE_IMAGE_LINE_IMAGE_H
#define WPERF_OBJECT_LINE_IMAGE_LINE_IMAGE_H

/**
 * Interpreted lines as code, for programs that know only machine code: an ELF file in which each
 * interpreted function is a symbol and each of its lines an instruction that does nothing, with the
 * file and the line in DWARF. A recording has its addresses in the place of interpreted frames.
 * Addresses are given as lines come and never change.
 */

#include "base/container/hash_table.h"
#include "base/container/string_table.h"
#include "base/error.h"
#include "object/object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How the name of a recording's image ends, whatever the language: other programs look for it. The
 *  rest is the recording's. */
#define LINE_IMAGE_SUFFIX ".python.so"

enum {
	LINE_IMAGE_MAX_SIZE = 1 << 26, /* all addresses are below */
	LINE_IMAGE_BUILD_ID_SIZE = 20,
};

struct line_image_line {
	const char *function;
	const char *file;               /* "": not known */
	uint32_t first_line, last_line; /* of the function; last_line may be less: not known */
	uint32_t line;                  /* 0: none of them */
	bool is_compiled; /* found in code of a JIT: it may have been another line of the function
			   */
};

/** Private: lines of a function that have addresses, one behind the other. */
struct line_image_range {
	uint32_t function, file; /* of the strings */
	uint32_t definition_line;
	uint32_t first_line, num_lines;
	uint32_t is_compiled;
	uint32_t offset; /* of the first one, in the code */
};

struct line_image {
	struct string_table strings;
	struct line_image_range *ranges;
	size_t num_ranges, cap_ranges;
	struct hash_table index;
	uint32_t text_size;
};

#define LINE_IMAGE_INIT \
	{               \
	}

void line_image_deinit(struct line_image *image);

/**
 * @ret: the address, relative to the image, of the second byte of the line's instruction: also the
 *       address before it, which is where programs look for the call before a return address, is
 *       of this line. What finds no room any more gets the address of the first line ever added.
 */
struct error *line_image_add(struct line_image *image, const struct line_image_line *line,
			     uint64_t *ret);

/** What the lines are written in, as DWARF says it. */
struct line_image_language {
	uint16_t number; /* DW_LANG_... */
	const char *name;
};

/** The file so far. @ret: set only on success; to be freed with free(). */
struct error *line_image_encode(const struct line_image *image,
				const struct line_image_language *language,
				enum object_machine machine,
				const uint8_t build_id[static LINE_IMAGE_BUILD_ID_SIZE], char **ret,
				size_t *ret_size);

/** What object_find_lines() gives as the column of lines that are is_compiled; of others 0. */
enum { LINE_IMAGE_COMPILED_COLUMN = 1 };

/** Was this object made here? Then its functions and lines are interpreted ones. */
bool line_image_is(struct object *object);

#endif
