/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_GUEST_MAP_LIST_H
#define WPERF_EMULATOR_GUEST_MAP_LIST_H

/** Code of the emulated program that wperf was told of: driver/emulator/plugin/guest_maps.h. */

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct guest_map {
	uint64_t start, end;
};

struct guest_maps {
	pthread_mutex_t lock;
	struct guest_map *told; /* those that were */
	size_t num_told, cap_told;
};

#endif
