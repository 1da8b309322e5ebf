// SPDX-License-Identifier: Apache-2.0

#include "source/emulate/emulated_sampling.h"

#include "base/os/interrupt.h"
#include "record/perf_data/user_regs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The plugin writes perf's record format into a ring like the kernel's, so that perf_ring.c and
// perf_format decode it. With interpreted frames (`holds_still`), a thread waits after each sample
// until the record was taken: the reader meets the stack of exactly that moment. Both sides sleep
// on futexes in the region (num_written, num_taken). Otherwise threads wait only while the ring is
// full, and the reader looks at it now and then.

enum {
	RING_BYTES = 32 << 20,
	LOOK_NS = 10000000, // how often we look for records: the programs do not wake us
	NS_PER_S = 1000000000,
	MOST_STACK_BYTES = REGION_MAX_RECORD - 256, // a record's size is a number of 16 bits
	PERIOD_TO_BEGIN_WITH = 1000, // by frequency, until it is known how often an event happens
};

static uint32_t most_stack_bytes(const struct sample_plan *plan)
{
	uint32_t wanted = sample_plan_stack_bytes(plan);
	return wanted < MOST_STACK_BYTES ? wanted : MOST_STACK_BYTES;
}

static void describe_attr(struct perf_event_attr *attr, const struct sample_plan *plan,
			  const struct event_request *request)
{
	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_RAW,
		.size = sizeof(*attr),
		.config = request->event->code,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
		.freq = request->interval == 0,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.precise_ip = 2, // the very instruction
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.sample_period = request->interval ? request->interval : plan->frequency_hz,
	};
	if (plan->chain == SAMPLE_CHAIN_FP)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (plan->chain != SAMPLE_CHAIN_CFI)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = user_regs_mask(user_regs_layout_find("aarch64"));
	attr->sample_stack_user = most_stack_bytes(plan);
}

static struct error *emulated_sampling_add_event(struct emulated_sampling *sampling,
						 struct region_config *config,
						 const struct sample_plan *plan,
						 const struct event_request *request)
{
	// The same event three times: for the plugin, for the file, and for decoding.
	size_t place = sampling->num_events++;
	struct region_sampled *sampled = &config->sampled[config->num_sampled++];
	struct error *err = emulated_machine_measure(request->event, &sampled->measure);
	if (err)
		return err;
	if (request->modifiers == EVENT_KERNEL)
		return error_with_hint(error_create(ERROR_USAGE, "cannot sample '%s' in the kernel",
						    request->event->name),
				       "the emulator runs only user code");
	sampled->id = place + 1;
	sampled->period = request->interval ? request->interval : PERIOD_TO_BEGIN_WITH;
	sampled->span = request->interval ? 0 : NS_PER_S / plan->frequency_hz;
	struct perf_event_attr attr;
	describe_attr(&attr, plan, request);
	struct perf_data_event *event = &sampling->events[place];
	event->name = request->event->name;
	event->attr_size = sizeof(attr);
	memcpy(event->attr, &attr, sizeof(attr));
	sampling->ids[place] = sampled->id;
	event->ids = &sampling->ids[place];
	event->num_ids = 1;
	sampling->format_ids[place] = (struct perf_format_id){sampled->id, (uint32_t)place};
	sampling->formats[place] = (struct perf_format){
		.sample_type = attr.sample_type,
		.regs_user = attr.sample_regs_user,
		.sample_id_all = true,
	};
	return NULL;
}

static struct error *emulated_sampling_add_events(struct emulated_sampling *sampling,
						  struct region_config *config,
						  const struct sample_plan *plan)
{
	size_t num = plan->events->num_items;
	if (num > REGION_MAX_SAMPLED)
		return error_create(ERROR_USAGE, "at most %d events can be sampled at once",
				    REGION_MAX_SAMPLED);
	sampling->events = calloc(num + 1, sizeof(*sampling->events));
	sampling->ids = calloc(num + 1, sizeof(*sampling->ids));
	sampling->formats = calloc(num + 1, sizeof(*sampling->formats));
	sampling->format_ids = calloc(num + 1, sizeof(*sampling->format_ids));
	if (!sampling->events || !sampling->ids || !sampling->formats || !sampling->format_ids)
		return &error_no_memory;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num; i++)
		err = emulated_sampling_add_event(sampling, config, plan, &plan->events->items[i]);
	sampling->decoding = (struct perf_formats){
		.events = sampling->formats,
		.num_events = sampling->num_events,
		.ids = sampling->format_ids,
		.num_ids = sampling->num_events,
	};
	return err;
}

