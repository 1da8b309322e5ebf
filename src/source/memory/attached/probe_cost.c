// SPDX-License-Identifier: Apache-2.0

#include "source/memory/attached/probe_cost.h"

#include "base/os/clock.h"
#include "process/thread/running.h"
#include "source/perf/perf_probe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A probe's cost is that of a function of ours with the same program at it, less that of the
// function alone; the least of several runs, as other programs only add to it. A probe where it
// returns is attached to the same function, and measured on top. What a process loses is then its
// calls and returns times these costs, over the CPU time that it takes meanwhile.

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

static struct error *probe_own(struct bpf_allocations *allocations, const struct own_place *place,
			       bool is_return)
{
	const struct perf_probe probe = {
		.event = "alloc",
		.pid = (uint32_t)getpid(),
		.path = place->path,
		.offset = place->offset,
		.is_return = is_return,
	};
	int fd = -1;
	struct error *err = perf_probe_open(&probe, &fd);
	return err ? err
		   : bpf_allocations_attach(allocations, probe.pid, fd, ALLOCATION_SIZE_FIRST,
					    is_return);
}

/** With one probe more than the last time. @ret: what a call takes now. */
static struct error *time_with_probe(struct bpf_allocations *allocations,
				     const struct own_place *place, bool is_return, double *ret)
{
	struct bpf_allocations_calls before = {0}, after = {0};
	struct error *err = probe_own(allocations, place, is_return);
	if (err)
		return err;
	bpf_allocations_count_calls(allocations, (uint32_t)getpid(), &before);
	*ret = least_time();
	bpf_allocations_count_calls(allocations, (uint32_t)getpid(), &after);
	uint64_t num_seen = is_return ? after.num_returns - before.num_returns
				      : after.num_calls - before.num_calls;
	if (num_seen >= CALIBRATION_CALLS)
		return NULL;
	return error_create(ERROR_FAILED,
			    "a probe in wperf itself saw only %" PRIu64 " of %d calls", num_seen,
			    CALIBRATION_CALLS * CALIBRATION_RUNS);
}

struct error *probe_cost_calibrate(struct bpf_allocations *allocations, bool has_returns,
				   struct probe_prices *ret)
{
	static const struct allocation_process no_ranges = {0};
	struct own_place place;
	uint32_t pid = (uint32_t)getpid();
	double alone_ns = least_time(), called_ns = alone_ns, returned_ns = alone_ns;
	struct error *err = find_own_place(&place);
	if (!err)
		err = bpf_allocations_add_process(allocations, pid, &no_ranges);
	if (!err)
		err = time_with_probe(allocations, &place, false, &called_ns);
	if (!err && has_returns)
		err = time_with_probe(allocations, &place, true, &returned_ns);
	bpf_allocations_detach(allocations, pid);
	if (err)
		return err;
	*ret = (struct probe_prices){
		.ns_of_call = called_ns > alone_ns ? called_ns - alone_ns : 0,
		.ns_of_return = returned_ns > called_ns ? returned_ns - called_ns : 0,
	};
	return NULL;
}

double probe_cost_percent(double hits_ns, double cpu_ns)
{
	double share = cpu_ns > 0 ? hits_ns / cpu_ns : 0;
	if (share > most_of_time)
		share = most_of_time;
	return 100 * share / (1 - share);
}

/** What a process has done until a moment. */
struct probe_cost_state {
	uint64_t wall_ns, cpu_ns;
	struct bpf_allocations_calls calls;
};

static struct error *probe_cost_look(const struct bpf_allocations *allocations, uint32_t pid,
				     struct probe_cost_state *ret)
{
	clockid_t clock;
	struct timespec cpu;
	// clock_ns() is for clocks that are always there.
	if (clock_getcpuclockid((pid_t)pid, &clock) || clock_gettime(clock, &cpu))
		return error_create(ERROR_FAILED, "process %u has ended", pid);
	if (!bpf_allocations_count_calls(allocations, pid, &ret->calls))
		return error_create(ERROR_FAILED, "process %u has become another program", pid);
	ret->wall_ns = clock_ns(CLOCK_MONOTONIC);
	ret->cpu_ns = (uint64_t)cpu.tv_sec * NS_PER_S + (uint64_t)cpu.tv_nsec;
	return NULL;
}

static void probe_cost_set(struct probe_cost *cost, const struct probe_prices *prices,
			   const struct probe_cost_state *begin, const struct probe_cost_state *end)
{
	double num_calls = (double)(end->calls.num_calls - begin->calls.num_calls);
	double num_returns = (double)(end->calls.num_returns - begin->calls.num_returns);
	double wall_ns = (double)(end->wall_ns - begin->wall_ns);
	double hits_ns = num_calls * prices->ns_of_call + num_returns * prices->ns_of_return;
	cost->ns_of_call = num_calls > 0 ? hits_ns / num_calls : prices->ns_of_call;
	cost->calls_a_second = wall_ns > 0 ? num_calls * NS_PER_S / wall_ns : 0;
	cost->percent = probe_cost_percent(hits_ns, (double)(end->cpu_ns - begin->cpu_ns));
}

struct error *probe_cost_measure(struct bpf_allocations *allocations,
				 const struct probe_prices *prices, struct probe_cost *costs,
				 size_t num)
{
	static const struct timespec watch = {.tv_nsec = WATCH_NS};
	_cleanup_free_ struct probe_cost_state *begins = calloc(num, sizeof(*begins));
	struct error *err = begins ? NULL : &error_no_memory;
	for (size_t i = 0; !err && i < num; i++)
		err = probe_cost_look(allocations, costs[i].pid, &begins[i]);
	if (!err)
		nanosleep(&watch, NULL); // Ctrl-C ends it
	for (size_t i = 0; !err && i < num; i++) {
		struct probe_cost_state end = {0};
		err = probe_cost_look(allocations, costs[i].pid, &end);
		if (!err)
			probe_cost_set(&costs[i], prices, &begins[i], &end);
	}
	return err;
}
