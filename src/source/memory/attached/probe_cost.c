// SPDX-License-Identifier: Apache-2.0

#include "source/memory/attached/probe_cost.h"

#include "base/os/clock.h"
#include "process/thread/running.h"
#include "source/perf/perf_probe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A probe's cost is that of a function of ours with the same program at it, less that of the
// function alone; the least of several runs, as other programs only add to it. What a process
// loses is then its calls times this cost, over the CPU time that it takes meanwhile.

enum {
	CALIBRATION_CALLS = 2000,
	CALIBRATION_RUNS = 5,
	WATCH_NS = 200000000,
	NS_PER_S = 1000000000,
};

static const double most_of_time = 0.99;

/** What is called. */
__attribute__((noinline)) static unsigned probe_cost_call(unsigned number)
{
	__asm__ volatile("" : "+r"(number));
	return number + 1;
}

struct own_place {
	char path[4096];
	uint64_t offset;
};

/** In which file our function is. */
static struct error *find_own_place(struct own_place *ret)
{
	const uint32_t pid = (uint32_t)getpid();
	const uint64_t address = (uint64_t)(uintptr_t)probe_cost_call;
	_cleanup_(running_destroyp) struct running *running = NULL;
	struct error *err = running_open(&pid, 1, &running);
	for (bool more = true; !err && more;) {
		struct record record;
		err = running_next(running, &record, &more);
		const struct record_map *map = &record.map;
		if (err || !more || record.kind != RECORD_MAP || record.pid != pid ||
		    address < map->start || address - map->start >= map->length)
			continue;
		snprintf(ret->path, sizeof(ret->path), "%s", map->path);
		ret->offset = address - map->start + map->file_offset;
		return NULL;
	}
	return err ? err
		   : error_create(ERROR_FAILED, "cannot find wperf's own file in /proc/self/maps");
}

static double time_calls(void)
{
	unsigned number = 0;
	uint64_t begin_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	for (int i = 0; i < CALIBRATION_CALLS; i++)
		number = probe_cost_call(number);
	return (double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns) / CALIBRATION_CALLS;
}

static double least_time(void)
{
	double least = time_calls();
	for (int run = 1; run < CALIBRATION_RUNS; run++) {
		double ns = time_calls();
		if (ns < least)
			least = ns;
	}
	return least;
}

struct error *probe_cost_calibrate(struct bpf_allocations *allocations, double *ret_ns)
{
	static const struct allocation_process no_ranges = {0};
	struct own_place place;
	uint32_t pid = (uint32_t)getpid();
	int fd = -1;
	double alone_ns = least_time();
	struct error *err = find_own_place(&place);
	if (!err)
		err = perf_probe_open("alloc", pid, place.path, place.offset, &fd);
	if (!err)
		err = bpf_allocations_attach(allocations, fd, ALLOCATION_SIZE_FIRST);
	if (err)
		return err;
	err = bpf_allocations_add_process(allocations, pid, &no_ranges);
	uint64_t before = bpf_allocations_num_calls(allocations);
	double ns = least_time() - alone_ns;
	uint64_t num_calls = bpf_allocations_num_calls(allocations) - before;
	bpf_allocations_remove_process(allocations, pid);
	bpf_allocations_detach(allocations, bpf_allocations_num_probes(allocations) - 1);
	if (!err && num_calls < CALIBRATION_CALLS)
		return error_create(ERROR_FAILED,
				    "a probe in wperf itself saw only %" PRIu64 " of %d calls",
				    num_calls, CALIBRATION_CALLS * CALIBRATION_RUNS);
	if (!err)
		*ret_ns = ns > 0 ? ns : 0;
	return err;
}

double probe_cost_percent(double hits_ns, double cpu_ns)
{
	double share = cpu_ns > 0 ? hits_ns / cpu_ns : 0;
	if (share > most_of_time)
		share = most_of_time;
	return 100 * share / (1 - share);
}

static struct error *process_clock(uint32_t pid, clockid_t *ret)
{
	int errnum = clock_getcpuclockid((pid_t)pid, ret);
	return errnum ? error_create_errno(errnum, "cannot read the CPU time of process %u", pid)
		      : NULL;
}

struct error *probe_cost_measure(struct bpf_allocations *allocations, uint32_t pid,
				 double ns_of_call, struct probe_cost *ret)
{
	clockid_t clock;
	struct error *err = process_clock(pid, &clock);
	if (err)
		return err;
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC), begin_cpu_ns = clock_ns(clock);
	uint64_t begin_calls = bpf_allocations_num_calls(allocations);
	const struct timespec watch = {.tv_nsec = WATCH_NS};
	nanosleep(&watch, NULL); // Ctrl-C ends it
	uint64_t wall_ns = clock_ns(CLOCK_MONOTONIC) - begin_ns;
	uint64_t cpu_ns = clock_ns(clock) - begin_cpu_ns;
	uint64_t num_calls = bpf_allocations_num_calls(allocations) - begin_calls;
	*ret = (struct probe_cost){
		.ns_of_call = ns_of_call,
		.calls_a_second = wall_ns ? (double)num_calls * NS_PER_S / (double)wall_ns : 0,
		.percent = probe_cost_percent((double)num_calls * ns_of_call, (double)cpu_ns),
	};
	return NULL;
}
