// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_follow.h"

#include "record/etl/etl_queue.h"
#include "record/etl/etl_records.h"
#include "record/etl/etl_stacks.h"

#include "base/container/array.h"

#include <stdlib.h>

// Events wait in a queue, stacks at the time of the events that they belong to. When the newest
// event is HOLD_NS further, all events of one time are taken together: stacks are then beside their
// samples, and etl_records.c turns the rest into records.
//
// What must be known before does not wait: who was there at the start, intervals, volumes.

enum {
	HOLD_NS = 500000000,
	BATCH = 4096, // events that are read before some are given
	GROUP = 4096, // of one time; a file may give one to all
	PARTS = 8,    // of one stack; there are at most two but for hostile files
};

struct etl_follow {
	struct etl_stream *stream;
	struct etl_modules modules;
	struct etl_rundown rundown;
	struct etl_records records;
	struct etl_queue queue;
	size_t next_presence, next_item;
	uint32_t group[GROUP];
	size_t num_group, next_in_group;
	uint64_t *addresses, *chain;
	size_t cap_addresses, cap_chain;
	uint64_t newest_ns; /* of all that was read */
	uint64_t last_ns;   /* of the last record */
	bool is_ended;
	struct etl_reader_notes notes; /* what is counted here */
};

/** What the header says may not be there when the file is opened. */
static void etl_follow_set_facts(struct etl_follow *follow)
{
	const struct etl_stream_facts *facts = etl_stream_facts(follow->stream);
	struct etl_width *width = &follow->records.width;
	follow->records.start_ns = facts->start_ns;
	width->is_32_bit = facts->pointer_size == sizeof(uint32_t);
}

struct error *etl_follow_create(struct etl_stream *stream, const struct etl_events *events,
				struct etl_follow **ret)
{
	struct etl_follow *follow = calloc(1, sizeof(*follow));
	if (!follow) {
		etl_stream_destroy(stream);
		return &error_no_memory;
	}
	follow->stream = stream;
	follow->records = (struct etl_records)ETL_RECORDS_INIT;
	follow->records.modules = &follow->modules;
	follow->records.events = *events;
	// Windows describes the machine at the end. Until then Arm64's rule is right for all 64-bit
	// addresses: those of x64 have nothing but the sign above 48 bits.
	follow->records.width.is_arm64 = true;
	etl_follow_set_facts(follow);
	*ret = follow;
	return NULL;
}

struct error *etl_follow_grow(struct etl_follow *follow)
{
	struct error *err = etl_stream_grow(follow->stream);
	if (!err)
		etl_follow_set_facts(follow);
	return err;
}

void etl_follow_end(struct etl_follow *follow)
{
	follow->is_ended = true;
}

static bool etl_follow_is_late(const struct etl_follow *follow, uint64_t time_ns)
{
	return time_ns < follow->last_ns;
}

static struct error *etl_follow_hold(struct etl_follow *follow, const struct etl_event *event)
{
	follow->notes.num_late += etl_follow_is_late(follow, event->time_ns);
	return etl_queue_add(&follow->queue, event, event->time_ns, ETL_NO_ID);
}

/** The event of a stack says the thread's process, if nobody else does. */
static struct error *etl_follow_note_thread(struct etl_follow *follow,
					    const struct etl_stack *stack)
{
	const struct etl_presence thread = {
		.kind = ETL_PRESENCE_THREAD,
		.pid = stack->pid,
		.tid = stack->tid,
	};
	return stack->tid && stack->tid != ETL_NO_ID && stack->pid != ETL_NO_ID
		       ? etl_rundown_note(&follow->rundown, &thread, ETL_THERE_AT_END)
		       : NULL;
}

static struct error *etl_follow_note_stack(struct etl_follow *follow, const struct etl_event *event)
{
	struct etl_stack stack;
	bool is_key = event->opcode == ETL_STACK_KERNEL_KEY || event->opcode == ETL_STACK_USER_KEY;
	if (!is_key && event->opcode != ETL_STACK)
		return NULL;
	if (!etl_payload_stack(event, &stack)) {
		follow->notes.bad_payloads++;
		return NULL;
	}
	struct error *err = etl_follow_note_thread(follow, &stack);
	if (err || is_key) {
		follow->notes.num_stacks_unknown += is_key;
		return err;
	}
	return etl_queue_add(&follow->queue, event, stack.time_ns,
			     stack.tid == ETL_NO_ID ? 0 : stack.tid);
}

