/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_EVENT_H
#define WPERF_RECORD_SPE_SPE_EVENT_H

/** The bits of an events packet: what happened to the sampled operation. */

#include "base/text/string_builder.h"

#include <stdint.h>

/** Bit numbers. 12 to 15, 26 to 31 and 48 to 63 are the implementation's own. */
enum spe_event {
	SPE_EVENT_EXCEPTION = 0, /* generated one */
	SPE_EVENT_RETIRED = 1,
	SPE_EVENT_L1D_ACCESS = 2,
	SPE_EVENT_L1D_REFILL = 3,
	SPE_EVENT_TLB_ACCESS = 4,
	SPE_EVENT_TLB_WALK = 5,
	SPE_EVENT_NOT_TAKEN = 6, /* a conditional branch, or a condition of another instruction */
	SPE_EVENT_MISPREDICTED = 7,
	SPE_EVENT_LLC_ACCESS = 8,
	SPE_EVENT_LLC_MISS = 9,
	SPE_EVENT_REMOTE_ACCESS = 10, /* to another socket */
	SPE_EVENT_MISALIGNED = 11,
	SPE_EVENT_TRANSACTION = 16,
	SPE_EVENT_PARTIAL_PREDICATE = 17,
	SPE_EVENT_EMPTY_PREDICATE = 18,
	SPE_EVENT_L2D_ACCESS = 19,
	SPE_EVENT_L2D_MISS = 20,
	SPE_EVENT_MODIFIED = 21,         /* another cache had the data modified */
	SPE_EVENT_RECENTLY_FETCHED = 22, /* hit a line that was under way already */
	SPE_EVENT_SNOOPED = 23,
	SPE_EVENT_STREAMING = 24, /* in streaming SVE mode */
	SPE_EVENT_SMCU = 25,      /* done by an SME unit that cores share */
	SPE_NUM_EVENTS = 64,
};

/** Append perf's words, a blank before each: ` RETIRED L1D-ACCESS IMPDEF:12,48`. */
void spe_event_append(struct string_builder *text, uint64_t events, uint32_t midr);

#endif
