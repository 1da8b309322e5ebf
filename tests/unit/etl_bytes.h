/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_ETL_BYTES_H
#define WPERF_TESTS_UNIT_ETL_BYTES_H

/**
 * An ETW file put together by hand:
 *
 *	struct etl_bytes file = {};
 *	etl_bytes_first_buffer(&file, &(struct etl_bytes_log){.start_ticks = 1000});
 *	etl_bytes_begin_buffer(&file, 3, 1); // CPU 3, sequence number 1
 *	etl_bytes_begin_perfinfo(&file, 15, 46, 2, 1500, NULL, 0);
 *	etl_bytes_pointer(&file, 0xfffff80012345678);
 *	...
 *	etl_bytes_end_event(&file);
 *	etl_bytes_end_buffer(&file);
 *	... file.data, file.size
 *	etl_bytes_deinit(&file);
 *
 * An event is begun with one of the headers, its payload appended with etl_bytes_u8() to
 * etl_bytes_sid(), and ended. Without anything else pointers have 8 bytes and buffers 4 KiB.
 */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct etl_bytes {
	bool is_32_bit;       /* pointers have 4 bytes */
	uint32_t buffer_size; /* 0: 4 KiB */
	uint8_t *data;
	size_t size, capacity;
	size_t buffer, event, event_size_at; /* private: where they begin */
};

static inline void etl_bytes_deinit(struct etl_bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct etl_bytes){};
}

