// SPDX-License-Identifier: Apache-2.0

// What a Windows image says of its functions, from outside: rows in the order of their addresses.

#include "unwind/pe_unwind.h"

#include <stdlib.h>

enum { ADDRESS = 0x1000, MAX_TABLE = 128 };

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
	const struct pe_unwind_image image = {
		.functions = {data, size < MAX_TABLE ? size : MAX_TABLE, ADDRESS},
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
