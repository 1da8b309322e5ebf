/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_GUEST_MEMORY_H
#define WPERF_EMULATOR_GUEST_MEMORY_H

/** The memory of the emulated program, which may be anything: reading never faults. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plugin;

/** As much as there is from @address on: bytes, 0 if there is nothing. */
size_t guest_memory_read(const struct plugin *plugin, uint64_t address, void *bytes, size_t size);

static inline bool guest_memory_read_word(const struct plugin *plugin, uint64_t address,
					  uint64_t *ret)
{
	return guest_memory_read(plugin, address, ret, sizeof(*ret)) == sizeof(*ret);
}

/** A string with its end; false if it is longer or not there. */
bool guest_memory_read_string(const struct plugin *plugin, uint64_t address, char *text,
			      size_t size);

#endif
