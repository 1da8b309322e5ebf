/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ETL_EVENT_H
#define WPERF_RECORD_ETL_FILE_ETL_EVENT_H

/**
 * One event of an ETW file, whatever header it has: "Event Tracing for Windows" writes about ten
 * kinds of headers, and this is what they have in common. Nothing of the payload is decoded here.
 */

#include "record/etl/file/etl_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Whose event it is. Up to 255 these are the group numbers of kernel events; events that came with
 * the GUID of a kernel class have the group's number, too.
 */
enum etl_class {
	ETL_CLASS_HEADER = 0,
	ETL_CLASS_PROCESS = 3, /* also opcode 10: an image was loaded */
	ETL_CLASS_THREAD = 5,  /* also context switches */
	ETL_CLASS_CONFIG = 11,
	ETL_CLASS_PERFINFO = 15, /* samples, intervals, DPCs, interrupts */
	ETL_CLASS_IMAGE = 20,
	ETL_CLASS_STACK = 24,
	ETL_CLASS_IMAGE_ID = 256, /* PDBs of images; only in merged files */
	ETL_CLASS_CONFIG_EX,      /* volumes and folders; only in merged files */
	ETL_CLASS_LOST,
	ETL_CLASS_CLR, /* .NET, and its rundown */
	ETL_CLASS_CLR_RUNDOWN,
	ETL_CLASS_OTHER, /* see `guid` */
};

enum { ETL_NO_ID = UINT32_MAX, ETL_GUID_SIZE = 16 };

struct etl_event {
	uint64_t time_ns; /* on the clock of all files of a recording: see etl_stream.h */
	/** Of its file, for times in payloads: etl_clock_ns(event->clock, ticks). */
	const struct etl_clock *clock;
	uint32_t class;    /* enum etl_class, or another group number */
	uint32_t pid, tid; /* ETL_NO_ID: the header does not say; the event's payload may */
	uint32_t cpu;
	uint16_t id; /* of events with a manifest; else 0 */
	uint8_t opcode, version, pointer_size;
	const uint8_t *guid; /* of events that came with one; or NULL */
	/** Counters of the CPU at this event, where the session asked for them. */
	const uint8_t *counters; /* u64 each, not aligned */
	uint32_t num_counters;
	/** Items that follow the header of an event with a manifest: see etl_event_next_item(). */
	const uint8_t *items;
	uint32_t items_size;
	const uint8_t *payload;
	uint32_t payload_size;
};

/** The n-th counter; n is less than num_counters. */
uint64_t etl_event_counter(const struct etl_event *event, uint32_t n);

enum etl_item_type {
	ETL_ITEM_STACK_32 = 5,
	ETL_ITEM_STACK_64 = 6,
	ETL_ITEM_COUNTERS = 8,
	ETL_ITEM_STACK_KEY_32 = 0x11,
	ETL_ITEM_STACK_KEY_64 = 0x12,
};

struct etl_item {
	uint32_t type;
	const uint8_t *data;
	uint32_t size;
};

/** @offset: 0 at first; moves on. False: there are no more. */
bool etl_event_next_item(const struct etl_event *event, uint32_t *offset, struct etl_item *ret);

#endif
