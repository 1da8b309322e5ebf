/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_RECORD_ENCODER_H
#define WPERF_RECORD_PERF_DATA_RECORD_ENCODER_H

/**
 * Records from their parts into perf's layout, for the sample type that we write ourselves:
 * IDENTIFIER|IP|TID|TIME|CPU|PERIOD|CALLCHAIN with sample_id_all, and what the processor said of an
 * access to memory or of branches, or a payload (RAW: of probe_values.h, say), where an event has
 * it. The state of the GIL (enum gil_state) is in the half of the CPU's word that perf reserves:
 * the kernel writes 0 there, which is GIL_UNKNOWN, and perf and older versions of wperf do not look
 * at it.
 */

#include "record/perf_data/perf_abi.h"
#include "record/record.h"

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define RECORD_ENCODER_SAMPLE_TYPE                                                         \
	(PERF_ABI_IDENTIFIER | PERF_ABI_IP | PERF_ABI_TID | PERF_ABI_TIME | PERF_ABI_CPU | \
	 PERF_ABI_PERIOD | PERF_ABI_CALLCHAIN)

/** Fields that an event may have beside them. */
#define RECORD_ENCODER_MORE_FIELDS                                                \
	(PERF_ABI_ADDR | PERF_ABI_RAW | PERF_ABI_BRANCH_STACK | PERF_ABI_WEIGHT | \
	 PERF_ABI_DATA_SOURCE)

enum { RECORD_ENCODER_MAX_WORDS = PERF_ABI_MAX_RECORD / 8, RECORD_ENCODER_MAX_PAYLOAD = 1024 };

/**
 * Encode a sample, map, comm, fork, exit or lost. A chain that no record can hold loses its
 * outermost callers. A payload has at most RECORD_ENCODER_MAX_PAYLOAD bytes.
 * @id:        of the event that the record belongs to.
 * @more:      which of RECORD_ENCODER_MORE_FIELDS its samples have.
 * @words:     room for RECORD_ENCODER_MAX_WORDS.
 * @ret_words: how many were written.
 */
struct error *record_encode(const struct record *record, uint64_t id, uint64_t more,
			    uint64_t *words, size_t *ret_words);

#endif
