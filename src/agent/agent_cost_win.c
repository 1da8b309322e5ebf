// SPDX-License-Identifier: Apache-2.0

#include "agent/agent_cost.h"

#include <windows.h>

#include <psapi.h>

static uint64_t agent_cost_ns(FILETIME time)
{
	enum { NS_PER_UNIT = 100 };
	return (((uint64_t)time.dwHighDateTime << 32) | time.dwLowDateTime) * NS_PER_UNIT;
}

struct agent_cost agent_cost_read(void)
{
	struct agent_cost cost = {0};
	FILETIME begin, end, kernel, user;
	PROCESS_MEMORY_COUNTERS memory = {.cb = sizeof(memory)};
	if (GetProcessTimes(GetCurrentProcess(), &begin, &end, &kernel, &user))
		cost.cpu_ns = agent_cost_ns(kernel) + agent_cost_ns(user);
	if (GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof(memory)))
		cost.resident_bytes = memory.WorkingSetSize;
	return cost;
}

// The heap of Windows does so by itself.
void agent_cost_trim_memory(void)
{
}
