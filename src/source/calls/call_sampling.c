// SPDX-License-Identifier: Apache-2.0

#include "source/calls/call_sampling.h"

#include "base/os/clock.h"
#include "catalog/linux/system_event.h"
#include "source/calls/call_names.h"
#include "source/perf/perf_core_ring.h"
#include "source/perf/perf_round.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Opened in this order: the walker with the programs at all system calls, which do nothing yet; the
// events of perf_sampling.h, which tell of processes and have the rings; on each core the event
// whose samples the programs make; and last the processes to count. A sample is taken when a call
// returns, and is reported once for each event, with that event's weight.

enum { STACK_BYTES = 16384 };

static struct error *check_call_plan(struct call_sampling *calls, const struct sample_plan *plan)
{
	if (!plan->num_pids)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source 'calls' counts calls of processes"),
				       "name them with -p, or a program to start");
	if (plan->chain == SAMPLE_CHAIN_FP || plan->chain == SAMPLE_CHAIN_LBR)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source 'calls' finds callers by unwind tables "
						    "only"),
				       "leave out --call-graph");
	for (size_t i = 0; i < plan->events->num_items; i++) {
		const struct event_request *request = &plan->events->items[i];
		if (request->interval != 1)
			return error_with_hint(
				error_create(ERROR_USAGE,
					     "'%s' has no period: it chooses its samples "
					     "by itself",
					     request->event->name),
				"write only the name");
		enum call_measure measure =
			(enum call_measure)system_event_of(request->event)->config1;
		for (size_t k = 0; k < calls->num_events; k++)
			if (calls->measures[k] == measure)
				return error_create(ERROR_USAGE, "event '%s' was given twice",
						    request->event->name);
		calls->measures[calls->num_events++] = measure;
	}
	return NULL;
}

static struct error *call_sampling_open_outputs(struct call_sampling *calls)
{
	struct error *err = NULL;
	for (size_t ring = 0; !err && ring < calls->sampling.num_rings; ring++) {
		int fd = -1;
		// Samples are few, and what Python calls its code is read before that is gone.
		err = perf_sampling_open_output(&calls->sampling, ring, 0, PERF_OUTPUT_WAKES, &fd);
		if (!err)
			err = bpf_calls_set_output(calls->calls, calls->sampling.rings[ring].core,
						   fd);
	}
	return err;
}

struct error *call_sampling_open(struct call_sampling *calls, const struct sample_plan *plan)
{
	struct error *err = check_call_plan(calls, plan);
	if (err)
		return err;
	call_frames_init(&calls->frames);
	calls->next_event = calls->num_events;
	struct sample_plan samples = *plan;
	if (!samples.stack_bytes)
		samples.stack_bytes = STACK_BYTES;
	struct call_setting setting = {.inherits = plan->inherit, .futex = UINT32_MAX};
	call_number("futex", &setting.futex);
	if (!calls->walker)
		err = bpf_walker_create(&bpf_walker_without_frames, BPF_WALKER_AT_CALLS,
					&calls->walker);
	if (!err)
		err = bpf_calls_create(calls->walker, &setting, &calls->calls);
	if (!err)
		err = perf_sampling_open(&calls->sampling, &samples, calls->walker, NULL);
	if (!err)
		err = call_sampling_open_outputs(calls);
	for (size_t i = 0; !err && i < plan->num_pids; i++)
		err = bpf_calls_add_process(calls->calls, plan->pids[i], plan->enable_on_exec);
	return err;
}

void call_sampling_close(struct call_sampling *calls)
{
	bpf_calls_destroy(calls->calls);
	perf_sampling_close(&calls->sampling);
	bpf_walker_destroy(calls->walker);
	call_frames_deinit(&calls->frames);
	*calls = (struct call_sampling){.sampling = PERF_SAMPLING_INIT};
}

struct error *call_sampling_start(struct call_sampling *calls)
{
	struct error *err = perf_sampling_start(&calls->sampling);
	return err ? err : bpf_calls_switch(calls->calls, true);
}

struct error *call_sampling_stop(struct call_sampling *calls)
{
	struct error *err = bpf_calls_switch(calls->calls, false);
	calls->stopped_ns = clock_ns(CLOCK_MONOTONIC);
	return err ? err : perf_sampling_stop(&calls->sampling);
}

/** Is the number in a futex that of the thread of the process that holds it? What is no mutex has
 *  another number there, which is hardly that of a thread. */
