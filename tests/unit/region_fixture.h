/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_REGION_FIXTURE_H
#define WPERF_TESTS_UNIT_REGION_FIXTURE_H

/** A region as wperf and emulated programs share it, for one process. Include behind cmocka.h. */

#include "driver/emulator/region.h"

#include <sys/mman.h>

static inline int create_region(void **state)
{
	struct region *region = mmap(NULL, sizeof(*region), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (region == MAP_FAILED || !region_init(region))
		return -1;
	region->config.cycles_per_1000 = 1000;
	*state = region;
	return 0;
}

static inline int destroy_region(void **state)
{
	return munmap(*state, sizeof(struct region));
}

/** So many blocks of one instruction each, loads all of them. */
static inline void run_loads(struct region *region, struct region_thread *thread, uint64_t num)
{
	struct region_vector load = {.counts = {[MEASURE_INSTRUCTIONS] = 1, [MEASURE_LOADS] = 1}};
	thread->counts[region_find_vector(region, &load)] += num;
}

#endif
