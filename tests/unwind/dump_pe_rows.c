// SPDX-License-Identifier: Apache-2.0
// Prints the rows of a Windows image, for pe_arm64.py: dump_pe_rows FILE

#include "object/object.h"
#include "stack/pe/pe_unwind.h"
#include "tests/unwind/row_text.h"

static struct object_bytes bytes_at(void *object, uint32_t address)
{
	return object_code(object, address, SIZE_MAX);
}

int main(int argc, char **argv)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	_cleanup_(cfi_table_deinit) struct cfi_table table = CFI_TABLE_INIT;
	if (argc != 2 || object_open(argv[1], "", &object))
		return 1;
	struct pe_unwind_image image = {
		.x64_functions = object_function_table(object, OBJECT_MACHINE_X86_64),
		.arm64_functions = object_function_table(object, OBJECT_MACHINE_AARCH64),
		.bytes_at = bytes_at,
		.context = object,
	};
	image.ranges = object_code_ranges(object, &image.num_ranges);
	if (pe_unwind_create(&image, &table))
		return 1;
	printf("%zu\n", table.num_bad);
	for (size_t i = 0; i < table.num_rows; i++)
		row_text_print(&table.rows[i]);
	return 0;
}
