// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_payload.h"

// Each field is read by a statement of its own: C does not say in which order the values of an
// initializer are computed. Layouts are those of the MOF classes of the NT Kernel Logger and of the
// manifest of .NET, as documented by Microsoft; later versions of an event append to it. Pointers
// have the size that the event's header says, and addresses of a 32-bit kernel are zero-extended
// here: who knows the recording extends them (etl_records.c).

static struct reader etl_payload_reader(const struct etl_event *event)
{
	return reader_create(event->payload, event->payload_size);
}

static uint64_t etl_payload_take_pointer(const struct etl_event *event, struct reader *reader)
{
	return event->pointer_size == sizeof(uint32_t) ? reader_u32(reader) : reader_u64(reader);
}

static void etl_payload_skip_pointers(const struct etl_event *event, struct reader *reader,
				      size_t count)
{
	reader_skip(reader, count * event->pointer_size);
}

uint64_t etl_payload_pointer(const struct etl_event *event, const uint8_t *bytes)
{
	return event->pointer_size == sizeof(uint32_t) ? byte_order_load32(bytes, false)
						       : byte_order_load64(bytes, false);
}

/** A user's SID, which has the two pointers of TOKEN_USER in front; or a 0. */
static void etl_payload_skip_sid(const struct etl_event *event, struct reader *reader)
{
	enum { AUTHORITY_SIZE = 6 };
	struct reader ahead = *reader;
	if (reader_u32(&ahead) == 0) {
		*reader = ahead;
		return;
	}
	etl_payload_skip_pointers(event, reader, 2);
	reader_skip(reader, 1);
	uint32_t num_parts = reader_u8(reader);
	reader_skip(reader, AUTHORITY_SIZE + num_parts * sizeof(uint32_t));
}

bool etl_payload_process(const struct etl_event *event, struct etl_process *ret)
{
	struct reader reader = etl_payload_reader(event);
	etl_payload_skip_pointers(event, &reader, 1);
	struct etl_process process = {.pid = reader_u32(&reader)};
	process.parent = reader_u32(&reader);
	reader_skip(&reader, 2 * sizeof(uint32_t)); // session, exit status
	if (event->version >= 3)
		etl_payload_skip_pointers(event, &reader, 1);
	if (event->version >= 4)
		reader_skip(&reader, sizeof(uint32_t));
	etl_payload_skip_sid(event, &reader);
	if (reader.failed || event->version < 1)
		return false;
	process.image = etl_text_ansi(&reader);
	*ret = process;
	return true;
}

bool etl_payload_thread(const struct etl_event *event, struct etl_thread *ret)
{
	enum { POINTERS = 7, REST = 8 }; // before the name: stacks, start, TEB; tag, priorities
	struct reader reader = etl_payload_reader(event);
	uint32_t first = reader_u32(&reader);
	uint32_t second = reader_u32(&reader);
	if (reader.failed)
		return false;
	*ret = event->version >= 1 ? (struct etl_thread){.pid = first, .tid = second}
				   : (struct etl_thread){.pid = second, .tid = first};
	etl_payload_skip_pointers(event, &reader, POINTERS);
	reader_skip(&reader, REST);
	if (event->version >= 3 && reader_left(&reader))
		ret->name = etl_text_wide(&reader);
	return true;
}

bool etl_payload_thread_name(const struct etl_event *event, struct etl_thread *ret)
{
	struct reader reader = etl_payload_reader(event);
	struct etl_thread thread = {.pid = reader_u32(&reader)};
	thread.tid = reader_u32(&reader);
	if (reader.failed)
		return false;
	thread.name = etl_text_wide(&reader);
	*ret = thread;
	return true;
}