static struct error *open_ring(struct emulated_sampling *sampling, struct emulated_machine *machine,
			       const struct sample_plan *plan)
{
	size_t bytes = plan->buffer_bytes ? REGION_MAX_RECORD // or a record might never find room
					  : RING_BYTES;
	// A power of two, as positions in the ring are remainders.
	while (bytes < plan->buffer_bytes && bytes < SIZE_MAX / 2)
		bytes *= 2;
	struct error *err = emulated_machine_create_ring(machine, bytes);
	if (err)
		return err;
	int errnum = perf_ring_map(&sampling->ring, machine->ring_fd, bytes);
	return errnum ? error_create_errno(errnum, "cannot map the ring for samples") : NULL;
}

static struct error *emulated_sampling_choose_chain(struct region_config *config,
						    const struct sample_plan *plan)
{
	if (plan->chain == SAMPLE_CHAIN_LBR)
		return error_with_hint(error_create(ERROR_USAGE,
						    "the emulated CPU has no branch records"),
				       "use --call-graph cfi or fp");
	config->chain = plan->chain == SAMPLE_CHAIN_FP    ? REGION_CHAIN_FRAMES
			: plan->chain == SAMPLE_CHAIN_CFI ? REGION_CHAIN_STACK
							  : REGION_CHAIN_NONE;
	config->stack_bytes = most_stack_bytes(plan);
	return NULL;
}

struct error *emulated_sampling_open(struct emulated_sampling *sampling,
				     struct emulated_machine *machine,
				     const struct sample_plan *plan)
{
	*sampling = (struct emulated_sampling){.ring = PERF_RING_INIT, .region = machine->region};
	struct region_config *config = &machine->region->config;
	config->mode = REGION_SAMPLES;
	config->holds_still = plan->walks_frames;
	struct error *err = emulated_sampling_choose_chain(config, plan);
	if (!err)
		err = emulated_sampling_add_events(sampling, config, plan);
	if (!err)
		err = open_ring(sampling, machine, plan);
	if (err)
		emulated_sampling_close(sampling);
	return err;
}

void emulated_sampling_close(struct emulated_sampling *sampling)
{
	perf_ring_unmap(&sampling->ring);
	free(sampling->events);
	free(sampling->ids);
	free(sampling->formats);
	free(sampling->format_ids);
	*sampling = (struct emulated_sampling){.ring = PERF_RING_INIT};
}

void emulated_sampling_start(struct emulated_sampling *sampling)
{
	sampling->region->is_enabled = true;
}

/** Whoever still runs goes on as if nobody watched. */
void emulated_sampling_stop(struct emulated_sampling *sampling)
{
	sampling->region->is_enabled = false;
	sampling->region->is_closed = true;
}

static bool has_records(struct emulated_sampling *sampling)
{
	perf_ring_look(&sampling->ring);
	return sampling->ring.head != sampling->ring.tail;
}

struct error *emulated_sampling_wait(struct emulated_sampling *sampling, uint64_t timeout_ns,
				     int fd)
{
	sampling->taken = 0;
	struct error *err = NULL;
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	while (!err && !has_records(sampling) && timeout_ns && wake == INTERRUPT_WAKE_TIMEOUT) {
		uint64_t wait_ns = timeout_ns < LOOK_NS ? timeout_ns : LOOK_NS;
		bool holds_still = sampling->region->config.holds_still;
		// Read before the ring: a record that comes in between changes it, and the futex
		// does not sleep. Threads that wait for us wake us.
		uint32_t seen = sampling->region->num_written;
		if (holds_still && !has_records(sampling))
			region_sleep(&sampling->region->num_written, seen, LOOK_NS);
		err = interrupt_wait(fd, holds_still ? 0 : wait_ns, &wake);
		timeout_ns -= wait_ns;
	}
	perf_ring_look(&sampling->ring);
	return err;
}

struct error *emulated_sampling_next(struct emulated_sampling *sampling, struct record *ret,
				     bool *ret_more)
{
	if (sampling->taken) {
		perf_ring_drop(&sampling->ring, sampling->taken);
		sampling->taken = 0;
		if (sampling->region->config.holds_still)
			region_wake(&sampling->region->num_taken);
	}
	const uint8_t *bytes;
	size_t size;
	*ret_more = perf_ring_peek(&sampling->ring, &bytes, &size);
	if (!*ret_more)
		return NULL;
	struct error *err = perf_format_decode(&sampling->decoding, bytes, size, ret);
	sampling->taken = size;
	if (!err && ret->kind == RECORD_SAMPLE)
		sampling->totals.num_generated++;
	return err;
}
