/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_AGENT_COST_H
#define WPERF_AGENT_AGENT_COST_H

/** What this process takes of the machine. */

#include <stdint.h>

struct agent_cost {
	uint64_t cpu_ns;         /* since it began, of all its threads */
	uint64_t resident_bytes; /* now; 0: not known */
};

struct agent_cost agent_cost_read(void);

/** Give memory that was freed back to the system, if the C library keeps it. */
void agent_cost_trim_memory(void);

#endif
