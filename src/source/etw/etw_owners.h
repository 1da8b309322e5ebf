/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_OWNERS_H
#define WPERF_SOURCE_ETW_ETW_OWNERS_H

/** Who has the counters of the CPU: Windows 10 21H2 and later say so. */

#include "source/etw/etw_calls.h"
#include "source/etw/etw_session.h"

/** An error if another program uses one of the sources. */
struct error *etw_owners_check(const struct etw_calls *calls, const struct etw_sources *sources,
			       const uint32_t *wanted, size_t num_wanted);

#endif
