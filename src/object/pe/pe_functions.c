// SPDX-License-Identifier: Apache-2.0

#include "object/pe/pe_functions.h"

#include "base/container/bisect.h"
#include "base/reader.h"

#include <stdlib.h>

// .pdata has RUNTIME_FUNCTION entries ("PE Format", "The .pdata Section"): for x64 start, end and
// unwind data; for Arm64 start and a word with the length, or with the address of a record that
// has it. Both become one sorted array.
//
// One function may have several entries: parts with chained unwind data (x64), fragments (Arm64).
// Where parts lie behind each other they are joined when asked for (pe_functions_first_part(),
// pe_functions_end()); a part elsewhere, the cold code, stays a range of its own.

enum {
	X64_ENTRY_SIZE = 12,
	ARM64_ENTRY_SIZE = 8,
	// Lengths of Arm64 are counted in instructions.
	ARM64_INSTRUCTION = 4,
	ARM64_PACKED = 3,
	ARM64_PACKED_FRAGMENT = 2,
};

static bool read_x64(const struct pe_image *image, struct reader *reader, struct pe_function *ret)
{
	// UNW_FLAG_CHAININFO, in the upper five bits of the first byte of UNWIND_INFO ("x64
	// exception handling"): the entry goes on what another one has begun.
	enum { FLAGS_SHIFT = 3, FLAG_CHAINED = 4 };
	ret->start = reader_u32(reader);
	ret->end = reader_u32(reader);
	ret->unwind = reader_u32(reader);
	struct object_bytes info = pe_image_bytes_at(image, ret->unwind);
	ret->is_part = info.size && info.data[0] >> FLAGS_SHIFT & FLAG_CHAINED;
	return true;
}

static bool read_arm64(const struct pe_image *image, struct reader *reader, struct pe_function *ret)
{
	// "ARM64 exception handling": the lowest two bits say whether the word is packed unwind
	// data, with the length behind them, or an address, where the length is in the lowest 18
	// bits.
	enum { PACKED_SHIFT = 2, PACKED_LENGTH = 0x7ff, LENGTH = 0x3ffff };
	ret->start = reader_u32(reader);
	ret->unwind = reader_u32(reader);
	uint32_t length = ret->unwind >> PACKED_SHIFT & PACKED_LENGTH;
	if (!(ret->unwind & ARM64_PACKED)) {
		// In the first word of what the entry points to.
		struct object_bytes bytes = pe_image_bytes_at(image, ret->unwind);
		struct reader record = reader_create(bytes.data, bytes.size);
		length = reader_u32(&record) & LENGTH;
		if (record.failed)
			return false;
	}
	length *= ARM64_INSTRUCTION;
	if (length > UINT32_MAX - ret->start)
		return false;
	ret->end = ret->start + length;
	ret->is_part = (ret->unwind & ARM64_PACKED) == ARM64_PACKED_FRAGMENT;
	return true;
}

static int pe_functions_compare_starts(const void *left, const void *right)
{
	const struct pe_function *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

typedef bool (*read_entry_fn)(const struct pe_image *image, struct reader *reader,
			      struct pe_function *ret);

static void pe_functions_add_table(const struct pe_image *image, struct object_bytes table,
				   size_t entry_size, read_entry_fn read,
				   struct pe_functions *functions)
{
	struct reader reader = reader_create(table.data, table.size);
	while (reader_left(&reader) >= entry_size) {
		struct pe_function function;
		if (read(image, &reader, &function) && function.end > function.start)
			functions->items[functions->num_items++] = function;
	}
}

struct error *pe_functions_read(const struct pe_image *image, const struct pe_hybrid *hybrid,
				struct pe_functions *ret)
{
	size_t count = hybrid->x64_functions.size / X64_ENTRY_SIZE +
		       hybrid->arm64_functions.size / ARM64_ENTRY_SIZE;
	struct pe_functions read = {.items = calloc(count + 1, sizeof(*read.items))};
	if (!read.items)
		return &error_no_memory;
	pe_functions_add_table(image, hybrid->x64_functions, X64_ENTRY_SIZE, read_x64, &read);
	pe_functions_add_table(image, hybrid->arm64_functions, ARM64_ENTRY_SIZE, read_arm64, &read);
	size_t num_sorted = 1;
	while (num_sorted < read.num_items &&
	       read.items[num_sorted].start >= read.items[num_sorted - 1].start)
		num_sorted++;
	if (num_sorted < read.num_items)
		qsort(read.items, read.num_items, sizeof(*read.items), pe_functions_compare_starts);
	*ret = read;
	return NULL;
}

void pe_functions_deinit(struct pe_functions *functions)
{
	free(functions->items);
	*functions = (struct pe_functions)PE_FUNCTIONS_INIT;
}

/** How many begin at the address or before it. */
static size_t pe_functions_count_up_to(const struct pe_functions *functions, uint32_t address)
{
	const struct pe_function *items = functions->items;
	return items ? bisect_u32(&items->start, functions->num_items, sizeof(*items), address) : 0;
}

const struct pe_function *pe_functions_find(const struct pe_functions *functions, uint32_t address)
{
	size_t count = pe_functions_count_up_to(functions, address);
	const struct pe_function *found = count ? &functions->items[count - 1] : NULL;
	return found && address < found->end ? found : NULL;
}

static bool is_behind_another(const struct pe_functions *functions, const struct pe_function *part)
{
	return part > functions->items && part->is_part && part[-1].end == part->start;
}

const struct pe_function *pe_functions_first_part(const struct pe_functions *functions,
						  const struct pe_function *part)
{
	while (is_behind_another(functions, part))
		part--;
	return part;
}

const struct pe_function *pe_functions_from(const struct pe_functions *functions, uint32_t address)
{
	const struct pe_function *behind = functions->items + functions->num_items;
	const struct pe_function *found = functions->items;
	if (address)
		found += pe_functions_count_up_to(functions, address - 1);
	while (found < behind && is_behind_another(functions, found))
		found++;
	return found < behind ? found : NULL;
}

uint32_t pe_functions_end(const struct pe_functions *functions, const struct pe_function *function)
{
	const struct pe_function *behind = functions->items + functions->num_items;
	const struct pe_function *part = function;
	while (part + 1 < behind && part[1].is_part && part[1].start == part->end)
		part++;
	return part->end;
}

uint32_t pe_functions_next(const struct pe_functions *functions, uint32_t address)
{
	size_t count = pe_functions_count_up_to(functions, address);
	return count < functions->num_items ? functions->items[count].start : UINT32_MAX;
}
