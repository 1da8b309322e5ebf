/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_KERNEL_IMAGE_H
#define WPERF_TESTS_MINI_NT_KERNEL_IMAGE_H

/** The loader of wperf.sys: the very file, as run.py puts it into memory. */

#include "driver/windows/kernel.h"

/** What the kernel gives to drivers. */
struct image_export {
	const char *name;
	void *address;
};

/**
 * Map the file anew, relocate and link it. A failure, such as an import that does not exist, ends
 * everything with words. Returns its entry.
 */
PDRIVER_INITIALIZE image_load(const struct image_export *exports, unsigned num_exports);

/** Nothing of it can be touched any more. */
void image_unload(void);

/** Is this an address in its code? */
bool image_has_code_at(uint64_t address);

#endif
