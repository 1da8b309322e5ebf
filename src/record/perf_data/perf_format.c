// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/perf_format.h"

#include "base/container/array.h"
#include "record/perf_data/perf_abi.h"
#include "record/perf_data/record_words.h"
#include "record/sample_decoder.h"

#include <string.h>

// Decodes the kernel's records: the comments of enum perf_event_type in linux/perf_event.h give
// their fields. Which fields a sample has depends on the sample_type of its event, so the event
// must be known first. It is found by an id that is always at the same place: with
// PERF_SAMPLE_IDENTIFIER it is the first word of samples and the last of other records, else it is
// counted from the fields before or behind it (find_id()). All events of a file have the id at the
// same place (event_table.c), so the format of the first one is enough to find it.
//
// Records that are no samples have a trailer with pid, time and CPU (sample_id_all), which is cut
// off first, as some records end with a string of any length. perf_format_time() finds only the
// time, for the sort, without decoding the rest.
//
// All fields are words of 8 bytes. struct record_words counts them and fails when a record is too
// short; the failure is checked once at the end.

enum { PROTECTION_EXECUTE = 4 };

// All fields of a sample before these are one word each.
#define BEFORE_TIME (PERF_ABI_IDENTIFIER | PERF_ABI_IP | PERF_ABI_TID)
#define BEFORE_ID   (BEFORE_TIME | PERF_ABI_TIME | PERF_ABI_ADDR)
// Fields of the trailer, in their order, one word each.
#define TRAILER_BEHIND_ID   (PERF_ABI_STREAM_ID | PERF_ABI_CPU | PERF_ABI_IDENTIFIER)
#define TRAILER_BEHIND_TIME (PERF_ABI_ID | TRAILER_BEHIND_ID)
#define TRAILER             (PERF_ABI_TID | PERF_ABI_TIME | TRAILER_BEHIND_TIME)

static bool has_trailer(const struct perf_format *format, uint32_t type)
{
	return format->sample_id_all && type < PERF_ABI_FIRST_OF_TOOLS;
}

// The id of a record, where the formats say it is.
static bool find_id(const struct perf_format *format, uint32_t type,
		    const struct record_words *words, uint64_t *ret)
{
	uint64_t sample_type = format->sample_type;
	if (!(sample_type & (PERF_ABI_IDENTIFIER | PERF_ABI_ID)))
		return false;
	size_t count = (size_t)(words->end - words->next), from_end, from_start;
	bool is_identifier = sample_type & PERF_ABI_IDENTIFIER;
	if (type == PERF_ABI_SAMPLE) {
		from_start = is_identifier ? 0 : record_words_count_bits(sample_type & BEFORE_ID);
	} else if (has_trailer(format, type)) {
		from_end = is_identifier
				   ? 1
				   : 1 + record_words_count_bits(sample_type & TRAILER_BEHIND_ID);
		from_start = count - from_end; // wraps when it is not there, which is caught below
	} else {
		return false;
	}
	if (from_start >= count)
		return false;
	*ret = words->next[from_start];
	return true;
}

static bool find_event_of_id(const struct perf_formats *formats, uint64_t id, uint32_t *ret)
{
	size_t first = 0, end = formats->num_ids;
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		if (formats->ids[middle].id < id)
			first = middle + 1;
		else
			end = middle;
	}
	if (first == formats->num_ids || formats->ids[first].id != id ||
	    formats->ids[first].event >= formats->num_events)
		return false;
	*ret = formats->ids[first].event;
	return true;
}

// Which event it is of; false if it is a sample of none that we know. Other records may have the
// id 0, where perf made them up: the first event's format is as good as any for their trailer.
static bool perf_format_find_event(const struct perf_formats *formats, uint32_t type,
				   const struct record_words *words, uint32_t *ret)
{
	uint64_t id;
	*ret = 0;
	if (formats->num_events <= 1 || !find_id(&formats->events[0], type, words, &id))
		return true;
	return find_event_of_id(formats, id, ret) || type != PERF_ABI_SAMPLE;
}

// The rest of the words must be a string that ends.
static const char *take_string(struct record_words *words)
{
	size_t size = (size_t)(words->end - words->next) * RECORD_WORD_SIZE;
	const char *text = (const char *)words->next;
	if (!size || !memchr(text, 0, size)) {
		words->failed = true;
		return NULL;
	}
	words->next = words->end;
	return text;
}

// u8 build_id_size, three reserved bytes, u8 build_id[20].
static void take_build_id(struct record_words *words, struct record_build_id *ret)
{
	const uint8_t *bytes = (const uint8_t *)record_words_take_many(words, 3);
	if (!bytes)
		return;
	if (bytes[0] > RECORD_BUILD_ID_MAX) {
		words->failed = true;
		return;
	}
	ret->size = bytes[0];
	memcpy(ret->bytes, bytes + 4, ret->size);
}

