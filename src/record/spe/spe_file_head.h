/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_FILE_HEAD_H
#define WPERF_RECORD_SPE_SPE_FILE_HEAD_H

/**
 * The records that a perf.data file needs before the first bytes of SPE: how ticks of the timer
 * become nanoseconds, and which cores SPE ran on.
 */

#include "record/record.h"
#include "record/spe/spe_machine.h"
#include "record/time_conversion.h"

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spe_file_head {
	uint64_t timer[7];
	uint64_t *machine;
	size_t machine_size;
	unsigned num_given;
};

#define SPE_FILE_HEAD_INIT \
	{                  \
	}

/** @machine: not needed afterwards. */
struct error *spe_file_head_init(struct spe_file_head *head, const struct spe_machine *machine,
				 const struct time_conversion *conversion);
void spe_file_head_deinit(struct spe_file_head *head);

/** The next record, which lives as long as @head; false: all were given. */
bool spe_file_head_next(struct spe_file_head *head, struct record *ret);

#endif
