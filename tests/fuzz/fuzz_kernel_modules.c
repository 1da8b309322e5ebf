// SPDX-License-Identifier: Apache-2.0
// Input: what Windows tells of its kernel's modules, at two looks.

#include "process/system/kernel_modules.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_module(const struct kernel_module *module)
{
	char *file = NULL;
	if (!module->base || !module->size || module->base + module->size < module->base ||
	    !memchr(module->path, '\0', sizeof(module->path)))
		abort();
	error_destroy(kernel_module_file(module->path, "C:\\Windows", &file));
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kernel_modules modules = KERNEL_MODULES_INIT;
	error_destroy(kernel_modules_look(&modules, data, size / 2));
	error_destroy(kernel_modules_look(&modules, data, size));
	for (size_t i = 0; i < modules.num_items; i++)
		check_module(&modules.items[i]);
	kernel_modules_deinit(&modules);
	return 0;
}
