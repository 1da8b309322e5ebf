// SPDX-License-Identifier: Apache-2.0

#include "source/sched/sched_sampling.h"

#include "base/cleanup.h"
#include "base/os/clock.h"
#include "base/os/host.h"
#include "source/perf/perf_core_ring.h"
#include "source/perf/perf_round.h"

#include <string.h>

// Opened in this order: the walker with the programs at the scheduler, which do nothing yet; the
// events of perf_sampling.h, which tell of processes and have the rings; on each core the event
// whose samples the programs make; and last the processes. A sample is taken in the kernel, on the
// thread that goes on: its address is where that is in the program, unless it has none, as threads
// of the kernel.

enum { STACK_BYTES = 16384 };

static struct error *sched_sampling_check(const struct sample_plan *plan)
{
	if (plan->num_cores || plan->only_thread)
		return error_with_hint(error_create(ERROR_USAGE,
						    "run queues are measured for processes or the "
						    "machine, not for single %s",
						    plan->num_cores ? "cores" : "threads"),
				       "leave out -c; the result has a table of CPUs");
	if (plan->chain == SAMPLE_CHAIN_FP || plan->chain == SAMPLE_CHAIN_LBR)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source 'sched' finds callers by unwind tables "
						    "only"),
				       "leave out --call-graph");
	if (plan->events->num_items == 1)
		return NULL;
	return error_create(ERROR_USAGE, "event '%s' was given twice",
			    plan->events->items[0].event->name);
}

static struct error *sched_sampling_open_outputs(struct sched_sampling *sched)
{
	struct error *err = NULL;
	for (size_t ring = 0; !err && ring < sched->sampling.num_rings; ring++) {
		int fd = -1;
		err = perf_sampling_open_output(&sched->sampling, ring, 0, 0, &fd);
		if (!err)
			err = bpf_sched_set_output(sched->sched, sched->sampling.rings[ring].core,
						   fd);
	}
	return err;
}

struct error *sched_sampling_open(struct sched_sampling *sched, const struct sample_plan *plan)
{
	struct error *err = sched_sampling_check(plan);
	if (err)
		return err;
	struct host host = host_read();
	sched->layout = user_regs_layout_find(host.machine);
	struct sample_plan samples = *plan;
	if (!samples.stack_bytes)
		samples.stack_bytes = STACK_BYTES;
	const struct sched_setting setting = {
		.inherits = plan->inherit,
		.is_of_all = !plan->num_pids,
		.period_ns = plan->events->items[0].interval,
	};
	if (!sched->walker)
		err = bpf_walker_create(&bpf_walker_without_frames, BPF_WALKER_AT_SWITCHES,
					&sched->walker);
	if (!err)
		err = bpf_sched_create(sched->walker, &setting, &sched->sched);
	if (!err)
		err = perf_sampling_open(&sched->sampling, &samples, sched->walker, NULL);
	if (!err)
		err = sched_sampling_open_outputs(sched);
	for (size_t i = 0; !err && i < plan->num_pids; i++)
		err = bpf_sched_add_process(sched->sched, plan->pids[i], plan->enable_on_exec);
	return err;
}

void sched_sampling_close(struct sched_sampling *sched)
{
	bpf_sched_destroy(sched->sched);
	perf_sampling_close(&sched->sampling);
	bpf_walker_destroy(sched->walker);
	run_queue_deinit(&sched->queue);
	*sched = (struct sched_sampling)SCHED_SAMPLING_INIT;
}

struct error *sched_sampling_start(struct sched_sampling *sched)
{
	struct error *err = perf_sampling_start(&sched->sampling);
	sched->began_ns = clock_ns(CLOCK_MONOTONIC);
	return err ? err : bpf_sched_switch(sched->sched, true);
}

struct error *sched_sampling_stop(struct sched_sampling *sched)
{
	struct error *err = bpf_sched_switch(sched->sched, false);
	sched->ended_ns = clock_ns(CLOCK_MONOTONIC);
	return err ? err : perf_sampling_stop(&sched->sampling);
}

struct error *sched_sampling_wait(struct sched_sampling *sched, uint64_t timeout_ns, int fd)
{
	struct error *err = perf_round_wait(&sched->sampling, timeout_ns, fd);
	return err ? err : bpf_sched_take_ended(sched->sched, &sched->queue);
}

/** A record that is too short, as only damaged ones are, weighs nothing. */
static void sched_sampling_weigh(const struct sched_sampling *sched, struct record *record)
{
	struct record_sample *sample = &record->sample;
	struct sched_output output = {0};
	struct user_regs regs;
	if (sample->payload_size >= sizeof(output))
		memcpy(&output, sample->payload, sizeof(output));
	record->raw = NULL; // it has another event's number and no weight
	record->raw_size = 0;
	sample->period = output.period_ns;
	if (!sched->layout || !user_regs_of(sched->layout, sample, &regs))
		return;
	// How it came to its CPU is the same for all.
	record->mode = RECORD_MODE_USER;
	sample->ip = regs.ip;
	sample->chain_length = 0;
}

struct error *sched_sampling_next(struct sched_sampling *sched, struct record *ret, bool *ret_more)
{
	struct error *err = perf_round_next(&sched->sampling, ret, ret_more);
	if (!err && *ret_more && ret->kind == RECORD_SAMPLE)
		sched_sampling_weigh(sched, ret);
	return err;
}

struct sample_totals sched_sampling_totals(const struct sched_sampling *sched)
{
	struct sample_totals totals = perf_sampling_totals(&sched->sampling);
	// The event is reported by a program, whose samples are not counts of the kernel's.
	totals.follows_processes = false;
	uint64_t lost = sched->sched ? bpf_sched_num_lost(sched->sched) : 0;
	if (totals.num_lost < lost) {
		totals.num_generated += lost - totals.num_lost;
		totals.num_lost = lost;
	}
	return totals;
}

struct error *sched_sampling_read(struct sched_sampling *sched, struct run_queue *ret)
{
	struct error *err = bpf_sched_read(sched->sched, &sched->queue);
	sched->queue.began_ns = sched->began_ns;
	sched->queue.ended_ns = sched->ended_ns;
	if (err)
		return err;
	*ret = sched->queue;
	sched->queue = (struct run_queue)RUN_QUEUE_INIT;
	return NULL;
}
