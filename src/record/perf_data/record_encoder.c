// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/record_encoder.h"

#include "base/container/array.h"

#include <string.h>

// The reverse of perf_format.c, for sources that are not the kernel's perf, and for samples whose
// stacks were unwound: one sample_type (RECORD_ENCODER_SAMPLE_TYPE) for all events, and few fields
// that some of them have besides. The order of fields is that of perf_event_open(2).
// The words are written without a check for room: RECORD_ENCODER_MAX_WORDS is enough for any
// record, as chains are cut and strings refused above a limit.

enum {
	MAX_STRING_WORDS = 1024, /* of 8 KiB: twice the longest path of Linux */
	SAMPLE_FIXED_WORDS = 12, /* all but chain and branches, header included */
	WORDS_OF_BRANCH = 3,
	PROTECTION_READ_EXECUTE = 5,
	FLAG_PRIVATE = 2,
	BUILD_ID_WORDS = 3,
	PAYLOAD_WORDS = RECORD_ENCODER_MAX_PAYLOAD / 8 + 2,
};

struct encoder {
	uint64_t *words;
	size_t num_words;
};

static void record_encoder_put(struct encoder *encoder, uint64_t word)
{
	encoder->words[encoder->num_words++] = word;
}

static void put_halves(struct encoder *encoder, uint32_t first, uint32_t second)
{
	uint32_t halves[2] = {first, second};
	memcpy(&encoder->words[encoder->num_words++], halves, sizeof(halves));
}

static struct error *record_encoder_put_string(struct encoder *encoder, const char *text)
{
	size_t size = strlen(text) + 1;
	size_t num_words = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
	if (num_words > MAX_STRING_WORDS)
		return error_create(ERROR_FAILED, "a name of %zu bytes is too long for a record",
				    size - 1);
	// The last word first: what the text does not fill of it is 0.
	encoder->words[encoder->num_words + num_words - 1] = 0;
	memcpy(&encoder->words[encoder->num_words], text, size);
	encoder->num_words += num_words;
	return NULL;
}

