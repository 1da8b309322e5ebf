// SPDX-License-Identifier: Apache-2.0

#include "process/system/core_groups.h"

/** The cores of one group, from @cores on; how many they are. */
static size_t take_group(const unsigned *cores, size_t num_cores, unsigned first, unsigned size,
			 uint64_t *ret_mask)
{
	size_t num = 0;
	*ret_mask = 0;
	while (num < num_cores && cores[num] - first < size)
		*ret_mask |= UINT64_C(1) << (cores[num++] - first);
	return num;
}

struct error *core_groups_split(const unsigned *cores, size_t num_cores, const unsigned *sizes,
				size_t num_groups, struct core_group *ret, size_t *ret_num)
{
	unsigned first = 0;
	size_t taken = 0, num = 0;
	for (size_t group = 0; group < num_groups; group++) {
		uint64_t mask;
		taken += take_group(cores + taken, num_cores - taken, first, sizes[group], &mask);
		if (mask)
			ret[num++] = (struct core_group){(uint16_t)group, mask};
		first += sizes[group];
	}
	if (taken < num_cores && !first)
		return error_create(ERROR_FAILED, "cannot find the number of cores");
	if (taken < num_cores)
		return error_create(ERROR_FAILED, "no core %u: this machine has cores 0 to %u",
				    cores[taken], first - 1);
	*ret_num = num;
	return NULL;
}
