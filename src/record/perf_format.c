// SPDX-License-Identifier: Apache-2.0

#include "record/perf_format.h"

#include "base/array.h"
#include "record/perf_abi.h"

#include <string.h>

enum { WORD = sizeof(uint64_t), WORDS_OF_BRANCH = 3, PROTECTION_EXECUTE = 4 };

/** The words of a record that were not taken yet; a take that does not fit fails for good. */
struct words {
	const uint64_t *next, *end;
	bool failed;
};

static const uint64_t *take_many(struct words *words, uint64_t count)
{
	if (count > (uint64_t)(words->end - words->next)) {
		words->failed = true;
		words->next = words->end;
		return NULL;
	}
	const uint64_t *first = words->next;
	words->next += count;
	return first;
}

static uint64_t take(struct words *words)
{
	const uint64_t *word = take_many(words, 1);
	return word ? *word : 0;
}

static void take_two_halves(struct words *words, uint32_t *ret_first, uint32_t *ret_second)
{
	uint64_t word = take(words);
	uint32_t halves[2];
	memcpy(halves, &word, sizeof(word));
	*ret_first = halves[0];
	*ret_second = halves[1];
}

static size_t count_bits(uint64_t mask)
{
	return (size_t)__builtin_popcountll(mask);
}

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
static bool find_id(const struct perf_format *format, uint32_t type, const struct words *words,
		    uint64_t *ret)
{
	uint64_t sample_type = format->sample_type;
	if (!(sample_type & (PERF_ABI_IDENTIFIER | PERF_ABI_ID)))
		return false;
	size_t count = (size_t)(words->end - words->next), from_end, from_start;
	bool is_identifier = sample_type & PERF_ABI_IDENTIFIER;
	if (type == PERF_ABI_SAMPLE) {
		from_start = is_identifier ? 0 : count_bits(sample_type & BEFORE_ID);
	} else if (has_trailer(format, type)) {
		from_end = is_identifier ? 1 : 1 + count_bits(sample_type & TRAILER_BEHIND_ID);
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
static bool find_event(const struct perf_formats *formats, uint32_t type, const struct words *words,
		       uint32_t *ret)
{
	uint64_t id;
	*ret = 0;
	if (formats->num_events <= 1 || !find_id(&formats->events[0], type, words, &id))
		return true;
	return find_event_of_id(formats, id, ret) || type != PERF_ABI_SAMPLE;
}

static void skip_read_values(struct words *words, uint64_t read_format)
{
	size_t words_of_value =
		1 + count_bits(read_format & (PERF_ABI_READ_ID | PERF_ABI_READ_LOST));
	size_t words_of_times =
		count_bits(read_format & (PERF_ABI_READ_ENABLED | PERF_ABI_READ_RUNNING));
	uint64_t num_values = read_format & PERF_ABI_READ_GROUP ? take(words) : 1;
	if (num_values > PERF_ABI_MAX_RECORD)
		words->failed = true;
	else
		take_many(words, words_of_times + num_values * words_of_value);
}

static void take_chain(struct words *words, struct record_sample *sample)
{
	uint64_t length = take(words);
	const uint64_t *chain = take_many(words, length);
	if (!chain || !length)
		return;
	sample->chain = chain;
	sample->chain_length = length;
}

static void skip_raw(struct words *words)
{
	if (words->next == words->end) {
		words->failed = true;
		return;
	}
	uint32_t size; // in the first half of the word, the bytes follow at once
	memcpy(&size, words->next, sizeof(size));
	take_many(words, ((uint64_t)size + sizeof(size) + WORD - 1) / WORD);
}

static void take_branches(struct words *words, uint64_t branch_type, struct record_sample *sample)
{
	uint64_t count = take(words);
	if (branch_type & PERF_ABI_BRANCH_HW_INDEX)
		take(words);
	if (count > PERF_ABI_MAX_RECORD) {
		words->failed = true;
		return;
	}
	const uint64_t *entries = take_many(words, count * WORDS_OF_BRANCH);
	if (branch_type & PERF_ABI_BRANCH_COUNTERS)
		take_many(words, count);
	if (!entries || !count)
		return;
	_Static_assert(sizeof(struct record_branch) == WORDS_OF_BRANCH * WORD, "as the kernel's");
	sample->branches = (const struct record_branch *)entries;
	sample->num_branches = count;
}

static void take_user_regs(struct words *words, uint64_t mask, struct record_sample *sample)
{
	uint64_t abi = take(words);
	if (!abi)
		return;
	sample->regs_abi = abi;
	sample->regs_mask = mask;
	sample->regs = take_many(words, count_bits(mask));
}

static void take_user_stack(struct words *words, struct record_sample *sample)
{
	uint64_t room = take(words);
	if (!room)
		return;
	const uint64_t *bytes = take_many(words, room / WORD);
	uint64_t used = take(words);
	if (room % WORD || used > room)
		words->failed = true;
	if (words->failed || !used)
		return;
	sample->stack = (const uint8_t *)bytes;
	sample->stack_size = used;
}

// What is common to all samples; every field is a word.
static void take_place(struct words *words, uint64_t sample_type, struct record *record)
{
	uint32_t unused;
	if (sample_type & PERF_ABI_IDENTIFIER)
		take(words);
	if (sample_type & PERF_ABI_IP)
		record->sample.ip = take(words);
	if (sample_type & PERF_ABI_TID)
		take_two_halves(words, &record->pid, &record->tid);
	if (sample_type & PERF_ABI_TIME)
		record->time_ns = take(words);
	if (sample_type & PERF_ABI_ADDR)
		record->sample.address = take(words);
	take_many(words, count_bits(sample_type & (PERF_ABI_ID | PERF_ABI_STREAM_ID)));
	if (sample_type & PERF_ABI_CPU)
		take_two_halves(words, &record->cpu, &unused);
	if (sample_type & PERF_ABI_PERIOD)
		record->sample.period = take(words);
}

static void decode_sample(const struct perf_format *format, struct words *words,
			  struct record *record)
{
	uint64_t sample_type = format->sample_type;
	record->kind = RECORD_SAMPLE;
	take_place(words, sample_type, record);
	if (sample_type & PERF_ABI_READ)
		skip_read_values(words, format->read_format);
	if (sample_type & PERF_ABI_CALLCHAIN)
		take_chain(words, &record->sample);
	if (sample_type & PERF_ABI_RAW)
		skip_raw(words);
	if (sample_type & PERF_ABI_BRANCH_STACK)
		take_branches(words, format->branch_sample_type, &record->sample);
	if (sample_type & PERF_ABI_REGS_USER)
		take_user_regs(words, format->regs_user, &record->sample);
	if (sample_type & PERF_ABI_STACK_USER)
		take_user_stack(words, &record->sample);
	// What follows (weight, data source, ...) nobody asks for.
}

// The rest of the words must be a string that ends.
static const char *take_string(struct words *words)
{
	size_t size = (size_t)(words->end - words->next) * WORD;
	const char *text = (const char *)words->next;
	if (!size || !memchr(text, 0, size)) {
		words->failed = true;
		return NULL;
	}
	words->next = words->end;
	return text;
}

static void take_build_id(struct words *words, struct record_build_id *ret)
{
	const uint8_t *bytes = (const uint8_t *)take_many(words, 3);
	if (!bytes)
		return;
	if (bytes[0] > RECORD_BUILD_ID_MAX) {
		words->failed = true;
		return;
	}
	ret->size = bytes[0];
	memcpy(ret->bytes, bytes + 4, ret->size);
}

static void decode_map(const struct perf_abi_header *header, struct words *words,
		       struct record *record)
{
	struct record_map *map = &record->map;
	record->kind = RECORD_MAP;
	take_two_halves(words, &record->pid, &record->tid);
	map->start = take(words);
	map->length = take(words);
	map->file_offset = take(words);
	if (header->type == PERF_ABI_MMAP2) {
		uint32_t flags;
		if (header->misc & PERF_ABI_MISC_MMAP_BUILD_ID) {
			take_build_id(words, &map->build_id);
		} else {
			take_two_halves(words, &map->major, &map->minor);
			map->inode = take(words);
			map->inode_generation = take(words);
		}
		take_two_halves(words, &map->protection, &flags);
	}
	map->path = take_string(words);
	map->is_executable = map->protection ? map->protection & PROTECTION_EXECUTE
					     : !(header->misc & PERF_ABI_MISC_MMAP_DATA);
}

static void decode_comm(const struct perf_abi_header *header, struct words *words,
			struct record *record)
{
	record->kind = RECORD_COMM;
	take_two_halves(words, &record->pid, &record->tid);
	record->comm.name = take_string(words);
	record->comm.is_exec = header->misc & PERF_ABI_MISC_COMM_EXEC;
}

static void decode_task(const struct perf_abi_header *header, struct words *words,
			struct record *record)
{
	record->kind = header->type == PERF_ABI_FORK ? RECORD_FORK : RECORD_EXIT;
	take_two_halves(words, &record->pid, &record->task.parent_pid);
	take_two_halves(words, &record->tid, &record->task.parent_tid);
	uint64_t time = take(words);
	if (!record->time_ns)
		record->time_ns = time;
}

static void decode_lost(const struct perf_abi_header *header, struct words *words,
			struct record *record)
{
	record->kind = RECORD_LOST;
	if (header->type == PERF_ABI_LOST)
		take(words); // the id
	record->num_lost = take(words);
}

static void decode_throttle(const struct perf_abi_header *header, struct words *words,
			    struct record *record)
{
	record->kind = RECORD_THROTTLE;
	record->is_throttled = header->type == PERF_ABI_THROTTLE;
	uint64_t time = take(words);
	if (!record->time_ns)
		record->time_ns = time;
}

typedef void (*decode_fn)(const struct perf_abi_header *header, struct words *words,
			  struct record *record);

static decode_fn find_decoder(uint32_t type)
{
	static const decode_fn decoders[] = {
		[PERF_ABI_MMAP] = decode_map,          [PERF_ABI_LOST] = decode_lost,
		[PERF_ABI_COMM] = decode_comm,         [PERF_ABI_EXIT] = decode_task,
		[PERF_ABI_THROTTLE] = decode_throttle, [PERF_ABI_UNTHROTTLE] = decode_throttle,
		[PERF_ABI_FORK] = decode_task,         [PERF_ABI_MMAP2] = decode_map,
		[PERF_ABI_LOST_SAMPLES] = decode_lost,
	};
	return type < ARRAY_SIZE(decoders) ? decoders[type] : NULL;
}

// Who, when and where, at the end of everything that is no sample. Cut off from the words.
static void take_trailer(uint64_t sample_type, struct words *words, struct record *record)
{
	size_t size = count_bits(sample_type & TRAILER);
	if (size > (size_t)(words->end - words->next)) {
		words->failed = true;
		return;
	}
	words->end -= size;
	struct words trailer = {.next = words->end, .end = words->end + size};
	uint32_t unused;
	if (sample_type & PERF_ABI_TID)
		take_two_halves(&trailer, &record->pid, &record->tid);
	if (sample_type & PERF_ABI_TIME)
		record->time_ns = take(&trailer);
	take_many(&trailer, count_bits(sample_type & (PERF_ABI_ID | PERF_ABI_STREAM_ID)));
	if (sample_type & PERF_ABI_CPU)
		take_two_halves(&trailer, &record->cpu, &unused);
}

static enum record_mode mode_of(uint16_t misc)
{
	uint16_t mode = misc & PERF_ABI_MISC_MODE;
	return mode <= RECORD_MODE_GUEST_USER ? (enum record_mode)mode : RECORD_MODE_UNKNOWN;
}

static struct error *decode_body(const struct perf_formats *formats,
				 const struct perf_abi_header *header, struct words *words,
				 struct record *record)
{
	decode_fn decode = find_decoder(header->type);
	bool is_sample = header->type == PERF_ABI_SAMPLE;
	if (!formats->num_events) {
		if (is_sample)
			return error_create(ERROR_FAILED, "a sample comes before its event");
	} else {
		if (!find_event(formats, header->type, words, &record->event))
			return error_create(ERROR_FAILED, "a sample is of no known event");
		const struct perf_format *format = &formats->events[record->event];
		if (is_sample)
			decode_sample(format, words, record);
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
	struct record record = {
		.mode = mode_of(header.misc),
		.cpu = UINT32_MAX,
		.raw = bytes,
		.raw_size = size,
	};
	const uint64_t *first = bytes;
	struct words words = {.next = first + 1, .end = first + size / WORD};
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

static uint64_t word_at(const struct words *words, size_t index)
{
	return index < (size_t)(words->end - words->next) ? words->next[index] : 0;
}

uint64_t perf_format_time(const struct perf_formats *formats, const void *bytes, size_t size)
{
	const struct perf_abi_header *header = bytes;
	const uint64_t *first = bytes;
	struct words words = {.next = first + 1, .end = first + size / WORD};
	uint32_t event;
	if (!formats->num_events || header->type >= PERF_ABI_FIRST_OF_TOOLS ||
	    !find_event(formats, header->type, &words, &event))
		return 0;
	const struct perf_format *format = &formats->events[event];
	if (!(format->sample_type & PERF_ABI_TIME))
		return 0;
	if (header->type == PERF_ABI_SAMPLE)
		return word_at(&words, count_bits(format->sample_type & BEFORE_TIME));
	if (!has_trailer(format, header->type))
		return 0;
	size_t behind = count_bits(format->sample_type & TRAILER_BEHIND_TIME);
	return word_at(&words, (size_t)(words.end - words.next) - behind - 1);
}
