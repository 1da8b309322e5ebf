// SPDX-License-Identifier: Apache-2.0

#include "source/driver/ring_client.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// ring_client_read() asks which cores have samples (RING_CTL_WAIT), and reads these into one queue
// per core. ring_client_next() merges the queues by time. Samples that are newer than `until`, the
// time at which the read began, stay in their queues: another core may have an older one that was
// not read yet. A sample of several overflowed counters becomes a record for each.
//
// All sizes come from the driver and are checked when they are read (check_samples()), before
// anything else looks at the queues. ring_client_read_core() reads at most a ring's worth, so that
// a busy core cannot keep it for ever.

enum {
	WIN32_ERROR_BAD_COMMAND = 22,
	CORES_OF_WORD = 64,
	MAX_RING_SIZE = 1 << 28, // a size above is nonsense
};

struct error *ring_client_ask(const struct driver_transport *transport, struct wperf_ring_info *ret)
{
	uint32_t any = 0;
	size_t size = 0;
	struct wperf_ring_info info;
	uint32_t win32_error = transport->request(transport->context, WPERF_RING_CTL_QUERY, &any,
						  sizeof(any), &info, sizeof(info), &size);
	*ret = (struct wperf_ring_info){.version = 0};
	// The lock was taken from us. All other errors say that this driver has no rings.
	if (win32_error == WIN32_ERROR_BAD_COMMAND)
		return driver_client_failure("RING_CTL_QUERY", win32_error);
	if (!win32_error && size == sizeof(info) && info.version == WPERF_RING_VERSION &&
	    info.ring_size <= MAX_RING_SIZE)
		*ret = info;
	return NULL;
}

static struct error *ring_client_send(const struct ring_client *ring, uint32_t code,
				      const char *name, const void *in, size_t in_size, void *out,
				      size_t out_size)
{
	return driver_client_send(ring->events.transport, code, name, in, in_size, out, out_size);
}

static bool tells_callers(const struct ring_client *ring)
{
	return ring->info.features & WPERF_RING_CALLERS;
}

struct error *ring_client_open(struct ring_client *ring, const struct driver_transport *transport,
			       unsigned num_cores, const struct wperf_ring_info *info,
			       uint32_t fallback_pid, const struct sample_plan *plan)
{
	*ring = (struct ring_client){
		.info = *info,
		.conversion = time_conversion_of_timer(info->timer_frequency, info->timer_now,
						       transport->now_ns(transport->context)),
		.fallback_pid = fallback_pid,
		.wants_chain = plan->chain != SAMPLE_CHAIN_NONE,
	};
	struct error *err = sampled_events_open(&ring->events, transport, num_cores, plan);
	if (!err) {
		ring->queues = calloc(ring->events.num_cores, sizeof(*ring->queues));
		ring->answer = malloc(WPERF_MAX_OUTPUT);
		err = ring->queues && ring->answer ? NULL : &error_no_memory;
	}
	if (err)
		ring_client_close(ring);
	return err;
}

static struct wperf_control ring_client_control_of(const struct ring_client *ring)
{
	struct wperf_control control = {
		.cores_count = ring->events.num_cores,
		.flags = WPERF_CONTROL_CORE,
	};
	for (size_t i = 0; i < ring->events.num_cores && i < WPERF_MAX_CORES; i++)
		control.cores_no[i] = (uint8_t)ring->events.cores[i];
	return control;
}

static struct error *ring_client_halt(struct ring_client *ring, struct wperf_sample_summary *ret)
{
	struct wperf_control control = ring_client_control_of(ring);
	ring->is_running = false;
	return ring_client_send(ring, WPERF_RING_CTL_STOP, "RING_CTL_STOP", &control,
				sizeof(control), ret, sizeof(*ret));
}

void ring_client_close(struct ring_client *ring)
{
	struct wperf_sample_summary summary;
	if (ring->is_running)
		error_destroy(ring_client_halt(ring, &summary));
	for (size_t i = 0; ring->queues && i < ring->events.num_cores; i++)
		free(ring->queues[i].bytes);
	free(ring->queues);
	free(ring->answer);
	sampled_events_close(&ring->events);
	*ring = (struct ring_client)RING_CLIENT_INIT;
}

