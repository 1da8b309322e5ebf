/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_ETL_KERNEL_BYTES_H
#define WPERF_TESTS_UNIT_ETL_KERNEL_BYTES_H

/** Whole events of the kernel, and of what merging adds, for etl_bytes.h. Times are ticks. */

#include "etl_bytes.h"

#define ETL_BYTES_IMAGE_ID "b3e675d7-2554-4f18-830b-2762732560de"
#define ETL_BYTES_CONFIG   "9b79ee91-b5fd-41c0-a243-4248e266e9d0"
#define ETL_BYTES_CLR      "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"
#define ETL_BYTES_LOST     "6a399ae0-4bc6-4de9-870b-3657f8947e7e"

/** @opcode: 1 begins, 2 ends, 3 and 4 are there at the start and the end. */
static inline void etl_bytes_process(struct etl_bytes *bytes, uint64_t ticks, uint8_t opcode,
				     uint32_t pid, uint32_t parent, const char *name)
{
	etl_bytes_begin_system(bytes, 3, opcode, 4, 4, 8, ticks);
	etl_bytes_pointer(bytes, UINT64_C(0xffffc00011112222));
	etl_bytes_u32(bytes, pid);
	etl_bytes_u32(bytes, parent);
	etl_bytes_zeros(bytes, 8); // session, exit status
	etl_bytes_pointer(bytes, 0x1000);
	etl_bytes_u32(bytes, 0); // flags
	etl_bytes_sid(bytes);
	etl_bytes_text(bytes, name);
	etl_bytes_utf16(bytes, "command line");
	etl_bytes_utf16(bytes, "");
	etl_bytes_utf16(bytes, "");
	etl_bytes_end_event(bytes);
}

/** @name: NULL: version 3, which has none. */
static inline void etl_bytes_thread(struct etl_bytes *bytes, uint64_t ticks, uint8_t opcode,
				    uint32_t pid, uint32_t tid, const char *name)
{
	enum { POINTERS = 7 };
	etl_bytes_begin_system(bytes, 5, opcode, name ? 4 : 3, 4, 8, ticks);
	etl_bytes_u32(bytes, pid);
	etl_bytes_u32(bytes, tid);
	for (int i = 0; i < POINTERS; i++)
		etl_bytes_pointer(bytes, 0x1000);
	etl_bytes_zeros(bytes, 8); // tag, priorities
	if (name)
		etl_bytes_utf16(bytes, name);
	etl_bytes_end_event(bytes);
}

static inline void etl_bytes_thread_name(struct etl_bytes *bytes, uint64_t ticks, uint32_t pid,
					 uint32_t tid, const char *name)
{
	etl_bytes_begin_system(bytes, 5, 72, 2, pid, tid, ticks);
	etl_bytes_u32(bytes, pid);
	etl_bytes_u32(bytes, tid);
	etl_bytes_utf16(bytes, name);
	etl_bytes_end_event(bytes);
}

struct etl_bytes_file {
	uint64_t base, size;
	uint32_t time_stamp;
	const char *path;
};

/** @opcode: 10 is loaded, 2 unloaded, 3 and 4 are there at the start and the end. */
static inline void etl_bytes_image(struct etl_bytes *bytes, uint64_t ticks, uint8_t opcode,
				   uint32_t pid, const struct etl_bytes_file *file)
{
	etl_bytes_begin_system(bytes, opcode == 10 ? 3 : 20, opcode, 3, pid, 8, ticks);
	etl_bytes_pointer(bytes, file->base);
	etl_bytes_pointer(bytes, file->size);
	etl_bytes_u32(bytes, pid);
	etl_bytes_u32(bytes, 0); // checksum
	etl_bytes_u32(bytes, file->time_stamp);
	etl_bytes_u32(bytes, 0); // signature
	etl_bytes_pointer(bytes, file->base);
	etl_bytes_zeros(bytes, 16);
	etl_bytes_utf16(bytes, file->path);
	etl_bytes_end_event(bytes);
}

