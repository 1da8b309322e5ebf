// SPDX-License-Identifier: Apache-2.0

#include "record/sample_decoder.h"

#include "record/perf_data/perf_abi.h"

// The fields of a sample in the order in which the kernel writes them (the comment of
// PERF_RECORD_SAMPLE in linux/perf_event.h). This is not the order of the bits of sample_type, and
// each field can be skipped only if its format is known, so all up to the last wanted one are
// handled. Pointers in the result go into the record; nothing is copied. Counts are checked before
// they are multiplied.

enum { WORDS_OF_BRANCH = 3 };

// struct read_format: one value with its times, or, of a group: nr, times, then the values.
static void skip_read_values(struct record_words *words, uint64_t read_format)
{
	size_t words_of_value =
		1 + record_words_count_bits(read_format & (PERF_ABI_READ_ID | PERF_ABI_READ_LOST));
	size_t words_of_times = record_words_count_bits(
		read_format & (PERF_ABI_READ_ENABLED | PERF_ABI_READ_RUNNING));
	uint64_t num_values = read_format & PERF_ABI_READ_GROUP ? record_words_take(words) : 1;
	// Then the product below cannot overflow.
	if (num_values > PERF_ABI_MAX_RECORD)
		words->failed = true;
	else
		record_words_take_many(words, words_of_times + num_values * words_of_value);
}

static void take_payload(struct record_words *words, struct record_sample *sample)
{
	if (words->next == words->end) {
		words->failed = true;
		return;
	}
	uint32_t size; // in the first half of the word, the bytes follow at once
	memcpy(&size, words->next, sizeof(size));
	const uint64_t *first = record_words_take_many(
		words, ((uint64_t)size + sizeof(size) + RECORD_WORD_SIZE - 1) / RECORD_WORD_SIZE);
	if (!first)
		return;
	sample->payload = (const uint8_t *)first + sizeof(size);
	sample->payload_size = size;
}

// nr, hw_idx if it was asked for, then {from, to, flags} of each, then counters if asked for.
static void take_branches(struct record_words *words, uint64_t branch_type,
			  struct record_sample *sample)
{
	uint64_t count = record_words_take(words);
	if (branch_type & PERF_ABI_BRANCH_HW_INDEX)
		record_words_take(words);
	if (count > PERF_ABI_MAX_RECORD) {
		words->failed = true;
		return;
	}
	const uint64_t *entries = record_words_take_many(words, count * WORDS_OF_BRANCH);
	if (branch_type & PERF_ABI_BRANCH_COUNTERS)
		record_words_take_many(words, count);
	if (!entries || !count)
		return;
	_Static_assert(sizeof(struct record_branch) == WORDS_OF_BRANCH * RECORD_WORD_SIZE,
		       "as the kernel's");
	sample->branches = (const struct record_branch *)entries;
	sample->num_branches = count;
}

// size, data[size], dyn_size: how much of the data was really copied. Without data, no dyn_size.
static void take_user_stack(struct record_words *words, struct record_sample *sample)
{
	uint64_t room = record_words_take(words);
	if (!room)
		return;
	const uint64_t *bytes = record_words_take_many(words, room / RECORD_WORD_SIZE);
	uint64_t used = record_words_take(words);
	if (room % RECORD_WORD_SIZE || used > room)
		words->failed = true;
	if (words->failed || !used)
		return;
	sample->stack = (const uint8_t *)bytes;
	sample->stack_size = used;
}

// What processors say of an access to memory. A weight is a number of 64 bits, or three in one
// word, of which the lowest, of 32 bits, is a latency: both in cycles, where there is a data
// source.
static void take_access(struct record_words *words, const struct perf_format *format,
			struct record_sample *sample)
{
	uint64_t sample_type = format->sample_type;
	uint64_t weight = 0;
	if (sample_type & (PERF_ABI_WEIGHT | PERF_ABI_WEIGHTS))
		weight = record_words_take(words);
	if (sample_type & PERF_ABI_DATA_SOURCE)
		sample->data_source = record_words_take(words);
	if (sample->data_source)
		sample->latency = sample_type & PERF_ABI_WEIGHTS || weight <= UINT32_MAX
					  ? (uint32_t)weight
					  : UINT32_MAX;
	if (sample_type & PERF_ABI_TRANSACTION)
		record_words_take(words);
	// abi, and unless that is PERF_SAMPLE_REGS_ABI_NONE one word for each bit of the mask.
	if (sample_type & PERF_ABI_REGS_INTR && record_words_take(words))
		record_words_take_many(words, record_words_count_bits(format->regs_intr));
	if (sample_type & PERF_ABI_PHYSICAL)
		sample->physical_address = record_words_take(words);
}

// What is common to all samples; every field is a word.
static void take_place(struct record_words *words, const struct perf_format *format,
		       struct record *record)
{
	uint64_t sample_type = format->sample_type;
	uint32_t gil = GIL_UNKNOWN;
	if (sample_type & PERF_ABI_IDENTIFIER)
		record_words_take(words);
	if (sample_type & PERF_ABI_IP)
		record->sample.ip = record_words_take(words);
	if (sample_type & PERF_ABI_TID)
		record_words_take_halves(words, &record->pid, &record->tid);
	if (sample_type & PERF_ABI_TIME)
		record->time_ns = record_words_take(words);
	if (sample_type & PERF_ABI_ADDR)
		record->sample.address = record_words_take(words);
	record_words_take_many(words, record_words_count_bits(sample_type &
							      (PERF_ABI_ID | PERF_ABI_STREAM_ID)));
	if (sample_type & PERF_ABI_CPU)
		record_words_take_halves(words, &record->cpu, &gil);
	// Only our own files have it (record_encoder.h): the kernel's samples have 0 here.
	record->sample.gil = gil < GIL_NUM_STATES ? (enum gil_state)gil : GIL_UNKNOWN;
	record->sample.period =
		sample_type & PERF_ABI_PERIOD ? record_words_take(words) : format->period;
}

void sample_decode(const struct perf_format *format, struct record_words *words,
		   struct record *record)
{
	uint64_t sample_type = format->sample_type;
	struct record_sample *sample = &record->sample;
	record->kind = RECORD_SAMPLE;
	take_place(words, format, record);
	if (sample_type & PERF_ABI_READ)
		skip_read_values(words, format->read_format);
	if (sample_type & PERF_ABI_CALLCHAIN) {
		// nr, ips[nr]; among the ips are the marks PERF_CONTEXT_*.
		uint64_t length = record_words_take(words);
		const uint64_t *chain = record_words_take_many(words, length);
		sample->chain = length ? chain : NULL;
		sample->chain_length = chain ? length : 0;
	}
	if (sample_type & PERF_ABI_RAW)
		take_payload(words, sample);
	if (sample_type & PERF_ABI_BRANCH_STACK)
		take_branches(words, format->branch_sample_type, sample);
	// abi, and unless that is PERF_SAMPLE_REGS_ABI_NONE one word for each bit of the mask.
	uint64_t abi = sample_type & PERF_ABI_REGS_USER ? record_words_take(words) : 0;
	if (abi) {
		sample->regs_abi = abi;
		sample->regs_mask = format->regs_user;
		sample->regs =
			record_words_take_many(words, record_words_count_bits(format->regs_user));
	}
	if (sample_type & PERF_ABI_STACK_USER)
		take_user_stack(words, sample);
	take_access(words, format, sample);
	// What follows (control group, page sizes, ...) nobody asks for.
}
