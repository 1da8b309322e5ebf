// SPDX-License-Identifier: Apache-2.0

// An object from outside: whatever it says, its answers stay within it, and it is not written to.

#include "object/demangle.h"
#include "object/object.h"
#include "python/python_opcodes.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ASKED = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static size_t length_of(const char *text)
{
	return text ? strlen(text) : 0;
}

static void ask_lines(struct object *object, uint64_t address)
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

static void ask_symbol(struct object *object, const struct object_symbol *symbol)
{
	const struct object_symbol *found = NULL;
	error_destroy(object_find_symbol(object, symbol->address, &found));
	require(found == symbol && symbol->size >= 1);
	_cleanup_free_ char *readable = NULL;
	error_destroy(demangle(symbol->name, &readable));
	ask_lines(object, symbol->address);
	ask_lines(object, symbol->address + symbol->size / 2);
}

static void ask_symbols(struct object *object)
{
	const struct object_symbol *symbols;
	size_t num_symbols;
	struct error *err = object_symbols(object, &symbols, &num_symbols);
	for (size_t i = 1; !err && i < num_symbols; i++)
		require(symbols[i - 1].address < symbols[i].address);
	for (size_t i = 0; !err && i < num_symbols && i < MAX_ASKED; i++)
		ask_symbol(object, &symbols[i]);
	error_destroy(err);
}

static void ask_bytes(struct object *object)
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

static void ask_opcodes(struct object *object)
{
	uint64_t opcodes[PYTHON_NUM_OPCODES];
	struct object_bytes text = object_section(object, ".text");
	if (!python_opcodes_find(object, opcodes))
		return;
	for (size_t i = 0; i < PYTHON_NUM_OPCODES; i++)
		require(opcodes[i] - text.address < text.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
	ask_symbols(object);
	ask_bytes(object);
	ask_opcodes(object);
	require(!memcmp(copy, data, size));
	return 0;
}