// PERF_RECORD_MMAP: pid, tid, addr, len, pgoff, filename. MMAP2 has between the last two: maj, min,
// ino, ino_generation (or build_id_size and build_id in their place), prot, flags.
static void decode_map(const struct perf_abi_header *header, struct record_words *words,
		       struct record *record)
{
	struct record_map *map = &record->map;
	record->kind = RECORD_MAP;
	record_words_take_halves(words, &record->pid, &record->tid);
	map->start = record_words_take(words);
	map->length = record_words_take(words);
	map->file_offset = record_words_take(words);
	if (header->type == PERF_ABI_MMAP2) {
		uint32_t flags;
		if (header->misc & PERF_ABI_MISC_MMAP_BUILD_ID) {
			take_build_id(words, &map->build_id);
		} else {
			record_words_take_halves(words, &map->major, &map->minor);
			map->inode = record_words_take(words);
			map->inode_generation = record_words_take(words);
		}
		record_words_take_halves(words, &map->protection, &flags);
	}
	map->path = take_string(words);
	// PERF_RECORD_MMAP has no protection, but a flag of maps that are not executable.
	map->is_executable = map->protection ? map->protection & PROTECTION_EXECUTE
					     : !(header->misc & PERF_ABI_MISC_MMAP_DATA);
}

// PERF_RECORD_COMM: pid, tid, comm.
static void decode_comm(const struct perf_abi_header *header, struct record_words *words,
			struct record *record)
{
	record->kind = RECORD_COMM;
	record_words_take_halves(words, &record->pid, &record->tid);
	record->comm.name = take_string(words);
	record->comm.is_exec = header->misc & PERF_ABI_MISC_COMM_EXEC;
	record->comm.is_given = header->misc & PERF_ABI_MISC_COMM_GIVEN;
}

// PERF_RECORD_FORK and EXIT: pid, ppid, tid, ptid, time. The trailer's time is preferred, as it is
// that of all other records.
static void decode_task(const struct perf_abi_header *header, struct record_words *words,
			struct record *record)
{
	record->kind = header->type == PERF_ABI_FORK ? RECORD_FORK : RECORD_EXIT;
	record_words_take_halves(words, &record->pid, &record->task.parent_pid);
	record_words_take_halves(words, &record->tid, &record->task.parent_tid);
	uint64_t time = record_words_take(words);
	if (!record->time_ns)
		record->time_ns = time;
}

// PERF_RECORD_LOST: id, lost. LOST_SAMPLES: lost.
static void decode_lost(const struct perf_abi_header *header, struct record_words *words,
			struct record *record)
{
	record->kind = RECORD_LOST;
	if (header->type == PERF_ABI_LOST)
		record_words_take(words); // the id
	record->num_lost = record_words_take(words);
}

// PERF_RECORD_THROTTLE and UNTHROTTLE: time, id, stream_id.
static void decode_throttle(const struct perf_abi_header *header, struct record_words *words,
			    struct record *record)
{
	record->kind = RECORD_THROTTLE;
	record->is_throttled = header->type == PERF_ABI_THROTTLE;
	uint64_t time = record_words_take(words);
	if (!record->time_ns)
		record->time_ns = time;
}

/** Who is in the trailer; records of whole cores also have the other thread. */
static void decode_switch(const struct perf_abi_header *header, struct record_words *words,
			  struct record *record)
{
	record->kind = RECORD_SWITCH;
	record->change.is_out = header->misc & PERF_ABI_MISC_SWITCH_OUT;
	record->change.is_preempted =
		record->change.is_out && (header->misc & PERF_ABI_MISC_SWITCH_OUT_PREEMPT);
	bool is_wide = header->type == PERF_ABI_SWITCH_CPU_WIDE;
	record->change.other_pid = record->change.other_tid = UINT32_MAX;
	if (is_wide)
		record_words_take_halves(words, &record->change.other_pid,
					 &record->change.other_tid);
}

typedef void (*decode_fn)(const struct perf_abi_header *header, struct record_words *words,
			  struct record *record);

static decode_fn find_decoder(uint32_t type)
{
	static const decode_fn decoders[] = {
		[PERF_ABI_MMAP] = decode_map,
		[PERF_ABI_LOST] = decode_lost,
		[PERF_ABI_COMM] = decode_comm,
		[PERF_ABI_EXIT] = decode_task,
		[PERF_ABI_THROTTLE] = decode_throttle,
		[PERF_ABI_UNTHROTTLE] = decode_throttle,
		[PERF_ABI_FORK] = decode_task,
		[PERF_ABI_MMAP2] = decode_map,
		[PERF_ABI_LOST_SAMPLES] = decode_lost,
		[PERF_ABI_SWITCH] = decode_switch,
		[PERF_ABI_SWITCH_CPU_WIDE] = decode_switch,
	};
	return type < ARRAY_SIZE(decoders) ? decoders[type] : NULL;
}

