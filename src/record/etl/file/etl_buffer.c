// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/etl_buffer.h"

#include "base/byte_order.h"

// WMI_BUFFER_HEADER of Windows' ntwmi.h (and of the public symbols of ntdll), as it is in files.
// The first buffer of files before Windows 8 has its used size only in the second place.
enum {
	AT_SIZE = 0,
	AT_SAVED = 4,
	AT_SEQUENCE = 24,
	AT_CPU = 40,
	AT_STATE = 44,
	AT_OFFSET = 48,
	AT_FLAGS = 52,
	AT_TYPE = 54,
};

enum {
	FLAG_CPU_INDEX = 0x20,
	FLAG_PACKED = 0x40,
	TYPE_FIRST = 4,
	LOW_BYTE = 0xff,
};

bool etl_buffer_read(const uint8_t *bytes, struct etl_buffer *ret)
{
	uint32_t saved = byte_order_load32(bytes + AT_SAVED, false);
	uint16_t flags = byte_order_load16(bytes + AT_FLAGS, false);
	uint16_t cpu = byte_order_load16(bytes + AT_CPU, false);
	*ret = (struct etl_buffer){
		.sequence = (int64_t)byte_order_load64(bytes + AT_SEQUENCE, false),
		.size = byte_order_load32(bytes + AT_SIZE, false),
		.used = saved ? saved : byte_order_load32(bytes + AT_OFFSET, false),
		// Without the flag the high byte is the alignment of the buffer.
		.cpu = flags & FLAG_CPU_INDEX ? cpu : cpu & LOW_BYTE,
		.packing = byte_order_load16(bytes + AT_STATE, false),
		.is_packed = (flags & FLAG_PACKED) != 0,
		.is_first = byte_order_load16(bytes + AT_TYPE, false) == TYPE_FIRST,
	};
	return ret->size >= ETL_BUFFER_HEADER_SIZE && ret->size <= ETL_BUFFER_MAX_SIZE &&
	       ret->used >= ETL_BUFFER_HEADER_SIZE && ret->used <= ETL_BUFFER_MAX_SIZE &&
	       (ret->is_packed || ret->used <= ret->size);
}

// The first event describes the file. Its header is a SYSTEM one, of either pointer size, with
// opcode and group 0 (etl_event_header.c has the layout).
bool etl_buffer_begins_file(const uint8_t *bytes, size_t size)
{
	enum { AT_EVENT_TYPE = 2, AT_EVENT_FLAGS = 3, AT_OPCODE = 6, AT_GROUP = 7, MARKED = 0xc0 };
	struct etl_buffer buffer;
	if (size < ETL_BUFFER_HEADER_SIZE + 8 || !etl_buffer_read(bytes, &buffer))
		return false;
	const uint8_t *event = bytes + ETL_BUFFER_HEADER_SIZE;
	return buffer.is_first && !buffer.is_packed &&
	       (event[AT_EVENT_TYPE] == 1 || event[AT_EVENT_TYPE] == 2) &&
	       event[AT_EVENT_FLAGS] == MARKED && !event[AT_OPCODE] && !event[AT_GROUP];
}
