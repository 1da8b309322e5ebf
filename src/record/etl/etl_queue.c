// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_queue.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// Each event has a slot, and time_order sorts the numbers of slots. Free slots keep their memory
// for the next event, unless it is much.

enum {
	MAX_HELD = 64 << 20, // half a second of a million events per second
	KEPT_BYTES = 256,    // most events are smaller
};

static struct error *etl_queue_slot(struct etl_queue *queue, uint32_t *ret)
{
	if (queue->first_free) {
		*ret = queue->first_free - 1;
		queue->first_free = queue->items[*ret].next_free;
		return NULL;
	}
	struct error *err = array_reserve(&queue->items, &queue->cap_items, queue->num_items + 1);
	if (err)
		return err;
	*ret = (uint32_t)queue->num_items++;
	queue->items[*ret] = (struct etl_queued){0};
	return NULL;
}

static struct error *etl_queued_fill(struct etl_queued *item, const struct etl_event *event)
{
	size_t counters = event->num_counters * sizeof(uint64_t);
	size_t size = counters + event->payload_size;
	struct error *err = array_reserve(&item->bytes, &item->capacity, size);
	if (err)
		return err;
	if (counters)
		memcpy(item->bytes, event->counters, counters);
	if (event->payload_size)
		memcpy(item->bytes + counters, event->payload, event->payload_size);
	item->event = *event;
	item->event.guid = NULL;
	item->event.items = NULL;
	item->event.items_size = 0;
	item->event.counters = item->bytes;
	item->event.payload = size ? item->bytes + counters : NULL;
	item->size = size + sizeof(*item);
	return NULL;
}

struct error *etl_queue_add(struct etl_queue *queue, const struct etl_event *event,
			    uint64_t time_ns, uint32_t stack_tid)
{
	uint32_t number;
	struct error *err = etl_queue_slot(queue, &number);
	if (err)
		return err;
	struct etl_queued *item = &queue->items[number];
	err = etl_queued_fill(item, event);
	if (!err)
		err = time_order_add(&queue->order, time_ns, number);
	if (err)
		return err;
	item->stack_tid = stack_tid;
	item->is_used = false;
	queue->held += item->size;
	return NULL;
}

bool etl_queue_is_full(const struct etl_queue *queue)
{
	return queue->held > MAX_HELD;
}

struct error *etl_queue_open_until(struct etl_queue *queue, uint64_t limit_ns)
{
	return etl_queue_is_full(queue) ? time_order_give_up_half(&queue->order)
					: time_order_end_until(&queue->order, limit_ns);
}

struct error *etl_queue_open_all(struct etl_queue *queue)
{
	return time_order_end(&queue->order);
}

size_t etl_queue_take(struct etl_queue *queue, uint32_t *ret, size_t most)
{
	struct time_order_entry entry;
	uint64_t time_ns = 0;
	size_t num = 0;
	while (num < most && time_order_peek(&queue->order, 0, &entry) &&
	       (!num || entry.time_ns == time_ns)) {
		time_order_take(&queue->order, &entry);
		time_ns = entry.time_ns;
		ret[num++] = (uint32_t)entry.place;
	}
	return num;
}

void etl_queue_release(struct etl_queue *queue, uint32_t number)
{
	struct etl_queued *item = &queue->items[number];
	queue->held -= item->size;
	if (item->capacity > KEPT_BYTES) {
		free(item->bytes);
		item->bytes = NULL;
		item->capacity = 0;
	}
	item->next_free = queue->first_free;
	queue->first_free = number + 1;
}

void etl_queue_deinit(struct etl_queue *queue)
{
	for (size_t i = 0; i < queue->num_items; i++)
		free(queue->items[i].bytes);
	free(queue->items);
	time_order_deinit(&queue->order);
	*queue = (struct etl_queue)ETL_QUEUE_INIT;
}
