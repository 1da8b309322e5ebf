/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_CORE_GROUPS_H
#define WPERF_PROCESS_SYSTEM_CORE_GROUPS_H

/**
 * Windows numbers cores within groups of at most 64. wperf and the driver number all cores
 * consecutively, group by group.
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
 * @ret: room for @num_groups; gets the groups of the cores. The error names a core that does not
 *       exist.
 */
struct error *core_groups_split(const unsigned *cores, size_t num_cores, const unsigned *sizes,
				size_t num_groups, struct core_group *ret, size_t *ret_num);

#endif