struct error *ring_client_start(struct ring_client *ring)
{
	uint32_t max_callers = ring->info.max_callers < WPERF_RING_MAX_CALLERS
				       ? ring->info.max_callers
				       : WPERF_RING_MAX_CALLERS;
	struct wperf_ring_start start = {
		.control = ring_client_control_of(ring),
		.max_callers = ring->wants_chain && tells_callers(ring) ? max_callers : 0,
	};
	struct error *err = ring_client_send(ring, WPERF_RING_CTL_START, "RING_CTL_START", &start,
					     sizeof(start), NULL, 0);
	ring->is_running = !err;
	return err;
}

static struct error *ring_client_nonsense(void)
{
	return error_create(ERROR_FAILED, "RING_CTL_READ returned invalid data");
}

/** The driver's bytes are not to be trusted: whole samples of this core, up to the end. */
static struct error *check_samples(struct ring_client *ring, const uint8_t *bytes, size_t size,
				   unsigned core)
{
	struct wperf_ring_sample sample;
	for (size_t at = 0; at < size; at += sample.size) {
		if (size - at < sizeof(sample))
			return ring_client_nonsense();
		memcpy(&sample, bytes + at, sizeof(sample));
		if (sample.core != core || sample.num_callers > WPERF_RING_MAX_CALLERS ||
		    sample.size != sizeof(sample) + sample.num_callers * sizeof(uint64_t) ||
		    sample.size > size - at)
			return ring_client_nonsense();
		ring->totals.num_generated++;
	}
	return NULL;
}

/** What has become records makes room. */
static struct error *ring_client_append(struct ring_queue *queue, const uint8_t *bytes, size_t size)
{
	if (!size)
		return NULL;
	if (queue->start) {
		memmove(queue->bytes, queue->bytes + queue->start, queue->size - queue->start);
		queue->size -= queue->start;
		queue->start = 0;
	}
	struct error *err = array_reserve(&queue->bytes, &queue->cap, queue->size + size);
	if (err)
		return err;
	memcpy(queue->bytes + queue->size, bytes, size);
	queue->size += size;
	return NULL;
}

/** As much as a ring holds: what comes meanwhile has time. */
static struct error *ring_client_read_core(struct ring_client *ring, size_t n)
{
	const struct driver_transport *transport = ring->events.transport;
	struct wperf_ring_read request = {ring->events.cores[n]};
	struct wperf_ring_answer head = {.left = 1};
	for (size_t total = 0, size = 0; head.left && total <= ring->info.ring_size;
	     total += size) {
		struct error *err =
			driver_client_ask(transport, WPERF_RING_CTL_READ, "RING_CTL_READ", &request,
					  sizeof(request), ring->answer, WPERF_MAX_OUTPUT, &size);
		if (err)
			return err;
		if (size < sizeof(head))
			return ring_client_nonsense();
		memcpy(&head, ring->answer, sizeof(head));
		if (head.size != size - sizeof(head))
			return ring_client_nonsense();
		const uint8_t *samples = ring->answer + sizeof(head);
		err = check_samples(ring, samples, head.size, request.core_idx);
		if (!err)
			err = ring_client_append(&ring->queues[n], samples, head.size);
		if (err)
			return err;
	}
	return NULL;
}

struct error *ring_client_read(struct ring_client *ring)
{
	uint32_t any = 0;
	struct wperf_ring_wait request = {WPERF_RING_AT_ONCE};
	struct wperf_ring_info info;
	struct wperf_ring_ready ready;
	struct error *err = ring_client_send(ring, WPERF_RING_CTL_QUERY, "RING_CTL_QUERY", &any,
					     sizeof(any), &info, sizeof(info));
	if (err)
		return err;
	// Before the cores are read: a sample of a core that was read may be older than one that
	// comes now.
	ring->until = info.timer_now;
	err = ring_client_send(ring, WPERF_RING_CTL_WAIT, "RING_CTL_WAIT", &request,
			       sizeof(request), &ready, sizeof(ready));
	for (size_t i = 0; !err && i < ring->events.num_cores; i++) {
		unsigned core = ring->events.cores[i];
		if (ready.cores[core / CORES_OF_WORD] >> core % CORES_OF_WORD & 1)
			err = ring_client_read_core(ring, i);
	}
	return err;
}

