/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_STRING_H
#define WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_STRING_H

/** Reads str objects as UTF-8. */

#include "base/text/string_builder.h"
#include "interpreter/python/layout/python_layout.h"
#include "process/memory/process_memory.h"

#include <stdbool.h>
#include <stdint.h>

enum { PYTHON_STRING_MAX = 4096 }; /* characters; longer strings are truncated */

/**
 * Append at most @max characters (up to PYTHON_STRING_MAX) of the string at @address. Undecodable
 * bytes of file names, which Python stores as lone surrogates, become bytes again; other surrogates
 * become U+FFFD. NUL is left out.
 * @ret_length: of the whole string, in characters; or NULL.
 * False: not a string.
 */
bool python_string_read(const struct process_memory *memory, const struct python_layout *layout,
			uint64_t address, uint32_t max, struct string_builder *text,
			uint64_t *ret_length);

/**
 * The same as Python's code points.
 * @characters: room for @max (at most PYTHON_STRING_MAX).
 */
bool python_string_read_characters(const struct process_memory *memory,
				   const struct python_layout *layout, uint64_t address,
				   uint32_t *characters, uint32_t max, size_t *ret_num,
				   uint64_t *ret_length);

/** Is it this string? @ascii: at most 64 characters. */
bool python_string_is(const struct process_memory *memory, const struct python_layout *layout,
		      uint64_t address, const char *ascii);

/** Append a code point as UTF-8: see python_string_read(). */
void python_string_append_character(struct string_builder *text, uint32_t character);

#endif
