/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_KERNEL_MODULES_H
#define WPERF_PROCESS_SYSTEM_KERNEL_MODULES_H

/**
 * The images of Windows' kernel and its drivers, from the system's list (SystemModuleInformation).
 * Each look marks those that are new since the previous one.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	KERNEL_MODULES_MAX = 4096,
	KERNEL_MODULE_PATH_SIZE = 256, /* with its NUL */
};

struct kernel_module {
	uint64_t base;
	uint32_t size;
	/** The kernel's name in the system's code page: see kernel_module_file(). */
	char path[KERNEL_MODULE_PATH_SIZE];
	bool is_new; /* since the previous look */
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
 * Parse the current list. Modules without an address are left out, which are all for users who may
 * not know the kernel's addresses; so are impossible and truncated ones.
 */
struct error *kernel_modules_look(struct kernel_modules *modules, const uint8_t *bytes,
				  size_t size);

/**
 * The file of a module: "\SystemRoot\system32\ntoskrnl.exe" is below @windows ("C:\Windows").
 * @ret: to be freed; NULL: not the name of a file.
 */
struct error *kernel_module_file(const char *path, const char *windows, char **ret);

#endif
