/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_KERNEL_MODULES_H
#define WPERF_PROCESS_KERNEL_MODULES_H

/**
 * The images that Windows' kernel consists of, itself and its drivers, from the list that the
 * system makes of them (SystemModuleInformation). Every look says what has come since the last.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	KERNEL_MODULES_MAX = 4096,
	KERNEL_MODULE_PATH_SIZE = 256, /* its end included */
};

struct kernel_module {
	uint64_t base;
	uint32_t size;
	/** In the kernel's own words and the system's code page: see kernel_module_file(). */
	char path[KERNEL_MODULE_PATH_SIZE];
	bool is_new; /* since the look before */
};

struct kernel_modules {
	struct kernel_module *items;
	size_t num_items, cap_items;
};

#define KERNEL_MODULES_INIT \
	{                   \
	}

void kernel_modules_deinit(struct kernel_modules *modules);

/**
 * What the system tells now. Modules without an address are left out: for users who may not know
 * where the kernel is all are such. So are those that cannot be, and what comes behind the end.
 */
struct error *kernel_modules_look(struct kernel_modules *modules, const uint8_t *bytes,
				  size_t size);

/**
 * The file of a module: "\SystemRoot\system32\ntoskrnl.exe" is below @windows ("C:\Windows").
 * @ret: to be freed; NULL if these words lead to no file.
 */
struct error *kernel_module_file(const char *path, const char *windows, char **ret);

#endif