/** The PDB of an image. */
static inline void etl_bytes_image_pdb(struct etl_bytes *bytes, uint64_t ticks, uint32_t pid,
				       uint64_t base, const char *guid, uint32_t age,
				       const char *pdb)
{
	etl_bytes_begin_full(bytes, ETL_BYTES_IMAGE_ID, 36, 2, pid, 8, ticks);
	etl_bytes_pointer(bytes, base);
	etl_bytes_u32(bytes, pid);
	etl_bytes_guid(bytes, guid);
	etl_bytes_u32(bytes, age);
	etl_bytes_text(bytes, pdb);
	etl_bytes_end_event(bytes);
}

static inline void etl_bytes_volume(struct etl_bytes *bytes, uint64_t ticks, const char *from,
				    const char *to)
{
	etl_bytes_begin_full(bytes, ETL_BYTES_CONFIG, 35, 2, 4, 8, ticks);
	etl_bytes_utf16(bytes, from);
	etl_bytes_utf16(bytes, to);
	etl_bytes_end_event(bytes);
}

/** @flags: 1 in a DPC, 2 in an interrupt. */
static inline void etl_bytes_sample(struct etl_bytes *bytes, uint64_t ticks, uint64_t ip,
				    uint32_t tid, uint8_t flags)
{
	etl_bytes_begin_perfinfo(bytes, 15, 46, 2, ticks, NULL, 0);
	etl_bytes_pointer(bytes, ip);
	etl_bytes_u32(bytes, tid);
	etl_bytes_u16(bytes, 1);
	etl_bytes_u8(bytes, 0x40 | flags);
	etl_bytes_u8(bytes, 0);
	etl_bytes_end_event(bytes);
}

static inline void etl_bytes_counter_sample(struct etl_bytes *bytes, uint64_t ticks, uint64_t ip,
					    uint32_t tid, uint16_t source)
{
	etl_bytes_begin_perfinfo(bytes, 15, 47, 2, ticks, NULL, 0);
	etl_bytes_pointer(bytes, ip);
	etl_bytes_u32(bytes, tid);
	etl_bytes_u16(bytes, source);
	etl_bytes_u16(bytes, 0);
	etl_bytes_end_event(bytes);
}

/** @opcode: 72 set, 73 at the begin, 74 at the end. @name: NULL: version 2, which has none. */
static inline void etl_bytes_interval(struct etl_bytes *bytes, uint64_t ticks, uint8_t opcode,
				      uint32_t source, uint32_t interval, const char *name)
{
	etl_bytes_begin_system(bytes, 15, opcode, name ? 3 : 2, 4, 8, ticks);
	etl_bytes_u32(bytes, source);
	etl_bytes_u32(bytes, interval);
	etl_bytes_u32(bytes, interval);
	if (name)
		etl_bytes_utf16(bytes, name);
	etl_bytes_end_event(bytes);
}

/** @opcode: 66, 68 or 69 a DPC, 67 an interrupt; at its end. */
static inline void etl_bytes_interrupt(struct etl_bytes *bytes, uint64_t ticks, uint8_t opcode,
				       uint64_t began, uint64_t routine)
{
	etl_bytes_begin_perfinfo(bytes, 15, opcode, 2, ticks, NULL, 0);
	etl_bytes_u64(bytes, began);
	etl_bytes_pointer(bytes, routine);
	etl_bytes_end_event(bytes);
}

struct etl_bytes_switch {
	uint32_t new_tid, old_tid;
	uint8_t state; /* of the old one: 4 has ended, 5 waits */
	uint64_t counters[2];
	unsigned num_counters;
};

static inline void etl_bytes_switch(struct etl_bytes *bytes, uint64_t ticks,
				    const struct etl_bytes_switch *change)
{
	etl_bytes_begin_perfinfo(bytes, 5, 36, 4, ticks, change->counters, change->num_counters);
	etl_bytes_u32(bytes, change->new_tid);
	etl_bytes_u32(bytes, change->old_tid);
	etl_bytes_zeros(bytes, 6);
	etl_bytes_u8(bytes, change->state);
	etl_bytes_zeros(bytes, 9);
	etl_bytes_end_event(bytes);
}

