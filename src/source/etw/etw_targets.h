/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_TARGETS_H
#define WPERF_SOURCE_ETW_ETW_TARGETS_H

/**
 * Whose records are wanted, out of those of the whole machine: an ETW session cannot choose
 * processes. Follows the children of chosen processes by their records, which must come in order.
 */

#include "base/error.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct etw_target {
	uint32_t pid;
	uint32_t root; /* the chosen process that it descends from */
};

struct etw_targets {
	struct etw_target *items; /* that run now */
	size_t num_items, cap_items;
	bool is_all, inherit;
	uint32_t only_thread, left_out_thread; /* 0: none */
	const unsigned *cores;                 /* of samples; none: all */
	size_t num_cores;
};

#define ETW_TARGETS_INIT \
	{                \
	}

struct etw_targets_request {
	const uint32_t *pids; /* none: all */
	size_t num_pids;
	bool inherit;
	uint32_t only_thread, left_out_thread;
	const unsigned *cores;
	size_t num_cores;
};

/** The cores must outlive it. Ended by etw_targets_deinit(), also after an error. */
struct error *etw_targets_init(struct etw_targets *targets,
			       const struct etw_targets_request *request);
void etw_targets_deinit(struct etw_targets *targets);

/** The next record of all. @ret_is_wanted: it is of a chosen process, or of the kernel's images. */
struct error *etw_targets_take(struct etw_targets *targets, const struct record *record,
			       bool *ret_is_wanted);

/** The chosen process that this one is, or descends from. False: it is not chosen, or has ended. */
bool etw_targets_root(const struct etw_targets *targets, uint32_t pid, uint32_t *ret);

#endif
