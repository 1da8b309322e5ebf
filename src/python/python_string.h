/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_STRING_H
#define WPERF_PYTHON_PYTHON_STRING_H

/** A str object of Python, as UTF-8. */

#include "base/string_builder.h"
#include "process/process_memory.h"
#include "python/python_layout.h"

#include <stdbool.h>
#include <stdint.h>

enum { PYTHON_STRING_MAX = 4096 }; /* characters; longer ones are cut */

/**
 * Append the string at @address, cut behind @max characters (at most PYTHON_STRING_MAX). Bytes of
 * file names that are no text, which Python keeps as lone surrogates, become those bytes again;
 * other surrogates become U+FFFD. NUL is left out.
 * @ret_length: of all of it, in characters; or NULL.
 * False if there is no string.
 */
bool python_string_read(const struct process_memory *memory, const struct python_layout *layout,
			uint64_t address, uint32_t max, struct string_builder *text,
			uint64_t *ret_length);

/**
 * The same as code points, as Python has them.
 * @characters: @max of them (at most PYTHON_STRING_MAX).
 */
bool python_string_read_characters(const struct process_memory *memory,
				   const struct python_layout *layout, uint64_t address,
				   uint32_t *characters, uint32_t max, size_t *ret_num,
				   uint64_t *ret_length);

/** As UTF-8, see above. */
void python_string_append_character(struct string_builder *text, uint32_t character);

#endif
