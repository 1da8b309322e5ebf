// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_trace.h"

#include "record/perf_data/event_attr.h"
#include "record/perf_data/perf_abi.h"
#include "record/running_threads.h"
#include "record/spe/spe_sample.h"
#include "record/spe/spe_stream.h"

#include "base/byte_order.h"
#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

// Merges the samples of all SPE buffers by time, for perf_data_reader.c. Each buffer is a queue
// with a decoder (spe_stream.c) and its next sample. The queues are in a binary heap by the time
// when their next sample is due; spe_trace_next() takes from the first queue as long as it is due
// before the next record of the file.
//
// A sample without a timestamp is due as soon as the file has a PERF_RECORD_AUX that covers its
// bytes (note_piece()): this is the only other hint when it was written. A sample stays valid
// until the next call, so its queue goes on only then (finish_given()).
//
// perf pads pieces to 8 bytes and repeats the padded bytes at the start of the next piece;
// count_added() removes these. A jump in the position means that data was lost: the stream is
// broken there, and the unfinished record is counted as bad.

// perf fills a piece up to a multiple of this, and goes on without what it added.
enum { FILE_ALIGNMENT = 8 };

struct queue {
	const struct aux_buffer *buffer;
	struct spe_stream stream;
	size_t next_piece;
	const struct spe_record *head; /* of the stream */
	uint64_t time_ns;              /* of the head, or of the last that had one; 0: none */
	uint64_t due_ns;               /* when the head may be given */
	uint64_t written;              /* the position up to which records said that it is there */
	size_t place;                  /* in the heap */
	uint32_t midr;
	uint32_t event;
	uint64_t period;
	struct running_thread thread; /* the buffer's */
};

struct spe_trace {
	struct spe_machine machine;
	struct aux_trace aux;
	struct running_threads threads;
	struct queue *queues;
	size_t num_queues;
	struct queue **heap; /* the queue that is due first is first */
	size_t num_in_heap;
	struct hash_table by_owner; /* of queues */
	bool is_given;              /* the first queue's head: it is to go on */
	uint64_t num_truncations, num_gaps, num_collisions, num_unplaced;
};

// Who a record about a buffer can tell it by.
struct owner {
	uint32_t cpu, tid;
};

static struct owner spe_trace_owner_of(const struct aux_buffer *buffer)
{
	bool is_of_core = buffer->cpu != UINT32_MAX;
	return (struct owner){buffer->cpu, is_of_core ? 0 : buffer->tid};
}

static bool has_owner(const void *trace, uint32_t index, const void *key)
{
	const struct spe_trace *of = trace;
	const struct owner *wanted = key;
	struct owner owner = spe_trace_owner_of(of->queues[index].buffer);
	return owner.cpu == wanted->cpu && owner.tid == wanted->tid;
}

static struct queue *find_queue(const struct spe_trace *trace, struct owner owner)
{
	uint32_t index = hash_table_find(&trace->by_owner, hash_bytes(&owner, sizeof(owner)),
					 has_owner, trace, &owner);
	return index == HASH_TABLE_NONE ? NULL : &trace->queues[index];
}

// A binary heap in an array: below place n are 2n + 1 and 2n + 2. Each queue knows its place, so
// that it can be moved when its time changes.
static void put_in_heap(struct spe_trace *trace, size_t place, struct queue *queue)
{
	trace->heap[place] = queue;
	queue->place = place;
}

static void move_up(struct spe_trace *trace, struct queue *queue)
{
	size_t place = queue->place;
	while (place) {
		struct queue *above = trace->heap[(place - 1) / 2];
		if (above->due_ns <= queue->due_ns)
			break;
		put_in_heap(trace, place, above);
		place = (place - 1) / 2;
	}
	put_in_heap(trace, place, queue);
}

static void move_down(struct spe_trace *trace, struct queue *queue)
{
	size_t place = queue->place;
	for (;;) {
		size_t below = 2 * place + 1;
		if (below >= trace->num_in_heap)
			break;
		if (below + 1 < trace->num_in_heap &&
		    trace->heap[below + 1]->due_ns < trace->heap[below]->due_ns)
			below++;
		if (queue->due_ns <= trace->heap[below]->due_ns)
			break;
		put_in_heap(trace, place, trace->heap[below]);
		place = below;
	}
	put_in_heap(trace, place, queue);
}