static bool call_sampling_is_owner(uint32_t pid, uint32_t tid, uint32_t owner)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%u/task/%u", pid, owner);
	return owner && owner != tid && access(path, F_OK) == 0;
}

/** False: there is none that is known. */
static bool call_sampling_find_other(const struct record *record, const struct call_output *output,
				     struct call_other *ret)
{
	const struct record_sample *sample = &record->sample;
	*ret = (struct call_other){CALL_OTHER_HOLDS, record->pid, output->owner, output->argument};
	if (output->is_wake) {
		ret->kind = CALL_OTHER_WOKEN;
		return true;
	}
	if (sample->gil == GIL_WAITED && sample->gil_holder)
		*ret = (struct call_other){CALL_OTHER_HOLDS_GIL, record->pid, sample->gil_holder,
					   0};
	return call_sampling_is_owner(record->pid, record->tid, ret->tid);
}

static uint64_t call_sampling_weight(const struct call_output *output, enum call_measure measure)
{
	const uint64_t weights[CALL_NUM_MEASURES] = {
		[CALL_MEASURE_COUNT] = output->period,
		[CALL_MEASURE_TIME] = output->period * output->duration_ns,
		[CALL_MEASURE_WAIT] = output->period * output->waited_ns,
		[CALL_MEASURE_WAKE] = output->period * output->waited_ns,
	};
	return weights[measure];
}

/** The next event that the last sample is of; num_events: there is no more. */
static void call_sampling_choose_event(struct call_sampling *calls)
{
	while (calls->next_event < calls->num_events &&
	       (calls->measures[calls->next_event] == CALL_MEASURE_WAKE) !=
		       (calls->output.is_wake != 0))
		calls->next_event++;
}

static void call_sampling_give(struct call_sampling *calls, struct record *ret)
{
	size_t event = calls->next_event++;
	*ret = calls->sample;
	ret->event = (uint32_t)event;
	ret->sample.period = call_sampling_weight(&calls->output, calls->measures[event]);
	call_sampling_choose_event(calls);
}

/** False: a damaged one, or of no event that is wanted. */
static bool call_sampling_take(struct call_sampling *calls, const struct record *record)
{
	struct call_output *output = &calls->output;
	if (record->sample.payload_size < sizeof(*output))
		return false;
	memcpy(output, record->sample.payload, sizeof(*output));
	calls->sample = *record;
	calls->sample.raw = NULL; // it has another event's number and no weight
	calls->sample.mode = RECORD_MODE_KERNEL;
	size_t length = 0;
	calls->chain[length++] = RECORD_CONTEXT_KERNEL;
	struct call_other other;
	if (call_sampling_find_other(record, output, &other))
		calls->chain[length++] = call_frames_add_other(&calls->frames, &other);
	calls->chain[length++] = call_frames_add(&calls->frames, output);
	struct record_sample *sample = &calls->sample.sample;
	sample->ip = calls->chain[1];
	sample->chain = calls->chain;
	sample->chain_length = length;
	calls->next_event = 0;
	call_sampling_choose_event(calls);
	return calls->next_event < calls->num_events;
}

struct error *call_sampling_next(struct call_sampling *calls, struct record *ret, bool *ret_more)
{
	*ret_more = calls->next_event < calls->num_events;
	if (*ret_more) {
		call_sampling_give(calls, ret);
		return NULL;
	}
	struct error *err = NULL;
	do {
		err = perf_round_next(&calls->sampling, ret, ret_more);
	} while (!err && *ret_more && ret->kind == RECORD_SAMPLE &&
		 !call_sampling_take(calls, ret));
	if (!err && *ret_more && ret->kind == RECORD_SAMPLE)
		call_sampling_give(calls, ret);
	return err;
}

struct sample_totals call_sampling_totals(const struct call_sampling *calls)
{
	struct sample_totals totals = perf_sampling_totals(&calls->sampling);
	// The events are reported by a program, whose samples are not counts of the kernel's.
	totals.follows_processes = false;
	uint64_t lost = calls->calls ? bpf_calls_num_lost(calls->calls) : 0;
	if (totals.num_lost < lost) {
		totals.num_generated += lost - totals.num_lost;
		totals.num_lost = lost;
	}
	return totals;
}

struct error *call_sampling_read(const struct call_sampling *calls, struct call_table *ret)
{
	struct error *err = bpf_calls_read(calls->calls, calls->stopped_ns, ret);
	for (size_t i = 0; i < ret->num_rows; i++)
		if (!ret->rows[i].is_foreign)
			ret->rows[i].name = call_name(ret->rows[i].number);
	return err;
}