static struct error *etl_follow_note_life(struct etl_follow *follow, const struct etl_event *event)
{
	struct etl_presence presence;
	uint32_t life;
	bool is_one, is_bad;
	const char *path;
	struct error *err =
		etl_presence_read(event, &follow->modules, &presence, &life, &is_one, &is_bad);
	if (!err && is_one)
		err = etl_rundown_note(&follow->rundown, &presence, life);
	// The first path of a system library says which volume is C:.
	if (!err && is_one && presence.kind == ETL_PRESENCE_IMAGE && presence.name)
		err = etl_modules_path(&follow->modules, presence.name, &path);
	return err ? err : etl_follow_hold(follow, event);
}

static struct error *etl_follow_note_perfinfo(struct etl_follow *follow,
					      const struct etl_event *event)
{
	struct etl_interval interval;
	bool is_interval = event->opcode == ETL_INTERVAL_SET ||
			   event->opcode == ETL_INTERVAL_BEGIN || event->opcode == ETL_INTERVAL_END;
	if (is_interval && etl_payload_interval(event, &interval))
		etl_records_expect_rate(&follow->records, interval.source, interval.interval);
	return etl_follow_hold(follow, event);
}

static void etl_follow_note_config(struct etl_follow *follow, const struct etl_event *event)
{
	struct etl_cpu cpu;
	if (event->opcode == ETL_CONFIG_CPU && etl_payload_cpu(event, &cpu))
		follow->records.width.is_arm64 = cpu.architecture == ETL_MACHINE_ARM64;
}

static struct error *etl_follow_note(struct etl_follow *follow, const struct etl_event *event)
{
	struct etl_reader_notes *notes = &follow->notes;
	if (event->time_ns > follow->newest_ns)
		follow->newest_ns = event->time_ns;
	switch (event->class) {
	case ETL_CLASS_PERFINFO:
		return etl_follow_note_perfinfo(follow, event);
	case ETL_CLASS_STACK:
		return etl_follow_note_stack(follow, event);
	case ETL_CLASS_THREAD:
		if (event->opcode == ETL_THREAD_SWITCH || event->opcode == ETL_THREAD_READY)
			return etl_follow_hold(follow, event);
		return etl_follow_note_life(follow, event);
	case ETL_CLASS_PROCESS:
	case ETL_CLASS_IMAGE:
		return etl_follow_note_life(follow, event);
	case ETL_CLASS_CONFIG:
		etl_follow_note_config(follow, event);
		return NULL;
	case ETL_CLASS_LOST:
		notes->events_lost += event->opcode == ETL_LOST_EVENT;
		notes->buffers_lost += event->opcode == ETL_LOST_BUFFER;
		return NULL;
	default:
		return NULL;
	}
}

/** @ret_more: false if nothing was read. */
static struct error *etl_follow_read(struct etl_follow *follow, bool *ret_more)
{
	struct etl_event event;
	struct error *err = NULL;
	bool more = true;
	size_t num = 0;
	// At least one, so that a full queue goes on.
	while (!err && num < BATCH && (!num || !etl_queue_is_full(&follow->queue))) {
		err = etl_stream_next(follow->stream, &event, &more);
		if (err || !more)
			break;
		err = etl_follow_note(follow, &event);
		num++;
	}
	if (err)
		return err;
	*ret_more = num > 0;
	if (follow->is_ended && !more)
		return etl_queue_open_all(&follow->queue);
	return etl_queue_open_until(&follow->queue,
				    follow->newest_ns > HOLD_NS ? follow->newest_ns - HOLD_NS : 0);
}

static void etl_follow_release_group(struct etl_follow *follow)
{
	for (size_t i = 0; i < follow->num_group; i++) {
		const struct etl_queued *item = etl_queue_item(&follow->queue, follow->group[i]);
		bool is_stack = item->stack_tid != ETL_NO_ID;
		follow->notes.num_stacks_unmatched += is_stack && !item->is_used;
		etl_queue_release(&follow->queue, follow->group[i]);
	}
	follow->num_group = follow->next_in_group = 0;
}

static struct error *etl_follow_take_group(struct etl_follow *follow, bool *ret_more)
{
	etl_follow_release_group(follow);
	follow->num_group = etl_queue_take(&follow->queue, follow->group, GROUP);
	*ret_more = follow->num_group > 0;
	if (*ret_more)
		return NULL;
	struct error *err = etl_follow_read(follow, ret_more);
	if (err || *ret_more)
		return err;
	// Nothing new, but the end may have come.
	follow->num_group = etl_queue_take(&follow->queue, follow->group, GROUP);
	*ret_more = follow->num_group > 0;
	return NULL;
}

