/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_SPE_TARGETS_H
#define WPERF_PROFILE_SPE_SPE_TARGETS_H

/** Where sampled branches went: each pair of a branch and a target once. */

#include "base/container/hash_table.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spe_target {
	uint32_t from, to; /* stacks of the profile: of the branch, and of the target alone */
	uint32_t event;    /* of the profile */
	uint32_t thread;   /* as in struct spe_group */
	uint64_t count, num_mispredicted;
};

struct spe_targets {
	struct spe_target *items;
	size_t num_items, cap_items;
	struct hash_table index;
};

#define SPE_TARGETS_INIT \
	{                \
	}

/** @target: its counts are not looked at. */
struct error *spe_targets_add(struct spe_targets *targets, const struct spe_target *target,
			      bool is_mispredicted);
void spe_targets_deinit(struct spe_targets *targets);

#endif
