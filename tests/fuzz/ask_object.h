/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_FUZZ_ASK_OBJECT_H
#define WPERF_TESTS_FUZZ_ASK_OBJECT_H

/** An object from outside: whatever it says, its answers stay within it, and it is not written to.
 */

#include "object/names/demangle.h"
#include "object/object.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ASKED = 32 };

static inline void require(bool condition)
{
	if (!condition)
		abort();
}

static inline size_t length_of(const char *text)
{
	return text ? strlen(text) : 0;
}

static inline void ask_lines(struct object *object, uint64_t address)
{
	const struct object_line *lines;
	size_t num_lines;
	struct error *err = object_find_lines(object, address, &lines, &num_lines);
	for (size_t i = 0; !err && i < num_lines; i++)
		require(length_of(lines[i].function) + length_of(lines[i].file) +
				length_of(lines[i].definition_file) <
			SIZE_MAX);
	error_destroy(err);
}

static inline void ask_symbol(struct object *object, const struct object_symbol *symbol,
			      bool is_one_table)
{
	const struct object_symbol *found = NULL;
	error_destroy(object_find_symbol(object, symbol->address, &found));
	require(symbol->size >= 1 && (!found || found->size >= 1));
	require(found == symbol || !is_one_table);
	_cleanup_free_ char *readable = NULL;
	error_destroy(demangle(symbol->name, &readable));
	ask_lines(object, symbol->address);
	ask_lines(object, symbol->address + symbol->size / 2);
}

static inline void ask_symbols(struct object *object, bool is_one_table)
{
	const struct object_symbol *symbols;
	size_t num_symbols;
	struct error *err = object_symbols(object, &symbols, &num_symbols);
	for (size_t i = 1; !err && i < num_symbols; i++)
		require(symbols[i - 1].address < symbols[i].address);
	for (size_t i = 0; !err && i < num_symbols && i < MAX_ASKED; i++)
		ask_symbol(object, &symbols[i], is_one_table);
	error_destroy(err);
}

static inline void ask_bytes(struct object *object)
{
	static const char *const names[] = {".text", ".debug_info", ".debug_line", ".eh_frame"};
	unsigned sum = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct object_bytes bytes = object_section(object, names[i]);
		for (size_t at = 0; at < bytes.size; at++)
			sum += bytes.data[at];
	}
	for (uint64_t offset = 0; offset < 4096; offset += 512) {
		uint64_t address;
		if (!object_offset_to_address(object, offset, &address))
			continue;
		struct object_bytes code = object_code(object, address, 64);
		for (size_t at = 0; at < code.size; at++)
			sum += code.data[at];
		ask_lines(object, address);
	}
	require(sum < UINT32_MAX);
}

/** What each target does with its input. @is_one_table: what is listed is what is found.
 * @ask_more: or NULL. */
static inline int ask_object(const uint8_t *data, size_t size, bool is_one_table,
			     void (*ask_more)(struct object *object))
{
	_cleanup_free_ uint8_t *copy = malloc(size + 1);
	memcpy(copy, data, size);
	_cleanup_(object_destroyp) struct object *object = NULL;
	struct error *err = object_open_memory(data, size, "input", &object);
	if (err) {
		error_destroy(err);
		return 0;
	}
	uint8_t id[20];
	require(object_build_id(object, id) <= sizeof(id));
	ask_symbols(object, is_one_table);
	ask_bytes(object);
	if (ask_more)
		ask_more(object);
	require(!memcmp(copy, data, size));
	return 0;
}

#endif
