/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_STRING_H
#define WPERF_TESTS_BAREMETAL_STRING_H

/** All that the driver's core, and the compiler by itself, want of a C library. */

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);

#endif