static inline void etl_bytes_ready(struct etl_bytes *bytes, uint64_t ticks, uint32_t tid)
{
	etl_bytes_begin_perfinfo(bytes, 5, 50, 2, ticks, NULL, 0);
	etl_bytes_u32(bytes, tid);
	etl_bytes_zeros(bytes, 4);
	etl_bytes_end_event(bytes);
}

static inline void etl_bytes_addresses(struct etl_bytes *bytes, const uint64_t *addresses,
				       size_t num)
{
	for (size_t i = 0; i < num; i++)
		etl_bytes_pointer(bytes, addresses[i]);
}

/** Up to 8 addresses, up to the first that is 0. */
#define ETL_BYTES_FRAMES(...) ((const uint64_t[9]){__VA_ARGS__})

static inline size_t etl_bytes_num_frames(const uint64_t *frames)
{
	size_t num = 0;
	while (frames[num])
		num++;
	return num;
}

/** A part of the stack of the event at @of. */
static inline void etl_bytes_stack(struct etl_bytes *bytes, uint64_t ticks, uint64_t of,
				   uint32_t pid, uint32_t tid, const uint64_t *frames)
{
	etl_bytes_begin_perfinfo(bytes, 24, 32, 2, ticks, NULL, 0);
	etl_bytes_u64(bytes, of);
	etl_bytes_u32(bytes, pid);
	etl_bytes_u32(bytes, tid);
	etl_bytes_addresses(bytes, frames, etl_bytes_num_frames(frames));
	etl_bytes_end_event(bytes);
}

/** The same by a key. @opcode: 37 kernel, 38 user. */
static inline void etl_bytes_stack_key(struct etl_bytes *bytes, uint64_t ticks, uint8_t opcode,
				       uint64_t of, uint32_t pid, uint32_t tid, uint64_t key)
{
	etl_bytes_begin_perfinfo(bytes, 24, opcode, 2, ticks, NULL, 0);
	etl_bytes_u64(bytes, of);
	etl_bytes_u32(bytes, pid);
	etl_bytes_u32(bytes, tid);
	etl_bytes_pointer(bytes, key);
	etl_bytes_end_event(bytes);
}

/** What a key means. @opcode: 34 made, 35 deleted, 36 there at the end. */
static inline void etl_bytes_key_stack(struct etl_bytes *bytes, uint64_t ticks, uint8_t opcode,
				       uint64_t key, const uint64_t *frames)
{
	etl_bytes_begin_perfinfo(bytes, 24, opcode, 2, ticks, NULL, 0);
	etl_bytes_pointer(bytes, key);
	etl_bytes_addresses(bytes, frames, etl_bytes_num_frames(frames));
	etl_bytes_end_event(bytes);
}

/** .NET compiled a method. */
static inline void etl_bytes_method(struct etl_bytes *bytes, uint64_t ticks, uint32_t pid,
				    uint64_t start, uint32_t size, const char *space,
				    const char *name, const char *signature)
{
	etl_bytes_begin_event(bytes, &(struct etl_bytes_event){
					     .guid = ETL_BYTES_CLR,
					     .id = 143,
					     .version = 1,
					     .pid = pid,
					     .tid = 8,
					     .ticks = ticks,
				     });
	etl_bytes_zeros(bytes, 16); // method, module
	etl_bytes_u64(bytes, start);
	etl_bytes_u32(bytes, size);
	etl_bytes_zeros(bytes, 8); // token, flags
	etl_bytes_utf16(bytes, space);
	etl_bytes_utf16(bytes, name);
	etl_bytes_utf16(bytes, signature);
	etl_bytes_u16(bytes, 1);
	etl_bytes_end_event(bytes);
}

#endif
