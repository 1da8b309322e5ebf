/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_QUEUE_H
#define WPERF_RECORD_ETL_ETL_QUEUE_H

/**
 * Copies of events of an ETW file that is still written, until they can be given in order of time.
 * Stacks wait beside the events that they belong to: at the time that they name.
 */

#include "record/etl/file/etl_event.h"
#include "record/time_order.h"

struct etl_queued {
	struct etl_event event; /* without GUID and items */
	uint32_t stack_tid;     /* the thread that a stack names; ETL_NO_ID: no stack */
	bool is_used;           /* the caller's */
	uint8_t *bytes;         /* private, as the next ones */
	size_t size, capacity;
	uint32_t next_free;
};

struct etl_queue {
	struct etl_queued *items;
	size_t num_items, cap_items;
	uint32_t first_free; /* index + 1; 0: none */
	size_t held;         /* bytes */
	struct time_order order;
};

#define ETL_QUEUE_INIT \
	{              \
	}

/** Call it only while none can be taken. @time_ns: its place in the order. @stack_tid: as above. */
struct error *etl_queue_add(struct etl_queue *queue, const struct etl_event *event,
			    uint64_t time_ns, uint32_t stack_tid);

/** It has more than it should: no more should be added before some were taken. */
bool etl_queue_is_full(const struct etl_queue *queue);

/** Now the events up to this time can be taken; of a full queue those of its older half. */
struct error *etl_queue_open_until(struct etl_queue *queue, uint64_t limit_ns);
struct error *etl_queue_open_all(struct etl_queue *queue);

/**
 * The next events, all of one time.
 * @most: the length of @ret; of more of one time the others come with the next call.
 * @ret: their numbers, for etl_queue_item() until etl_queue_release().
 */
size_t etl_queue_take(struct etl_queue *queue, uint32_t *ret, size_t most);

static inline struct etl_queued *etl_queue_item(struct etl_queue *queue, uint32_t number)
{
	return &queue->items[number];
}

void etl_queue_release(struct etl_queue *queue, uint32_t number);

void etl_queue_deinit(struct etl_queue *queue);

#endif