// Bytes at the end of the piece that the next one has again.
static size_t count_added(const struct aux_piece *piece, const struct aux_piece *next)
{
	uint64_t end = piece->position + piece->size;
	uint64_t added = end - next->position; // huge if there is a gap
	if (added >= FILE_ALIGNMENT || added > piece->size)
		return 0;
	// perf adds zeros; all else was recorded.
	for (size_t i = piece->size - added; i < piece->size; i++)
		if (piece->bytes[i])
			return 0;
	return added;
}

static bool feed_next_piece(struct queue *queue)
{
	const struct aux_buffer *buffer = queue->buffer;
	if (queue->next_piece == buffer->num_pieces) {
		spe_stream_break(&queue->stream, 0);
		return false;
	}
	const struct aux_piece *piece = &buffer->pieces[queue->next_piece++];
	bool is_last = queue->next_piece == buffer->num_pieces;
	size_t added = is_last ? 0 : count_added(piece, piece + 1);
	if (queue->stream.position + queue->stream.cut_size != piece->position)
		spe_stream_break(&queue->stream, piece->position);
	spe_stream_feed(&queue->stream, piece->bytes, piece->size - added);
	return true;
}

static void set_due(struct queue *queue)
{
	if (queue->time_ns)
		queue->due_ns = queue->time_ns;
	else
		queue->due_ns = queue->head->position < queue->written ? 0 : UINT64_MAX;
}

// False behind the last record.
static bool go_on(struct spe_trace *trace, struct queue *queue)
{
	do {
		queue->head = spe_stream_next(&queue->stream);
	} while (!queue->head && feed_next_piece(queue));
	if (!queue->head)
		return false;
	if (spe_record_has(queue->head, SPE_VALUE_TIMESTAMP)) {
		uint64_t ticks = queue->head->values[SPE_VALUE_TIMESTAMP];
		if (trace->aux.conversion.is_known)
			queue->time_ns = time_conversion_ns(&trace->aux.conversion, ticks);
		else
			trace->num_unplaced++;
	}
	set_due(queue);
	return true;
}

static uint32_t spe_trace_find_event(const struct perf_data_event *events, size_t num_events,
				     uint32_t pmu_type)
{
	for (uint32_t i = 0; i < num_events; i++)
		if (event_attr_type(events[i].attr, events[i].attr_size) == pmu_type)
			return i;
	return 0;
}

static struct error *add_queue(struct spe_trace *trace, const struct aux_buffer *buffer,
			       const struct perf_data_event *events, size_t num_events)
{
	struct queue *queue = &trace->queues[trace->num_queues];
	const struct spe_machine_core *core = spe_machine_core(&trace->machine, buffer->cpu);
	*queue = (struct queue){
		.buffer = buffer,
		.thread = {buffer->tid, buffer->tid},
		.place = trace->num_in_heap,
		.midr = core ? core->midr : trace->machine.common_midr,
		.event = spe_trace_find_event(events, num_events,
					      core ? core->pmu_type : trace->machine.pmu_type),
	};
	if (queue->event < num_events) {
		const struct perf_data_event *event = &events[queue->event];
		queue->period = event_attr_rate(event->attr, event->attr_size).period;
	}
	spe_stream_init(&queue->stream, buffer->pieces[0].position);
	struct owner owner = spe_trace_owner_of(buffer);
	struct error *err = NULL;
	if (!find_queue(trace, owner))
		err = hash_table_insert(&trace->by_owner, hash_bytes(&owner, sizeof(owner)),
					(uint32_t)trace->num_queues);
	if (err)
		return err;
	trace->num_queues++;
	if (go_on(trace, queue)) {
		trace->num_in_heap++;
		move_up(trace, queue);
	}
	return NULL;
}

static void spe_trace_destroyp(struct spe_trace **trace)
{
	spe_trace_destroy(*trace);
}

struct error *spe_trace_create(const struct perf_data_event *events, size_t num_events,
			       struct spe_machine *machine, struct aux_trace *aux,
			       struct spe_trace **ret)
{
	_cleanup_(spe_trace_destroyp) struct spe_trace *trace = calloc(1, sizeof(*trace));
	if (!trace)
		return &error_no_memory;
	trace->machine = *machine;
	*machine = (struct spe_machine)SPE_MACHINE_INIT;
	trace->aux = *aux;
	*aux = (struct aux_trace)AUX_TRACE_INIT;
	size_t num_buffers = trace->aux.num_buffers;
	trace->queues = calloc(num_buffers + 1, sizeof(*trace->queues));
	trace->heap = calloc(num_buffers + 1, sizeof(struct queue *));
	if (!trace->queues || !trace->heap)
		return &error_no_memory;
	for (size_t i = 0; i < num_buffers; i++) {
		struct error *err = add_queue(trace, &trace->aux.buffers[i], events, num_events);
		if (err)
			return err;
	}
	*ret = take_ptr(trace);
	return NULL;
}

