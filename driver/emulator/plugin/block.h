/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_BLOCK_H
#define WPERF_EMULATOR_BLOCK_H

/**
 * A block of instructions that the emulator translates at once and runs from its beginning. It
 * lives until the emulator throws all its blocks away.
 */

#include "driver/emulator/plugin/qemu_api.h"
#include "driver/emulator/region.h"

#include <stdbool.h>
#include <stdint.h>

enum branch_kind { BRANCH_NONE, BRANCH_CONDITIONAL, BRANCH_IMMED, BRANCH_INDIRECT };

/** How a block ends, and what comes behind it. */
struct branch {
	uint64_t next_address;
	enum branch_kind kind;
};

struct plugin;

struct block {
	uint64_t address;
	uint32_t num_instructions;
	uint32_t vector; /* REGION_MAX_VECTORS: there was no room for its own */
	uint32_t weight; /* of the first sampled event, as struct overflow has it */
	struct region_vector counts;
	struct branch branch;
};

/** @tb: just being translated. NULL: no memory. */
struct block *block_create(struct plugin *plugin, const struct qemu_plugin_tb *tb);

/** None of them runs any more. */
void block_destroy_all(struct plugin *plugin);

/** How much of a sampled event it is: instructions, or thousandths of cycles. */
uint32_t block_weight(const struct block *block, enum measure measure,
		      const struct region_config *config);

/** The n-th instruction (from 1) of the block that counts for the measure. */
uint64_t block_find(const struct block *block, enum measure measure, uint64_t n,
		    const struct plugin *plugin);

#endif