/** Records of the next event, or of the next that was there at the start. */
static struct error *etl_follow_fill(struct etl_follow *follow, bool *ret_more)
{
	struct etl_records *records = &follow->records;
	*ret_more = true;
	follow->next_item = records->num_items = 0;
	if (follow->next_presence < follow->rundown.num_items) {
		const struct etl_presence *item = &follow->rundown.items[follow->next_presence++];
		return item->was_there ? etl_records_take_presence(records, item) : NULL;
	}
	if (follow->next_in_group == follow->num_group)
		return etl_follow_take_group(follow, ret_more);
	const struct etl_queued *item =
		etl_queue_item(&follow->queue, follow->group[follow->next_in_group++]);
	return item->stack_tid == ETL_NO_ID ? etl_records_take(records, &item->event) : NULL;
}

/** Appended to the addresses; @ret_part's are not set, as these may move. */
static struct error *etl_follow_load_part(struct etl_follow *follow, const struct etl_event *event,
					  size_t before, struct etl_stack_part *ret_part)
{
	struct etl_stack stack;
	ret_part->length = ret_part->num_kernel = 0;
	if (!etl_payload_stack(event, &stack))
		return NULL;
	struct error *err = array_reserve(&follow->addresses, &follow->cap_addresses,
					  before + stack.num_addresses);
	if (err)
		return err;
	for (size_t i = 0; i < stack.num_addresses; i++) {
		uint64_t address =
			etl_payload_pointer(event, stack.addresses + i * event->pointer_size);
		follow->addresses[before + i] = etl_address(follow->records.width, address);
	}
	ret_part->length = stack.num_addresses;
	ret_part->num_kernel =
		etl_stack_count_kernel(follow->addresses + before, stack.num_addresses);
	return NULL;
}

/** The stack of a record of this group. */
static struct error *etl_follow_find_stack(struct etl_follow *follow, struct record *record)
{
	struct etl_stack_part parts[PARTS];
	size_t num = 0, length = 0;
	for (size_t i = 0; i < follow->num_group && num < PARTS; i++) {
		struct etl_queued *item = etl_queue_item(&follow->queue, follow->group[i]);
		if (item->stack_tid == ETL_NO_ID || item->stack_tid != record->tid)
			continue;
		struct error *err = etl_follow_load_part(follow, &item->event, length, &parts[num]);
		if (err)
			return err;
		item->is_used = true;
		length += parts[num++].length;
	}
	struct error *err =
		array_reserve(&follow->chain, &follow->cap_chain, length + ETL_CHAIN_MORE);
	if (err)
		return err;
	const uint64_t *addresses = follow->addresses;
	for (size_t i = 0; i < num; addresses += parts[i++].length)
		parts[i].addresses = addresses;
	size_t chain_length = etl_chain_join(parts, num, record->sample.ip, follow->chain);
	etl_record_set_chain(record, follow->chain, chain_length);
	return NULL;
}

struct error *etl_follow_next(struct etl_follow *follow, struct record *ret, bool *ret_more)
{
	bool more = true;
	while (follow->next_item == follow->records.num_items && more) {
		struct error *err = etl_follow_fill(follow, &more);
		if (err)
			return err;
	}
	*ret_more = more;
	if (!more)
		return NULL;
	struct etl_record *item = &follow->records.items[follow->next_item++];
	struct error *err = item->has_stack ? etl_follow_find_stack(follow, &item->record) : NULL;
	if (err)
		return err;
	// What came too late happens now.
	if (etl_follow_is_late(follow, item->record.time_ns))
		item->record.time_ns = follow->last_ns;
	follow->last_ns = item->record.time_ns;
	*ret = item->record;
	return NULL;
}

struct etl_reader_notes etl_follow_notes(const struct etl_follow *follow)
{
	const struct etl_stream_facts *facts = etl_stream_facts(follow->stream);
	struct etl_reader_notes notes = follow->notes;
	notes.damage = etl_stream_damage(follow->stream);
	// The header sums up what such events say one by one.
	if (facts->events_lost > notes.events_lost)
		notes.events_lost = facts->events_lost;
	if (facts->buffers_lost > notes.buffers_lost)
		notes.buffers_lost = facts->buffers_lost;
	notes.bad_payloads += follow->records.num_bad;
	notes.num_idle = follow->records.num_idle;
	return notes;
}

void etl_follow_destroy(struct etl_follow *follow)
{
	if (!follow)
		return;
	etl_queue_deinit(&follow->queue);
	etl_records_deinit(&follow->records);
	etl_rundown_deinit(&follow->rundown);
	etl_modules_deinit(&follow->modules);
	free(follow->addresses);
	free(follow->chain);
	etl_stream_destroy(follow->stream);
	free(follow);
}
