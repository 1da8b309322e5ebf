/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_OWN_STACK_H
#define WPERF_SOURCE_MEMORY_OWN_STACK_H

/** Copies the calling thread's stack. */

#include <stdint.h>

/** Before threads begin. */
void own_stack_begin(void);

/** From @sp upwards, at most @size bytes, or up to the end of the stack. Returns how many. */
uint32_t own_stack_copy(uint64_t sp, uint8_t *ret, uint32_t size);

#endif
