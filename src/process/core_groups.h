/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_CORE_GROUPS_H
#define WPERF_PROCESS_CORE_GROUPS_H

/**
 * Windows counts cores in groups of at most 64; wperf counts them all through, group by group, as
 * the driver does.
 */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { CORE_GROUPS_MAX_SIZE = 64 };

struct core_group {
	uint16_t number;
	uint64_t mask; /* of its cores; not 0 */
};

/**
 * @cores: ascending. @sizes: of each group, at most CORE_GROUPS_MAX_SIZE.
 * @ret: has room for @num_groups; those that have one of the cores. The error says which core is
 * not there.
 */
struct error *core_groups_split(const unsigned *cores, size_t num_cores, const unsigned *sizes,
				size_t num_groups, struct core_group *ret, size_t *ret_num);

#endif
