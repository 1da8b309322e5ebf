// SPDX-License-Identifier: Apache-2.0

#include "process/system/core_groups.h"

// Windows numbers cores by groups of up to 64, and masks are of one group ("Processor Groups" of
// Microsoft). Groups may have fewer cores, so that numbers that count through all groups are
// translated by the groups' sizes.

struct error *core_groups_split(const unsigned *cores, size_t num_cores, const unsigned *sizes,
				size_t num_groups, struct core_group *ret, size_t *ret_num)
{
	unsigned first = 0;
	size_t taken = 0, num = 0;
	for (size_t group = 0; group < num_groups; group++) {
		uint64_t mask = 0;
		for (; taken < num_cores && cores[taken] - first < sizes[group]; taken++)
			mask |= UINT64_C(1) << (cores[taken] - first);
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
