// SPDX-License-Identifier: Apache-2.0

#include "source/wakes/wake_sampling.h"

#include "record/record.h"
#include "source/bpf/bpf_walker.h"
#include "source/perf/perf_core_ring.h"
#include "source/probes/value_sampling.h"

#include <unistd.h>

// The plan has an event for them, of PERF_COUNT_SW_BPF_OUTPUT, which says how their samples look.
// Threads of any process may wake those of the target: so each core has two more of it, which take
// what the programs give there, with the waker's stack or without.

struct error *wake_sampling_check(void)
{
	_cleanup_(bpf_walker_destroyp) struct bpf_walker *walker = NULL;
	return bpf_walker_create(&bpf_walker_without_frames, BPF_WALKER_AT_WAKES, &walker);
}

struct error *wake_sampling_load(const struct sample_plan *plan,
				 const struct kernel_walk_program *frames,
				 struct bpf_walker **walker)
{
	struct bpf_walker *loaded = NULL;
	bool has_frames = plan->walks_frames && *walker && frames;
	// Values of probes are read by a program at events, too.
	bool is_at_events = has_frames || value_sampling_is_wanted(plan);
	struct error *err = bpf_walker_create(
		has_frames ? frames : &bpf_walker_without_frames,
		is_at_events ? BPF_WALKER_AT_EVENTS_AND_WAKES : BPF_WALKER_AT_WAKES, &loaded);
	if (err)
		return err;
	bpf_walker_destroy(*walker);
	*walker = loaded;
	return NULL;
}

static struct error *wake_sampling_open_outputs(const struct wake_sampling *wakes,
						struct perf_sampling *sampling)
{
	struct error *err = NULL;
	for (size_t ring = 0; !err && ring < sampling->num_rings; ring++) {
		int fd = -1, bare_fd = -1;
		if (sampling->rings[ring].is_spe)
			continue;
		err = perf_sampling_open_output(sampling, ring, wakes->event, 0, &fd);
		if (!err)
			err = perf_sampling_open_output(sampling, ring, wakes->event,
							PERF_OUTPUT_BARE, &bare_fd);
		if (!err)
			err = bpf_wakes_set_outputs(wakes->programs, sampling->rings[ring].core, fd,
						    bare_fd);
	}
	return err;
}

struct error *wake_sampling_open(struct wake_sampling *wakes, const struct sample_plan *plan,
				 struct bpf_walker *walker, struct perf_sampling *sampling)
{
	const struct wake_setting setting = {
		.is_of_all = plan->num_pids == 0,
		.inherits = plan->inherit,
		.own_pid = (uint32_t)getpid(),
	};
	wakes->event = plan->wake_event;
	wakes->bare_event = (uint32_t)sampling->num_events;
	struct error *err = bpf_wakes_create(walker, &setting, &wakes->programs);
	if (!err)
		err = wake_sampling_open_outputs(wakes, sampling);
	for (size_t i = 0; !err && i < plan->num_pids; i++)
		err = bpf_wakes_add_process(wakes->programs, plan->pids[i]);
	return err;
}

void wake_sampling_close(struct wake_sampling *wakes)
{
	bpf_wakes_destroy(wakes->programs);
	*wakes = (struct wake_sampling){0};
}

struct error *wake_sampling_switch(const struct wake_sampling *wakes, bool is_on)
{
	return wakes->programs ? bpf_wakes_switch(wakes->programs, is_on) : NULL;
}

void wake_sampling_number(const struct wake_sampling *wakes, struct record *record)
{
	// Also one that tells of losses, which names some event.
	if (wakes->programs && record->event == wakes->bare_event)
		record->event = wakes->event;
}
