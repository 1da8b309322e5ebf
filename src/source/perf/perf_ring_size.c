// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_ring_size.h"

#include "base/file/first_line.h"
#include "source/perf/perf_host.h"

#include <linux/capability.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel limits the locked memory of perf buffers of a user: perf_event_mlock_kb per online
// core, and RLIMIT_MEMLOCK beyond (kernel/events/core.c, perf_mmap()). Privileged users
// (CAP_IPC_LOCK) and perf_event_paranoid = -1 have no limit. perf_ring_size() takes the largest
// power of two of pages that each core can have. perf_ring_stack_bytes() divides the ring by the
// samples of a sixteenth of a second: larger copies would be lost where the reader does not get a
// core for so long.

enum {
	DEFAULT_BUFFER = 2 << 20,
	STACK_BUFFER = 16 << 20, // pieces of stack are a hundred times as large as plain samples
	SMALL_BUFFER = 64 << 10, // a few milliseconds of samples with stacks
	DEFAULT_MLOCK_KB = 516,
	// The kernel copies no more than there is, but every sample takes this much of the buffer.
	LEAST_STACK = 8192,
	MOST_STACK = 65528,
	// A buffer lasts for a sixteenth of a second, as the reader may have to wait for a core.
	ROUNDS_PER_S = 16,
	LEAST_SAMPLES = 32,
	PERIOD_RATE = 16000, // samples a second of an event with an interval: may be that high
};

struct perf_ring_limits perf_ring_limits_read(size_t num_rings)
{
	char line[32];
	first_line_read("/proc/sys/kernel/perf_event_mlock_kb", line, sizeof(line));
	size_t core_kb = *line ? strtoul(line, NULL, 10) : DEFAULT_MLOCK_KB;
	struct rlimit memory = {0};
	getrlimit(RLIMIT_MEMLOCK, &memory);
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0};
	bool may_lock_anything =
		syscall(SYS_capget, &header, sets) == 0 && sets[0].effective & 1U << CAP_IPC_LOCK;
	return (struct perf_ring_limits){
		// -1: everything is allowed to everybody.
		.is_unlimited = perf_host_paranoid() == -1 || may_lock_anything ||
				memory.rlim_cur == RLIM_INFINITY,
		.core_bytes = core_kb << 10,
		.user_bytes = memory.rlim_cur,
		.num_rings = num_rings ? num_rings : 1,
		.page = (size_t)sysconf(_SC_PAGESIZE),
	};
}

static size_t wanted_size(const struct sample_plan *plan)
{
	if (plan->buffer_bytes)
		return plan->buffer_bytes;
	return plan->chain == SAMPLE_CHAIN_CFI ? STACK_BUFFER : DEFAULT_BUFFER;
}

size_t perf_ring_size(const struct sample_plan *plan, const struct perf_ring_limits *limits)
{
	// All cores get the same: the first ones could take what the others then lack.
	size_t share = limits->core_bytes + limits->user_bytes / limits->num_rings;
	// One page of it is the ring's control page.
	size_t most = share > limits->page ? share - limits->page : 0;
	if (limits->is_unlimited)
		most = SIZE_MAX;
	size_t wanted = wanted_size(plan), size = limits->page;
	while (size < wanted && size <= most / 2)
		size *= 2;
	return size;
}

uint32_t perf_ring_stack_bytes(const struct sample_plan *plan, size_t ring_size)
{
	// The kernel drops samples that are larger than its buffer.
	size_t most = ring_size / 2 < MOST_STACK ? ring_size / 2 : MOST_STACK;
	if (plan->stack_bytes)
		return plan->stack_bytes < most ? plan->stack_bytes : (uint32_t)most;
	size_t least = ring_size / 4 < LEAST_STACK ? ring_size / 4 : LEAST_STACK;
	size_t rate = 0; // samples per second
	for (size_t i = 0; i < plan->events->num_items; i++)
		rate += plan->events->items[i].interval ? PERIOD_RATE : plan->frequency_hz;
	size_t num_samples = rate / ROUNDS_PER_S;
	size_t bytes = ring_size / (num_samples < LEAST_SAMPLES ? LEAST_SAMPLES : num_samples);
	if (bytes < least)
		return (uint32_t)least;
	return (uint32_t)(bytes < most ? bytes / 8 * 8 : most);
}

bool perf_ring_halve(size_t *ring_bytes, size_t *area_bytes, size_t page)
{
	// The larger of the two first: so both come down to the same size.
	size_t *larger = *area_bytes >= *ring_bytes ? area_bytes : ring_bytes;
	if (*larger <= page)
		return false;
	*larger /= 2;
	return true;
}

bool perf_ring_is_small(const struct sample_plan *plan, size_t ring_size)
{
	return ring_size < SMALL_BUFFER && ring_size < wanted_size(plan);
}
