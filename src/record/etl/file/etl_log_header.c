// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/etl_log_header.h"

#include "base/reader.h"

#include <string.h>

// TRACE_LOGFILE_HEADER of evntrace.h. Two pointers (to names, meaningless in a file) are in its
// middle; the second half begins behind the time zone. Both names follow it.
enum {
	AT_BUFFER_SIZE = 0,
	AT_MAJOR = 4,
	AT_BUILD = 8,
	AT_END = 16,
	AT_MODE = 32,
	AT_POINTER_SIZE = 44,
	AT_POINTERS = 56,
	TIME_ZONE_SIZE = 176,
};

// The text that the joining functions of Windows leave instead of a file's name. In UTF-16.
static bool is_joined(struct reader *reader)
{
	static const char text[] = "[multiple files]";
	while (reader_left(reader) >= sizeof(uint16_t))
		if (!reader_u16(reader))
			break;
	for (size_t i = 0; i < sizeof(text) - 1; i++)
		if (reader_u16(reader) != (uint16_t)text[i])
			return false;
	return !reader->failed;
}

bool etl_log_header_read(const struct etl_event *event, uint64_t ticks, struct etl_log_header *ret)
{
	if (event->class != ETL_CLASS_HEADER || event->opcode)
		return false;
	struct reader reader = reader_create(event->payload, event->payload_size);
	struct etl_log_header header = {.start_ticks = ticks};
	header.buffer_size = reader_u32(&reader);
	header.major = reader_u8(&reader);
	header.minor = reader_u8(&reader);
	reader_seek(&reader, AT_BUILD);
	header.build = reader_u32(&reader);
	header.num_cpus = reader_u32(&reader);
	header.end = reader_u64(&reader);
	reader_seek(&reader, AT_MODE);
	header.mode = reader_u32(&reader);
	header.buffers_written = reader_u32(&reader);
	reader_seek(&reader, AT_POINTER_SIZE);
	uint32_t pointer_size = reader_u32(&reader);
	header.pointer_size =
		pointer_size == 4 || pointer_size == 8 ? pointer_size : event->pointer_size;
	header.events_lost = reader_u32(&reader);
	header.mhz = reader_u32(&reader);
	reader_seek(&reader, AT_POINTERS + 2 * (size_t)event->pointer_size + TIME_ZONE_SIZE);
	header.boot = reader_u64(&reader);
	header.frequency_hz = reader_u64(&reader);
	header.start = reader_u64(&reader);
	uint32_t clock = reader_u32(&reader);
	// Windows takes the performance counter where a session asks for no clock.
	header.clock =
		clock == ETL_CLOCK_WALL || clock == ETL_CLOCK_CYCLES ? clock : ETL_CLOCK_COUNTER;
	header.buffers_lost = reader_u32(&reader);
	if (reader.failed)
		return false;
	header.is_joined = is_joined(&reader);
	*ret = header;
	return true;
}

uint64_t etl_wall_ns(uint64_t date)
{
	enum { NS_PER_TICK = 100 };
	const uint64_t until_1970 = UINT64_C(116444736000000000);
	return date < until_1970 ? 0 : (date - until_1970) * NS_PER_TICK;
}