// The kernel says that a piece of a buffer is there, and what it knows to lack.
static void note_piece(struct spe_trace *trace, const struct record *record)
{
	// PERF_RECORD_AUX of linux/perf_event.h, behind its header.
	enum { POSITION = 8, SIZE = 16, FLAGS = 24, END = 32 }; // aux_offset, aux_size, flags
	if (record->raw_size < END)
		return;
	uint64_t flags = byte_order_load64(record->raw + FLAGS, false);
	trace->num_truncations += !!(flags & PERF_ABI_AUX_TRUNCATED);
	trace->num_gaps += !!(flags & PERF_ABI_AUX_PARTIAL);
	trace->num_collisions += !!(flags & PERF_ABI_AUX_COLLISION);
	// Buffers of cores, then buffers of threads, whose CPU is not told.
	struct queue *queue = find_queue(trace, (struct owner){record->cpu, 0});
	if (!queue)
		queue = find_queue(trace, (struct owner){UINT32_MAX, record->tid});
	if (!queue)
		return;
	queue->written = byte_order_load64(record->raw + POSITION, false) +
			 byte_order_load64(record->raw + SIZE, false);
	if (!queue->head)
		return; // all of it was given
	set_due(queue);
	move_up(trace, queue);
}

// The sample that was given is used; its queue is the first one still.
static void finish_given(struct spe_trace *trace)
{
	if (!trace->is_given)
		return;
	trace->is_given = false;
	if (!go_on(trace, trace->heap[0])) {
		// It leaves the heap, and the last one takes its place.
		struct queue *last = trace->heap[--trace->num_in_heap];
		if (!trace->num_in_heap)
			return;
		put_in_heap(trace, 0, last);
	}
	move_down(trace, trace->heap[0]);
}

struct error *spe_trace_note(struct spe_trace *trace, const struct record *record)
{
	finish_given(trace);
	if (record->kind == RECORD_OTHER && record->raw_size >= sizeof(struct perf_abi_header) &&
	    byte_order_load32(record->raw, false) == PERF_ABI_AUX)
		note_piece(trace, record);
	return running_threads_note(&trace->threads, record);
}

static struct running_thread spe_trace_thread_of(const struct spe_trace *trace,
						 const struct queue *queue)
{
	uint32_t tid = spe_sample_tid(queue->head);
	if (tid != UINT32_MAX)
		return running_threads_find(&trace->threads, tid);
	struct running_thread thread = running_threads_on(&trace->threads, queue->buffer->cpu);
	if (thread.tid != UINT32_MAX)
		return thread;
	return running_threads_find(&trace->threads, queue->buffer->tid);
}

bool spe_trace_next(struct spe_trace *trace, uint64_t limit_ns, struct record *ret)
{
	finish_given(trace);
	if (!trace->num_in_heap || trace->heap[0]->due_ns > limit_ns)
		return false;
	const struct queue *queue = trace->heap[0];
	struct running_thread thread = spe_trace_thread_of(trace, queue);
	*ret = (struct record){
		.pid = thread.pid,
		.tid = thread.tid,
		.time_ns = queue->time_ns,
		.cpu = queue->buffer->cpu,
		.event = queue->event,
	};
	spe_sample_set(ret, queue->head, queue->midr, queue->period);
	trace->is_given = true;
	return true;
}

struct spe_trace_totals spe_trace_totals(const struct spe_trace *trace)
{
	struct spe_trace_totals totals = {
		.num_truncations = trace->num_truncations,
		.num_gaps = trace->num_gaps,
		.num_collisions = trace->num_collisions,
		.num_unplaced = trace->num_unplaced,
	};
	for (size_t i = 0; i < trace->num_queues; i++) {
		totals.num_records += trace->queues[i].stream.num_records;
		totals.num_bad_bytes += trace->queues[i].stream.num_bad_bytes;
		totals.num_damages += trace->queues[i].stream.num_damages;
	}
	return totals;
}

void spe_trace_destroy(struct spe_trace *trace)
{
	if (!trace)
		return;
	spe_machine_deinit(&trace->machine);
	aux_trace_deinit(&trace->aux);
	running_threads_deinit(&trace->threads);
	hash_table_deinit(&trace->by_owner);
	free(trace->queues);
	free(trace->heap);
	free(trace);
}
