// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/etl_event_header.h"

#include "base/byte_order.h"
#include "record/etl/file/etl_class.h"

// The third byte of every header says which one it is, the fourth has marks. Headers of the kernel
// (SYSTEM_TRACE_HEADER, PERFINFO_TRACE_HEADER) begin with a version and have the size behind the
// marks; those of EVENT_TRACE_HEADER, EVENT_INSTANCE_HEADER and EVENT_HEADER begin with the size.
// Microsoft documents the latter in evntrace.h and evntcons.h; of the others only the layout is
// public, in ntwmi.h and symbols.

enum header_type {
	SYSTEM_32 = 1,
	SYSTEM_64,
	COMPACT_32,
	COMPACT_64,
	FULL_32 = 10,
	INSTANCE_32,
	ERROR = 13,
	MESSAGE = 15,
	PERFINFO_32,
	PERFINFO_64,
	EVENT_32,
	EVENT_64,
	FULL_64,
	INSTANCE_64,
};

enum { MARK_OF_ALL = 0x80, ALIGNMENT = 8 };
enum { SYSTEM_SIZE = 32, COMPACT_SIZE = 24, PERFINFO_SIZE = 16, FULL_SIZE = 48, EVENT_SIZE = 80 };

static uint16_t event_u16(const uint8_t *bytes)
{
	return byte_order_load16(bytes, false);
}

static void set_payload(struct etl_event *event, const uint8_t *bytes, uint32_t begin,
			uint32_t size)
{
	event->payload = bytes + begin;
	event->payload_size = size - begin;
}

// SYSTEM and COMPACT; the latter lacks the two CPU times at the end.
static bool read_system(const uint8_t *bytes, uint32_t header_size, uint32_t size,
			struct etl_event *ret, uint64_t *ret_ticks)
{
	if (size < header_size)
		return false;
	ret->version = bytes[0];
	ret->opcode = bytes[6];
	ret->class = bytes[7];
	ret->tid = byte_order_load32(bytes + 8, false);
	ret->pid = byte_order_load32(bytes + 12, false);
	*ret_ticks = byte_order_load64(bytes + 16, false);
	set_payload(ret, bytes, header_size, size);
	return true;
}

// The high byte of the version says what stands between header and payload: bits 0 to 2 the number
// of counters, bit 7 an index of Intel's PEBS before them.
static bool read_perfinfo(const uint8_t *bytes, uint32_t size, struct etl_event *ret,
			  uint64_t *ret_ticks)
{
	enum { COUNTERS_SHIFT = 8, COUNTERS_MASK = 7, HAS_PEBS_INDEX = 0x8000 };
	if (size < PERFINFO_SIZE)
		return false;
	uint16_t version = event_u16(bytes);
	uint32_t counters = PERFINFO_SIZE + (version & HAS_PEBS_INDEX ? sizeof(uint64_t) : 0);
	uint32_t num_counters = version >> COUNTERS_SHIFT & COUNTERS_MASK;
	uint32_t begin = counters + num_counters * (uint32_t)sizeof(uint64_t);
	if (begin > size)
		return false;
	ret->version = bytes[0];
	ret->opcode = bytes[6];
	ret->class = bytes[7];
	ret->pid = ret->tid = ETL_NO_ID;
	*ret_ticks = byte_order_load64(bytes + 8, false);
	if (num_counters) {
		ret->counters = bytes + counters;
		ret->num_counters = num_counters;
	}
	set_payload(ret, bytes, begin, size);
	return true;
}

// What FULL and EVENT have in common.
static void read_ids(const uint8_t *bytes, struct etl_event *ret, uint64_t *ret_ticks)
{
	ret->tid = byte_order_load32(bytes + 8, false);
	ret->pid = byte_order_load32(bytes + 12, false);
	*ret_ticks = byte_order_load64(bytes + 16, false);
	ret->guid = bytes + 24;
	ret->class = etl_class_of_guid(ret->guid);
}

static bool read_full(const uint8_t *bytes, uint32_t size, struct etl_event *ret,
		      uint64_t *ret_ticks)
{
	if (size < FULL_SIZE)
		return false;
	read_ids(bytes, ret, ret_ticks);
	ret->opcode = bytes[4];
	ret->version = bytes[6];
	set_payload(ret, bytes, FULL_SIZE, size);
	return true;
}

enum { ITEM_HEADER_SIZE = 8 };

/** The size of an item, whose header has @left bytes; 0: it is none. */
static uint32_t item_size(const uint8_t *bytes, uint32_t left)
{
	if (left < ITEM_HEADER_SIZE)
		return 0;
	uint32_t size = event_u16(bytes);
	return size >= ITEM_HEADER_SIZE && size <= left ? size : 0;
}

