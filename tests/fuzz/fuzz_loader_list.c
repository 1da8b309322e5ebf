// SPDX-License-Identifier: Apache-2.0
// Input: the memory of a Windows process: its list of modules, and one of their headers.

#include "process/loaded_image.h"
#include "process/loader_list.h"
#include "tests/fuzz/endless_memory.h"

#include <stdlib.h>

enum { BLOCK = 0, BUDGET = 1 << 15 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_code(const struct process_memory *memory, const struct loader_module *module)
{
	struct loaded_code code[LOADED_IMAGE_MAX_CODE];
	size_t num = loaded_image_code(memory, module->base, module->size, code);
	for (size_t i = 0; i < num; i++)
		if (code[i].start < module->base || !code[i].length ||
		    code[i].start - module->base + code[i].length > module->size)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	static uint16_t path[LOADER_LIST_MAX_PATH];
	struct endless_memory bytes = {.bytes = data, .size = size, .budget = BUDGET};
	struct process_memory memory = endless_memory_of(&bytes);
	struct loader_list list = {.num_modules = 0};
	loader_list_init(&list, memory, BLOCK);
	bool is_changed;
	error_destroy(loader_list_look(&list, &is_changed));
	error_destroy(loader_list_look(&list, &is_changed));
	for (size_t i = 0; i < list.num_modules && i < 4; i++) {
		loader_list_path(&list, &list.modules[i], path);
		check_code(&memory, &list.modules[i]);
	}
	loader_list_deinit(&list);
	return 0;
}