static inline void etl_bytes_append(struct etl_bytes *bytes, const void *data, size_t size)
{
	if (bytes->size + size > bytes->capacity) {
		bytes->capacity = 2 * (bytes->size + size);
		bytes->data = realloc(bytes->data, bytes->capacity);
		assert(bytes->data);
	}
	if (size)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

static inline void etl_bytes_u8(struct etl_bytes *bytes, uint8_t value)
{
	etl_bytes_append(bytes, &value, sizeof(value));
}

static inline void etl_bytes_u16(struct etl_bytes *bytes, uint16_t value)
{
	etl_bytes_append(bytes, &value, sizeof(value));
}

static inline void etl_bytes_u32(struct etl_bytes *bytes, uint32_t value)
{
	etl_bytes_append(bytes, &value, sizeof(value));
}

static inline void etl_bytes_u64(struct etl_bytes *bytes, uint64_t value)
{
	etl_bytes_append(bytes, &value, sizeof(value));
}

static inline void etl_bytes_pointer(struct etl_bytes *bytes, uint64_t value)
{
	etl_bytes_append(bytes, &value, bytes->is_32_bit ? 4 : 8);
}

/** With the NUL at its end, as the next one. @text: ASCII. */
static inline void etl_bytes_utf16(struct etl_bytes *bytes, const char *text)
{
	for (; *text; text++)
		etl_bytes_u16(bytes, (uint8_t)*text);
	etl_bytes_u16(bytes, 0);
}

static inline void etl_bytes_text(struct etl_bytes *bytes, const char *text)
{
	etl_bytes_append(bytes, text, strlen(text) + 1);
}

static inline void etl_bytes_zeros(struct etl_bytes *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		etl_bytes_u8(bytes, 0);
}

/** "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c" as Windows has it in memory. */
static inline void etl_bytes_guid(struct etl_bytes *bytes, const char *text)
{
	static const int place[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	uint8_t guid[16];
	for (int i = 0; i < 16; i++, text += 2) {
		text += *text == '-';
		char digits[3] = {text[0], text[1], '\0'};
		guid[place[i]] = (uint8_t)strtoul(digits, NULL, 16);
	}
	etl_bytes_append(bytes, guid, sizeof(guid));
}

/** Of a user: two pointers, and S-1-5-18. */
static inline void etl_bytes_sid(struct etl_bytes *bytes)
{
	static const uint8_t sid[12] = {1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0};
	etl_bytes_pointer(bytes, UINT64_C(0xffffc00012345678));
	etl_bytes_pointer(bytes, 0);
	etl_bytes_append(bytes, sid, sizeof(sid));
}

static inline void etl_bytes_set_u32(struct etl_bytes *bytes, size_t at, uint32_t value)
{
	memcpy(bytes->data + at, &value, sizeof(value));
}

static inline void etl_bytes_set_u16(struct etl_bytes *bytes, size_t at, uint16_t value)
{
	memcpy(bytes->data + at, &value, sizeof(value));
}

enum { ETL_BYTES_HEADER = 72 };

static inline void etl_bytes_begin_typed_buffer(struct etl_bytes *bytes, uint16_t cpu,
						uint64_t sequence, uint16_t type)
{
	enum { AT_SEQUENCE = 24, AT_CPU = 40, AT_STATE = 44, AT_FLAGS = 52, AT_TYPE = 54 };
	bytes->buffer = bytes->size;
	etl_bytes_zeros(bytes, ETL_BYTES_HEADER);
	memcpy(bytes->data + bytes->buffer + AT_SEQUENCE, &sequence, sizeof(sequence));
	etl_bytes_set_u16(bytes, bytes->buffer + AT_CPU, cpu);
	etl_bytes_set_u16(bytes, bytes->buffer + AT_STATE, 3);
	etl_bytes_set_u16(bytes, bytes->buffer + AT_FLAGS, 0x20);
	etl_bytes_set_u16(bytes, bytes->buffer + AT_TYPE, type);
}

static inline void etl_bytes_begin_buffer(struct etl_bytes *bytes, uint16_t cpu, uint64_t sequence)
{
	etl_bytes_begin_typed_buffer(bytes, cpu, sequence, 0);
}

static inline uint32_t etl_bytes_buffer_size(const struct etl_bytes *bytes)
{
	return bytes->buffer_size ? bytes->buffer_size : 4096;
}

/** Padded to the size of buffers. */
static inline void etl_bytes_end_buffer(struct etl_bytes *bytes)
{
	enum { AT_SIZE = 0, AT_SAVED = 4, AT_OFFSET = 48 };
	uint32_t used = (uint32_t)(bytes->size - bytes->buffer);
	uint32_t size = etl_bytes_buffer_size(bytes);
	assert(used <= size);
	etl_bytes_set_u32(bytes, bytes->buffer + AT_SIZE, size);
	etl_bytes_set_u32(bytes, bytes->buffer + AT_SAVED, used);
	etl_bytes_set_u32(bytes, bytes->buffer + AT_OFFSET, used);
	for (uint32_t i = used; i < size; i++)
		etl_bytes_u8(bytes, 0xff);
}

/** Of the kernel: the size is behind @version, type and flags. */
static inline void etl_bytes_begin_kernel_event(struct etl_bytes *bytes, uint16_t version,
						uint8_t type, uint8_t group, uint8_t opcode)
{
	bytes->event = bytes->size;
	bytes->event_size_at = bytes->size + 4;
	etl_bytes_u16(bytes, version);
	etl_bytes_u8(bytes, type + (bytes->is_32_bit ? 0 : 1));
	etl_bytes_u8(bytes, 0xc0);
	etl_bytes_u16(bytes, 0);
	etl_bytes_u8(bytes, opcode);
	etl_bytes_u8(bytes, group);
}

static inline void etl_bytes_begin_system(struct etl_bytes *bytes, uint8_t group, uint8_t opcode,
					  uint16_t version, uint32_t pid, uint32_t tid,
					  uint64_t ticks)
{
	etl_bytes_begin_kernel_event(bytes, version, 1, group, opcode);
	etl_bytes_u32(bytes, tid);
	etl_bytes_u32(bytes, pid);
	etl_bytes_u64(bytes, ticks);
	etl_bytes_u64(bytes, 0); // CPU times
}

static inline void etl_bytes_begin_compact(struct etl_bytes *bytes, uint8_t group, uint8_t opcode,
					   uint16_t version, uint32_t pid, uint32_t tid,
					   uint64_t ticks)
{
	etl_bytes_begin_kernel_event(bytes, version, 3, group, opcode);
	etl_bytes_u32(bytes, tid);
	etl_bytes_u32(bytes, pid);
	etl_bytes_u64(bytes, ticks);
}

/** @counters: up to 7. */
static inline void etl_bytes_begin_perfinfo(struct etl_bytes *bytes, uint8_t group, uint8_t opcode,
					    uint8_t version, uint64_t ticks,
					    const uint64_t *counters, unsigned num_counters)
{
	assert(num_counters <= 7);
	uint16_t word = (uint16_t)(version | num_counters << 8);
	etl_bytes_begin_kernel_event(bytes, word, 16, group, opcode);
	etl_bytes_u64(bytes, ticks);
	etl_bytes_append(bytes, counters, num_counters * sizeof(*counters));
}

/** Size first, then @type and flags. */
static inline void etl_bytes_begin_sized_event(struct etl_bytes *bytes, uint8_t type)
{
	bytes->event = bytes->event_size_at = bytes->size;
	etl_bytes_u16(bytes, 0);
	etl_bytes_u8(bytes, type);
	etl_bytes_u8(bytes, 0xc0);
}

static inline void etl_bytes_begin_full(struct etl_bytes *bytes, const char *guid, uint8_t opcode,
					uint16_t version, uint32_t pid, uint32_t tid,
					uint64_t ticks)
{
	etl_bytes_begin_sized_event(bytes, bytes->is_32_bit ? 10 : 20);
	etl_bytes_u8(bytes, opcode);
	etl_bytes_u8(bytes, 0); // level
	etl_bytes_u16(bytes, version);
	etl_bytes_u32(bytes, tid);
	etl_bytes_u32(bytes, pid);
	etl_bytes_u64(bytes, ticks);
	etl_bytes_guid(bytes, guid);
	etl_bytes_u64(bytes, 0);
}

struct etl_bytes_event {
	const char *guid;
	uint16_t id;
	uint8_t version, opcode;
	uint32_t pid, tid;
	uint64_t ticks;
	bool has_items; /* then the first one comes next: etl_bytes_item() */
};

static inline void etl_bytes_begin_event(struct etl_bytes *bytes,
					 const struct etl_bytes_event *event)
{
	etl_bytes_begin_sized_event(bytes, bytes->is_32_bit ? 18 : 19);
	etl_bytes_u16(bytes, (uint16_t)((bytes->is_32_bit ? 0x20 : 0x40) | event->has_items));
	etl_bytes_u16(bytes, 0); // property
	etl_bytes_u32(bytes, event->tid);
	etl_bytes_u32(bytes, event->pid);
	etl_bytes_u64(bytes, event->ticks);
	etl_bytes_guid(bytes, event->guid);
	etl_bytes_u16(bytes, event->id);
	etl_bytes_u8(bytes, event->version);
	etl_bytes_u8(bytes, 0); // channel
	etl_bytes_u8(bytes, 4); // level
	etl_bytes_u8(bytes, event->opcode);
	etl_bytes_u16(bytes, 0);    // task
	etl_bytes_zeros(bytes, 32); // keyword, times, activity
}

/** @follows: another item does. */
static inline void etl_bytes_item(struct etl_bytes *bytes, uint16_t type, bool follows,
				  const void *data, uint16_t size)
{
	size_t begin = bytes->size;
	etl_bytes_u16(bytes, (uint16_t)(8 + size));
	etl_bytes_u16(bytes, type);
	etl_bytes_u16(bytes, follows);
	etl_bytes_u16(bytes, size);
	etl_bytes_append(bytes, data, size);
	while ((bytes->size - begin) % 8)
		etl_bytes_u8(bytes, 0);
}

static inline void etl_bytes_end_event(struct etl_bytes *bytes)
{
	etl_bytes_set_u16(bytes, bytes->event_size_at, (uint16_t)(bytes->size - bytes->event));
	while ((bytes->size - bytes->buffer) % 8)
		etl_bytes_u8(bytes, 0);
}

/** What the first event says; 0 is replaced by what is in the comments. */
struct etl_bytes_log {
	uint64_t frequency_hz; /* 10 MHz */
	uint64_t start_ticks, end_ticks;
	uint64_t start_date; /* 132,404,548,206,236,167: in July 2020 */
	uint32_t num_cpus;   /* 4 */
	uint32_t mode, clock /* 1 */, events_lost, buffers_lost, mhz;
	const char *session, *file;
};

/** The first buffer, of CPU 0 with sequence number 0, with the event that describes the file. More
 *  events may follow: end it with etl_bytes_end_buffer(). */
static inline void etl_bytes_begin_first_buffer(struct etl_bytes *bytes,
						const struct etl_bytes_log *log)
{
	enum { HEADER_BUFFER = 4 };
	uint64_t start = log->start_date ? log->start_date : UINT64_C(132404548206236167);
	uint64_t hz = log->frequency_hz ? log->frequency_hz : 10000000;
	uint64_t counted = log->clock > 1 ? 0 : log->start_ticks / hz * 10000000;
	etl_bytes_begin_typed_buffer(bytes, 0, 0, HEADER_BUFFER);
	etl_bytes_begin_system(bytes, 0, 0, 2, 1000, 1004, log->start_ticks);
	etl_bytes_u32(bytes, etl_bytes_buffer_size(bytes));
	etl_bytes_u32(bytes, 10); // version 10.0
	etl_bytes_u32(bytes, 22000);
	etl_bytes_u32(bytes, log->num_cpus ? log->num_cpus : 4);
	uint64_t end =
		log->end_ticks ? start + (log->end_ticks - log->start_ticks) * 10000000 / hz : 0;
	etl_bytes_u64(bytes, end);
	etl_bytes_u32(bytes, 156250);
	etl_bytes_u32(bytes, 0);
	etl_bytes_u32(bytes, log->mode);
	etl_bytes_u32(bytes, 0); // buffers written
	etl_bytes_u32(bytes, 1);
	etl_bytes_u32(bytes, bytes->is_32_bit ? 4 : 8);
	etl_bytes_u32(bytes, log->events_lost);
	etl_bytes_u32(bytes, log->mhz ? log->mhz : 3000);
	etl_bytes_pointer(bytes, 0);
	etl_bytes_pointer(bytes, 0);
	etl_bytes_zeros(bytes, 176); // time zone
	etl_bytes_u64(bytes, start - counted);
	etl_bytes_u64(bytes, hz);
	etl_bytes_u64(bytes, start);
	etl_bytes_u32(bytes, log->clock ? log->clock : 1);
	etl_bytes_u32(bytes, log->buffers_lost);
	etl_bytes_utf16(bytes, log->session ? log->session : "wperf");
	etl_bytes_utf16(bytes, log->file ? log->file : "C:\\a.etl");
	etl_bytes_end_event(bytes);
}

static inline void etl_bytes_first_buffer(struct etl_bytes *bytes, const struct etl_bytes_log *log)
{
	etl_bytes_begin_first_buffer(bytes, log);
	etl_bytes_end_buffer(bytes);
}

#endif