bool etl_payload_image(const struct etl_event *event, struct etl_image *ret)
{
	enum { RESERVED = 4 };
	struct reader reader = etl_payload_reader(event);
	struct etl_image image = {.base = etl_payload_take_pointer(event, &reader)};
	image.size =
		event->version ? etl_payload_take_pointer(event, &reader) : reader_u32(&reader);
	if (event->version >= 1)
		image.pid = reader_u32(&reader);
	if (event->version >= 2) {
		reader_skip(&reader, sizeof(uint32_t)); // checksum
		image.time_stamp = reader_u32(&reader);
		reader_skip(&reader, sizeof(uint32_t));
		etl_payload_skip_pointers(event, &reader, 1);
		reader_skip(&reader, RESERVED * sizeof(uint32_t));
	}
	if (reader.failed)
		return false;
	image.path = etl_text_wide(&reader);
	*ret = image;
	return true;
}

bool etl_payload_image_id(const struct etl_event *event, struct etl_image_id *ret)
{
	struct reader reader = etl_payload_reader(event);
	struct etl_image_id id = {.base = etl_payload_take_pointer(event, &reader)};
	if (event->opcode == ETL_IMAGE_ID_HEADERS) {
		etl_payload_skip_pointers(event, &reader, 1);
		id.pid = reader_u32(&reader);
		id.time_stamp = reader_u32(&reader);
	} else {
		id.pid = reader_u32(&reader);
		id.guid = reader_bytes(&reader, ETL_GUID_SIZE);
		id.age = reader_u32(&reader);
	}
	if (reader.failed)
		return false;
	if (id.guid)
		id.pdb = etl_text_ansi(&reader);
	*ret = id;
	return true;
}

bool etl_payload_volume(const struct etl_event *event, struct etl_volume *ret)
{
	struct reader reader = etl_payload_reader(event);
	ret->from = etl_text_wide(&reader);
	ret->to = etl_text_wide(&reader);
	return ret->from.size > 0;
}

bool etl_payload_sample(const struct etl_event *event, struct etl_sample *ret)
{
	enum { IN_DPC = 1, IN_ISR = 2 };
	struct reader reader = etl_payload_reader(event);
	struct etl_sample sample = {.ip = etl_payload_take_pointer(event, &reader)};
	sample.tid = reader_u32(&reader);
	uint16_t word = reader_u16(&reader); // a count, or the source
	uint8_t flags = reader_u8(&reader);
	if (reader.failed)
		return false;
	if (event->opcode == ETL_COUNTER_SAMPLE)
		sample.source = word;
	else
		sample.in_interrupt = flags & (IN_DPC | IN_ISR);
	*ret = sample;
	return true;
}

bool etl_payload_interval(const struct etl_event *event, struct etl_interval *ret)
{
	struct reader reader = etl_payload_reader(event);
	struct etl_interval interval = {.source = reader_u32(&reader)};
	interval.interval = reader_u32(&reader);
	reader_skip(&reader, sizeof(uint32_t)); // the old one
	if (reader.failed)
		return false;
	interval.name = etl_text_wide(&reader);
	*ret = interval;
	return true;
}

bool etl_payload_counter_names(const struct etl_event *event, struct etl_text *ret, size_t most,
			       size_t *ret_num)
{
	struct reader reader = etl_payload_reader(event);
	uint32_t num = reader_u32(&reader);
	if (reader.failed || num > most)
		return false;
	for (uint32_t i = 0; i < num; i++)
		ret[i] = etl_text_wide(&reader);
	*ret_num = num;
	return true;
}

bool etl_payload_switch(const struct etl_event *event, struct etl_switch *ret)
{
	// Behind the threads: two priorities, C state, a byte, wait reason, wait mode.
	enum { BEFORE_STATE = 6, TERMINATED = 4 };
	struct reader reader = etl_payload_reader(event);
	struct etl_switch change = {.new_tid = reader_u32(&reader)};
	change.old_tid = reader_u32(&reader);
	reader_skip(&reader, BEFORE_STATE);
	change.has_ended = reader_u8(&reader) == TERMINATED;
	if (reader.failed || event->version < 2)
		return false;
	*ret = change;
	return true;
}