struct error *ring_client_stop(struct ring_client *ring)
{
	struct wperf_sample_summary summary;
	struct error *err = ring_client_halt(ring, &summary);
	if (!err)
		err = ring_client_read(ring);
	if (err)
		return err;
	ring->until = UINT64_MAX;
	ring->totals.num_generated = summary.sample_generated;
	ring->totals.num_lost = summary.sample_dropped;
	return NULL;
}

static struct wperf_ring_sample first_of(const struct ring_queue *queue)
{
	struct wperf_ring_sample sample;
	memcpy(&sample, queue->bytes + queue->start, sizeof(sample));
	return sample;
}

/** The core with the oldest sample; NULL: all that is complete has been given. */
static struct ring_queue *ring_client_find_oldest(struct ring_client *ring)
{
	struct ring_queue *oldest = NULL;
	uint64_t oldest_time = ring->until;
	for (size_t i = 0; i < ring->events.num_cores; i++) {
		struct ring_queue *queue = &ring->queues[i];
		if (queue->start == queue->size)
			continue;
		uint64_t time = first_of(queue).time;
		if (time > oldest_time || (oldest && time == oldest_time))
			continue;
		oldest = queue;
		oldest_time = time;
	}
	return oldest;
}

/** The link register where there are no frames: better one caller than none. */
static size_t fill_chain(struct ring_client *ring, const struct wperf_ring_sample *sample,
			 const uint8_t *callers)
{
	size_t length = 0;
	bool in_kernel = record_is_kernel_address(sample->pc);
	ring->chain[length++] = sample->pc;
	if (!tells_callers(ring))
		ring->chain[length++] = sample->lr;
	for (size_t i = 0; i < sample->num_callers; i++) {
		uint64_t caller;
		memcpy(&caller, callers + i * sizeof(caller), sizeof(caller));
		// perf marks the border in a chain as well (PERF_CONTEXT_USER).
		if (in_kernel && !record_is_kernel_address(caller)) {
			ring->chain[length++] = RECORD_CONTEXT_USER;
			in_kernel = false;
		}
		ring->chain[length++] = caller;
	}
	return length;
}

/** The next event of the queue's first sample. */
static bool next_of(struct ring_client *ring, const struct ring_queue *queue, struct record *ret)
{
	const struct sampled_events *events = &ring->events;
	struct wperf_ring_sample sample = first_of(queue);
	while (ring->next_event < events->num_items &&
	       !(sample.overflows & events->items[ring->next_event].overflow))
		ring->next_event++;
	if (ring->next_event >= events->num_items)
		return false;
	size_t event = ring->next_event++;
	const uint8_t *callers = queue->bytes + queue->start + sizeof(sample);
	size_t length = ring->wants_chain ? fill_chain(ring, &sample, callers) : 0;
	bool knows_task = ring->info.features & WPERF_RING_TASKS;
	*ret = (struct record){
		.kind = RECORD_SAMPLE,
		.mode = sample.flags & WPERF_RING_KERNEL || record_is_kernel_address(sample.pc)
				? RECORD_MODE_KERNEL
				: RECORD_MODE_USER,
		.pid = knows_task ? sample.pid : ring->fallback_pid,
		.tid = knows_task ? sample.tid : ring->fallback_pid,
		.time_ns = time_conversion_ns(&ring->conversion, sample.time),
		.cpu = sample.core,
		.event = (uint32_t)event,
		.sample =
			{
				.ip = sample.pc,
				.period = events->items[event].interval,
				.chain = length ? ring->chain : NULL,
				.chain_length = length,
			},
	};
	return true;
}

bool ring_client_next(struct ring_client *ring, struct record *ret)
{
	for (struct ring_queue *queue; (queue = ring_client_find_oldest(ring));) {
		if (next_of(ring, queue, ret))
			return true;
		queue->start += first_of(queue).size;
		ring->next_event = 0;
	}
	return false;
}
