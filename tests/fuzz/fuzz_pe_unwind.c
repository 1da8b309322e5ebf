// SPDX-License-Identifier: Apache-2.0

// What a Windows image says of its functions, from outside: rows in the order of their addresses.

#include "stack/pe/pe_unwind.h"

#include <stdlib.h>

enum { ADDRESS = 0x1000, TABLE_SIZE = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *data;
	size_t size;
};

static struct object_bytes bytes_at(void *context, uint32_t address)
{
	const struct input *input = context;
	if (address < ADDRESS || address - ADDRESS >= input->size)
		return (struct object_bytes){0};
	size_t skipped = address - ADDRESS;
	return (struct object_bytes){input->data + skipped, input->size - skipped, address};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {data, size};
	if (size < 2 * TABLE_SIZE)
		return 0;
	const struct object_code_range ranges[] = {
		{ADDRESS, size / 2, OBJECT_MACHINE_AARCH64},
		{ADDRESS + size / 2, size / 2, OBJECT_MACHINE_X86_64},
	};
	const struct pe_unwind_image image = {
		.x64_functions = {data, TABLE_SIZE, ADDRESS},
		.arm64_functions = {data + TABLE_SIZE, TABLE_SIZE, ADDRESS + TABLE_SIZE},
		.ranges = ranges,
		.num_ranges = size % 3, // none, one, or both
		.bytes_at = bytes_at,
		.context = &input,
	};
	_cleanup_(cfi_table_deinit) struct cfi_table table = CFI_TABLE_INIT;
	error_destroy(pe_unwind_create(&image, &table));
	for (size_t i = 1; i < table.num_rows; i++)
		if (table.rows[i].address <= table.rows[i - 1].address)
			abort();
	return 0;
}
