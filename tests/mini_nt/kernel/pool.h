/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_KERNEL_POOL_H
#define WPERF_TESTS_MINI_NT_KERNEL_POOL_H

/** Memory for whoever asks. */

#include <stddef.h>

/** From now on all of it is free. */
void pool_init(void);

/** A multiple of the size of a page begins at a page. NULL: there is none. */
void *pool_take(size_t size);
void pool_give(void *memory);

/** How many pieces are taken. */
unsigned pool_num_taken(void);

#endif