bool etl_payload_ready(const struct etl_event *event, uint32_t *ret_tid)
{
	struct reader reader = etl_payload_reader(event);
	uint32_t tid = reader_u32(&reader);
	if (reader.failed)
		return false;
	*ret_tid = tid;
	return true;
}

bool etl_payload_interrupt(const struct etl_event *event, struct etl_interrupt *ret)
{
	struct reader reader = etl_payload_reader(event);
	uint64_t began = reader_u64(&reader);
	uint64_t routine = etl_payload_take_pointer(event, &reader);
	if (reader.failed)
		return false;
	*ret = (struct etl_interrupt){etl_clock_ns(event->clock, began), routine};
	return ret->began_ns <= event->time_ns;
}

bool etl_payload_stack(const struct etl_event *event, struct etl_stack *ret)
{
	struct reader reader = etl_payload_reader(event);
	struct etl_stack stack = {0};
	bool is_definition =
		event->opcode >= ETL_STACK_CREATED && event->opcode <= ETL_STACK_RUNDOWN;
	if (!is_definition) {
		stack.time_ns = etl_clock_ns(event->clock, reader_u64(&reader));
		stack.pid = reader_u32(&reader);
		stack.tid = reader_u32(&reader);
	}
	if (event->opcode != ETL_STACK)
		stack.key = etl_payload_take_pointer(event, &reader);
	if (reader.failed)
		return false;
	if (event->opcode == ETL_STACK || is_definition) {
		stack.num_addresses = reader_left(&reader) / event->pointer_size;
		stack.addresses = reader_bytes(&reader, stack.num_addresses * event->pointer_size);
	}
	*ret = stack;
	return true;
}

bool etl_payload_cpu(const struct etl_event *event, struct etl_cpu *ret)
{
	enum { COMPUTER_SIZE = 512, DOMAIN_SIZE = 268 };
	struct reader reader = etl_payload_reader(event);
	struct etl_cpu cpu = {.mhz = reader_u32(&reader), .architecture = UINT32_MAX};
	reader_skip(&reader, sizeof(uint32_t));
	cpu.memory_mb = reader_u32(&reader);
	reader_skip(&reader, 2 * sizeof(uint32_t)); // sizes of pages
	cpu.computer = etl_text_field(&reader, COMPUTER_SIZE);
	if (reader.failed)
		return false;
	reader_skip(&reader, DOMAIN_SIZE);
	etl_payload_skip_pointers(event, &reader, 2);
	uint32_t architecture = reader_u16(&reader);
	if (!reader.failed && event->version >= 3)
		cpu.architecture = architecture;
	*ret = cpu;
	return true;
}

bool etl_payload_processor(const struct etl_event *event, struct etl_processor *ret)
{
	enum { BEFORE_NAME = 12, FIELD_SIZE = 128 };
	struct reader reader = etl_payload_reader(event);
	reader_skip(&reader, BEFORE_NAME);
	struct etl_processor processor = {.name = etl_text_field(&reader, FIELD_SIZE)};
	processor.identifier = etl_text_field(&reader, FIELD_SIZE);
	if (reader.failed)
		return false;
	*ret = processor;
	return true;
}

bool etl_payload_method(const struct etl_event *event, struct etl_method *ret)
{
	struct reader reader = etl_payload_reader(event);
	reader_skip(&reader, 2 * sizeof(uint64_t)); // method, module
	struct etl_method method = {.start = reader_u64(&reader)};
	method.size = reader_u32(&reader);
	reader_skip(&reader, 2 * sizeof(uint32_t)); // token, flags
	if (reader.failed)
		return false;
	method.space = etl_text_wide(&reader);
	method.name = etl_text_wide(&reader);
	method.signature = etl_text_wide(&reader);
	*ret = method;
	return true;
}