// Who, when and where, at the end of everything that is no sample. Cut off from the words.
static void take_trailer(uint64_t sample_type, struct record_words *words, struct record *record)
{
	size_t size = record_words_count_bits(sample_type & TRAILER);
	if (size > (size_t)(words->end - words->next)) {
		words->failed = true;
		return;
	}
	words->end -= size;
	struct record_words trailer = {.next = words->end, .end = words->end + size};
	uint32_t unused;
	if (sample_type & PERF_ABI_TID)
		record_words_take_halves(&trailer, &record->pid, &record->tid);
	if (sample_type & PERF_ABI_TIME)
		record->time_ns = record_words_take(&trailer);
	record_words_take_many(&trailer, record_words_count_bits(
						 sample_type & (PERF_ABI_ID | PERF_ABI_STREAM_ID)));
	if (sample_type & PERF_ABI_CPU)
		record_words_take_halves(&trailer, &record->cpu, &unused);
}

static struct error *decode_body(const struct perf_formats *formats,
				 const struct perf_abi_header *header, struct record_words *words,
				 struct record *record)
{
	decode_fn decode = find_decoder(header->type);
	bool is_sample = header->type == PERF_ABI_SAMPLE;
	if (!formats->num_events) {
		if (is_sample)
			return error_create(ERROR_FAILED, "a sample precedes its event");
	} else {
		if (!perf_format_find_event(formats, header->type, words, &record->event))
			return error_create(ERROR_FAILED, "a sample of an unknown event");
		const struct perf_format *format = &formats->events[record->event];
		if (is_sample)
			sample_decode(format, words, record);
		else if (has_trailer(format, header->type))
			take_trailer(format->sample_type, words, record);
	}
	if (decode)
		decode(header, words, record);
	return NULL;
}

struct error *perf_format_decode(const struct perf_formats *formats, const void *bytes, size_t size,
				 struct record *ret)
{
	struct perf_abi_header header;
	if (size < sizeof(header))
		return error_create(ERROR_FAILED, "a record of %zu bytes", size);
	memcpy(&header, bytes, sizeof(header));
	if (header.size != size)
		return error_create(ERROR_FAILED, "a record of %zu bytes says that it has %u", size,
				    header.size);
	uint16_t mode = header.misc & PERF_ABI_MISC_MODE;
	struct record record = {
		.mode = mode <= RECORD_MODE_GUEST_USER ? (enum record_mode)mode
						       : RECORD_MODE_UNKNOWN,
		.cpu = UINT32_MAX,
		.raw = bytes,
		.raw_size = size,
	};
	const uint64_t *first = bytes;
	struct record_words words = {.next = first + 1, .end = first + size / RECORD_WORD_SIZE};
	struct error *err = NULL;
	if (header.type < PERF_ABI_FIRST_OF_TOOLS)
		err = decode_body(formats, &header, &words, &record);
	if (err)
		return err;
	if (words.failed)
		return error_create(ERROR_FAILED,
				    "a record of type %u and %zu bytes is too short for its fields",
				    header.type, size);
	*ret = record;
	return NULL;
}

static uint64_t perf_format_word_at(const struct record_words *words, size_t index)
{
	return index < (size_t)(words->end - words->next) ? words->next[index] : 0;
}

uint64_t perf_format_time(const struct perf_formats *formats, const void *bytes, size_t size)
{
	const struct perf_abi_header *header = bytes;
	const uint64_t *first = bytes;
	struct record_words words = {.next = first + 1, .end = first + size / RECORD_WORD_SIZE};
	uint32_t event;
	if (!formats->num_events || header->type >= PERF_ABI_FIRST_OF_TOOLS ||
	    !perf_format_find_event(formats, header->type, &words, &event))
		return 0;
	const struct perf_format *format = &formats->events[event];
	if (!(format->sample_type & PERF_ABI_TIME))
		return 0;
	if (header->type == PERF_ABI_SAMPLE)
		return perf_format_word_at(&words, record_words_count_bits(format->sample_type &
									   BEFORE_TIME));
	if (!has_trailer(format, header->type))
		return 0;
	size_t behind = record_words_count_bits(format->sample_type & TRAILER_BEHIND_TIME);
	return perf_format_word_at(&words, (size_t)(words.end - words.next) - behind - 1);
}
