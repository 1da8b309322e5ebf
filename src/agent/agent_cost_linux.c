// SPDX-License-Identifier: Apache-2.0

#include "agent/agent_cost.h"

#include "base/file/first_line.h"
#include "base/os/clock.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct agent_cost agent_cost_read(void)
{
	// "size resident ...", in pages (proc_pid_statm(5)).
	char line[128];
	first_line_read("/proc/self/statm", line, sizeof(line));
	const char *resident = strchr(line, ' ');
	long page_size = sysconf(_SC_PAGESIZE);
	return (struct agent_cost){
		.cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID),
		.resident_bytes = resident ? strtoull(resident, NULL, 10) * (uint64_t)page_size : 0,
	};
}

void agent_cost_trim_memory(void)
{
	malloc_trim(0);
}
