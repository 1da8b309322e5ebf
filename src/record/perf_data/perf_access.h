/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_PERF_ACCESS_H
#define WPERF_RECORD_PERF_DATA_PERF_ACCESS_H

/**
 * What Intel's PEBS, AMD's IBS and others say of a sampled access to memory, as perf keeps it: one
 * word for all processors, `perf_mem_data_src` of linux/perf_event.h, beside the address and the
 * latency. Here it becomes an operation as Arm's SPE tells one, so that all views are the same.
 */

#include "record/record.h"

/** Numbers of a data source, for a MIDR of SPE_CORE_OF_PERF: see spe_data_source.h. */
enum perf_access_source {
	PERF_ACCESS_L1,
	PERF_ACCESS_FILL_BUFFER, /* the line was under way already */
	PERF_ACCESS_L2,
	PERF_ACCESS_L3,
	PERF_ACCESS_L4,
	PERF_ACCESS_PEER, /* another core of the same chip had it in its cache */
	PERF_ACCESS_PEER_MODIFIED,
	PERF_ACCESS_REMOTE_CACHE, /* of another chip */
	PERF_ACCESS_REMOTE_MODIFIED,
	PERF_ACCESS_MEMORY,
	PERF_ACCESS_PERSISTENT,
	PERF_ACCESS_CXL,
	PERF_ACCESS_REMOTE_MEMORY,
	PERF_ACCESS_DEVICE,
	PERF_ACCESS_NOT_KNOWN,
};

/** False if @sample has no data source, or one that says that it was no access; else @ret is set.
 */
bool perf_access_operation(const struct record_sample *sample, struct spe_record *ret);

/**
 * The same for a taken branch of the processor's records (Intel's LBR, AMD's LbrExtV2 and BRS).
 * False if it does not say whether it was predicted.
 */
bool perf_branch_operation(const struct record_branch *branch, struct spe_record *ret);

#endif