/** Its size, then the bytes, up to the end of a word. */
static void record_encoder_put_payload(struct encoder *encoder, const uint8_t *bytes, uint32_t size)
{
	size_t num_words = (size + sizeof(size) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
	uint32_t whole = (uint32_t)(num_words * sizeof(uint64_t) - sizeof(size));
	uint8_t *to = (uint8_t *)&encoder->words[encoder->num_words];
	memset(to, 0, num_words * sizeof(uint64_t));
	memcpy(to, &whole, sizeof(whole));
	if (size)
		memcpy(to + sizeof(whole), bytes, size);
	encoder->num_words += num_words;
}

static void record_encoder_put_many(struct encoder *encoder, const void *words, size_t num_words)
{
	if (num_words)
		memcpy(encoder->words + encoder->num_words, words, num_words * sizeof(uint64_t));
	encoder->num_words += num_words;
}

// Samples have all of the trailer's words in front, so they get none.
static void encode_sample(const struct record *record, uint64_t id, uint64_t more,
			  struct encoder *encoder)
{
	const struct record_sample *sample = &record->sample;
	bool has_payload = more & PERF_ABI_RAW;
	size_t payload_size = has_payload && sample->payload ? sample->payload_size : 0;
	size_t most =
		RECORD_ENCODER_MAX_WORDS - SAMPLE_FIXED_WORDS - (has_payload ? PAYLOAD_WORDS : 0);
	// Processors keep 64 at most.
	size_t most_branches = most / 2 / WORDS_OF_BRANCH;
	size_t num_branches = more & PERF_ABI_BRANCH_STACK ? sample->num_branches : 0;
	num_branches = num_branches < most_branches ? num_branches : most_branches;
	most -= num_branches * WORDS_OF_BRANCH;
	size_t length = sample->chain_length < most ? sample->chain_length : most;
	record_encoder_put(encoder, id);
	record_encoder_put(encoder, sample->ip);
	put_halves(encoder, record->pid, record->tid);
	record_encoder_put(encoder, record->time_ns);
	if (more & PERF_ABI_ADDR)
		record_encoder_put(encoder, sample->address);
	put_halves(encoder, record->cpu, sample->gil);
	record_encoder_put(encoder, sample->period);
	record_encoder_put(encoder, length);
	record_encoder_put_many(encoder, sample->chain, length);
	if (has_payload)
		record_encoder_put_payload(encoder, sample->payload, (uint32_t)payload_size);
	if (more & PERF_ABI_BRANCH_STACK) {
		record_encoder_put(encoder, num_branches);
		record_encoder_put_many(encoder, sample->branches, num_branches * WORDS_OF_BRANCH);
	}
	if (more & PERF_ABI_WEIGHT)
		record_encoder_put(encoder, sample->latency);
	if (more & PERF_ABI_DATA_SOURCE)
		record_encoder_put(encoder, sample->data_source);
}

static struct error *encode_map(const struct record *record, struct encoder *encoder)
{
	const struct record_map *map = &record->map;
	if (map->build_id.size > RECORD_BUILD_ID_MAX)
		return error_create(ERROR_FAILED, "a build id of %u bytes", map->build_id.size);
	// perf looks for symbols only where the protection says that code may be.
	uint32_t protection =
		!map->protection && map->is_executable ? PROTECTION_READ_EXECUTE : map->protection;
	put_halves(encoder, record->pid, record->tid);
	record_encoder_put(encoder, map->start);
	record_encoder_put(encoder, map->length);
	record_encoder_put(encoder, map->file_offset);
	if (map->build_id.size) {
		uint8_t bytes[BUILD_ID_WORDS * sizeof(uint64_t)] = {map->build_id.size};
		// Behind the size and three reserved bytes.
		memcpy(bytes + 4, map->build_id.bytes, map->build_id.size);
		memcpy(encoder->words + encoder->num_words, bytes, sizeof(bytes));
		encoder->num_words += BUILD_ID_WORDS;
	} else {
		put_halves(encoder, map->major, map->minor);
		record_encoder_put(encoder, map->inode);
		record_encoder_put(encoder, map->inode_generation);
	}
	put_halves(encoder, protection, FLAG_PRIVATE);
	return record_encoder_put_string(encoder, map->path);
}

static struct error *encode_body(const struct record *record, uint64_t id, uint64_t more,
				 struct encoder *encoder)
{
	switch (record->kind) {
	case RECORD_SAMPLE:
		if (more & PERF_ABI_RAW && record->sample.payload_size > RECORD_ENCODER_MAX_PAYLOAD)
			return error_create(ERROR_FAILED, "a payload of %zu bytes",
					    record->sample.payload_size);
		encode_sample(record, id, more, encoder);
		return NULL;
	case RECORD_MAP:
		return encode_map(record, encoder);
	case RECORD_COMM:
		put_halves(encoder, record->pid, record->tid);
		return record_encoder_put_string(encoder, record->comm.name);
	case RECORD_FORK:
	case RECORD_EXIT:
		put_halves(encoder, record->pid, record->task.parent_pid);
		put_halves(encoder, record->tid, record->task.parent_tid);
		record_encoder_put(encoder, record->time_ns);
		return NULL;
	case RECORD_LOST:
		record_encoder_put(encoder, id);
		record_encoder_put(encoder, record->num_lost);
		return NULL;
	case RECORD_SWITCH:
		return NULL; // all of it is in the header and the trailer
	default:
		return error_create(ERROR_FAILED, "a record of kind %d cannot be written",
				    record->kind);
	}
}

static struct perf_abi_header record_encoder_header_of(const struct record *record)
{
	static const uint8_t types[] = {
		[RECORD_SAMPLE] = PERF_ABI_SAMPLE, [RECORD_MAP] = PERF_ABI_MMAP2,
		[RECORD_COMM] = PERF_ABI_COMM,     [RECORD_FORK] = PERF_ABI_FORK,
		[RECORD_EXIT] = PERF_ABI_EXIT,     [RECORD_LOST] = PERF_ABI_LOST,
		[RECORD_SWITCH] = PERF_ABI_SWITCH,
	};
	struct perf_abi_header header = {
		.type = (size_t)record->kind < ARRAY_SIZE(types) ? types[record->kind] : 0,
		.misc = (uint16_t)record->mode,
	};
	if (record->kind == RECORD_MAP && !record->map.is_executable)
		header.misc |= PERF_ABI_MISC_MMAP_DATA;
	if (record->kind == RECORD_MAP && record->map.build_id.size)
		header.misc |= PERF_ABI_MISC_MMAP_BUILD_ID;
	if (record->kind == RECORD_COMM && record->comm.is_exec)
		header.misc |= PERF_ABI_MISC_COMM_EXEC;
	if (record->kind == RECORD_COMM && record->comm.is_given)
		header.misc |= PERF_ABI_MISC_COMM_GIVEN;
	if (record->kind == RECORD_SWITCH && record->change.is_out)
		header.misc |= PERF_ABI_MISC_SWITCH_OUT;
	if (record->kind == RECORD_SWITCH && record->change.is_preempted)
		header.misc |= PERF_ABI_MISC_SWITCH_OUT_PREEMPT;
	return header;
}

struct error *record_encode(const struct record *record, uint64_t id, uint64_t more,
			    uint64_t *words, size_t *ret_words)
{
	struct encoder encoder = {.words = words, .num_words = 1};
	struct error *err = encode_body(record, id, more, &encoder);
	if (err)
		return err;
	// The trailer that RECORD_ENCODER_SAMPLE_TYPE asks for; samples have these words in front.
	if (record->kind != RECORD_SAMPLE) {
		put_halves(&encoder, record->pid, record->tid);
		record_encoder_put(&encoder, record->time_ns);
		put_halves(&encoder, record->cpu, 0);
		record_encoder_put(&encoder, id);
	}
	struct perf_abi_header header = record_encoder_header_of(record);
	header.size = (uint16_t)(encoder.num_words * sizeof(uint64_t));
	memcpy(words, &header, sizeof(header));
	*ret_words = encoder.num_words;
	return NULL;
}