// Items are behind the header, each padded to 8; a bit says that another one follows.
static bool read_items(const uint8_t *bytes, uint32_t size, struct etl_event *ret,
		       uint32_t *ret_end)
{
	enum { AT_LINKAGE = 4, ANOTHER_FOLLOWS = 1 };
	uint32_t end = EVENT_SIZE;
	for (bool more = true; more;) {
		uint32_t length = item_size(bytes + end, size - end);
		if (!length)
			return false;
		more = event_u16(bytes + end + AT_LINKAGE) & ANOTHER_FOLLOWS;
		uint32_t padded = (length + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1);
		end += padded <= size - end ? padded : length;
	}
	ret->items = bytes + EVENT_SIZE;
	ret->items_size = end - EVENT_SIZE;
	*ret_end = end;
	return true;
}

static bool read_event(const uint8_t *bytes, uint32_t size, struct etl_event *ret,
		       uint64_t *ret_ticks)
{
	enum { AT_FLAGS = 4, HAS_ITEMS = 1 };
	if (size < EVENT_SIZE)
		return false;
	read_ids(bytes, ret, ret_ticks);
	ret->id = event_u16(bytes + 40);
	ret->version = bytes[42];
	ret->opcode = bytes[45];
	uint32_t begin = EVENT_SIZE;
	if (event_u16(bytes + AT_FLAGS) & HAS_ITEMS && !read_items(bytes, size, ret, &begin))
		return false;
	set_payload(ret, bytes, begin, size);
	return true;
}

// Some events ahead: payloads that nobody reads are stepped over, which the processor does not
// foresee.
enum { PREFETCH = 512 };

enum etl_event_result etl_event_read(const uint8_t *bytes, uint32_t left, struct etl_event *ret,
				     uint64_t *ret_ticks, uint32_t *ret_size)
{
	if (left > PREFETCH)
		__builtin_prefetch(bytes + PREFETCH);
	if (left < ALIGNMENT || !(bytes[3] & MARK_OF_ALL))
		return ETL_EVENT_BAD;
	enum header_type type = bytes[2];
	bool is_of_kernel = type <= COMPACT_64 || type == PERFINFO_32 || type == PERFINFO_64;
	uint32_t size = event_u16(bytes + (is_of_kernel ? 4 : 0));
	if (size < ALIGNMENT || size > left)
		return ETL_EVENT_BAD;
	*ret = (struct etl_event){
		// Even types are of 64 bits; of PERFINFO and EVENT the odd ones.
		.pointer_size =
			(type % 2 == 0) != (type >= PERFINFO_32 && type <= EVENT_64) ? 8 : 4,
	};
	bool is_good = true;
	enum etl_event_result result = ETL_EVENT_FOUND;
	switch (type) {
	case SYSTEM_32:
	case SYSTEM_64:
		is_good = read_system(bytes, SYSTEM_SIZE, size, ret, ret_ticks);
		break;
	case COMPACT_32:
	case COMPACT_64:
		is_good = read_system(bytes, COMPACT_SIZE, size, ret, ret_ticks);
		break;
	case PERFINFO_32:
	case PERFINFO_64:
		is_good = read_perfinfo(bytes, size, ret, ret_ticks);
		break;
	case FULL_32:
	case FULL_64:
		is_good = read_full(bytes, size, ret, ret_ticks);
		break;
	case EVENT_32:
	case EVENT_64:
		is_good = read_event(bytes, size, ret, ret_ticks);
		break;
	case INSTANCE_32:
	case INSTANCE_64:
	case ERROR:
	case MESSAGE:
		result = ETL_EVENT_SKIPPED;
		break;
	default:
		is_good = false;
	}
	if (!is_good)
		return ETL_EVENT_BAD;
	*ret_size = (size + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1);
	return result;
}

uint64_t etl_event_counter(const struct etl_event *event, uint32_t n)
{
	return byte_order_load64(event->counters + n * sizeof(uint64_t), false);
}

bool etl_event_next_item(const struct etl_event *event, uint32_t *offset, struct etl_item *ret)
{
	enum { AT_TYPE = 2, AT_DATA_SIZE = 6 };
	if (*offset >= event->items_size)
		return false;
	const uint8_t *bytes = event->items + *offset;
	uint32_t size = item_size(bytes, event->items_size - *offset);
	if (!size)
		return false;
	uint32_t data_size = event_u16(bytes + AT_DATA_SIZE);
	*ret = (struct etl_item){
		.type = event_u16(bytes + AT_TYPE),
		.data = bytes + ITEM_HEADER_SIZE,
		.size = data_size <= size - ITEM_HEADER_SIZE ? data_size : size - ITEM_HEADER_SIZE,
	};
	*offset += (size + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1);
	return true;
}
