// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/plugin/sample_taker.h"

#include "driver/emulator/plugin/guest_memory.h"
#include "driver/emulator/plugin/plugin_state.h"

#include <string.h>
#include <unistd.h>

// Each sampled event has a counter per thread that goes down; a sample is taken at 0. For events of
// blocks the whole block is subtracted at its beginning, and the instruction at which the counter
// reached 0 is found afterwards by classifying the instructions again (block_find()). That is
// exact, and costs one subtraction for most blocks.
//
// With a frequency, the period is adapted after each sample, by the emulated time that it took
// (adapt_period()). Records are those of the kernel (PERF_RECORD_SAMPLE of linux/perf_event.h), and
// stacks are either frame records or registers and a copy of the stack.

enum {
	MAX_FRAMES = 127,
	STACK_PIECE = 16384,
	REGS_ABI_64 = 2,
	MAX_PERIOD_CHANGE = 16,
};

struct taken_sample {
	const struct region_sampled *event;
	uint64_t address;    /* of the instruction */
	uint64_t callers_of; /* where the registers are right */
	uint64_t period;
};

/** The piece of stack that frames are looked for in. */
struct stack_piece {
	uint64_t start;
	size_t size;
	uint8_t bytes[STACK_PIECE];
};

static bool sample_taker_read_frame(const struct plugin *plugin, struct stack_piece *piece,
				    uint64_t frame, uint64_t ret[2])
{
	enum { FRAME_SIZE = 2 * sizeof(uint64_t) };
	if (frame < piece->start || frame - piece->start + FRAME_SIZE > piece->size) {
		piece->start = frame;
		piece->size = guest_memory_read(plugin, frame, piece->bytes, sizeof(piece->bytes));
	}
	if (piece->size < FRAME_SIZE)
		return false;
	memcpy(ret, piece->bytes + (frame - piece->start), FRAME_SIZE);
	return true;
}

/** The chain as the kernel of an Arm machine would give it. */
static size_t sample_taker_add_frames(uint64_t *words, const struct guest_thread *thread)
{
	uint64_t frame = thread->registers->x[29];
	struct stack_piece piece;
	piece.start = piece.size = 0;
	size_t num = 0;
	uint64_t record[2]; // of the caller's frame, and where it goes on
	while (num < MAX_FRAMES && frame && frame % 8 == 0 &&
	       sample_taker_read_frame(thread->plugin, &piece, frame, record)) {
		if (!record[1])
			break;
		words[num++] = record[1];
		if (record[0] <= frame)
			break;
		frame = record[0];
	}
	return num;
}

static size_t sample_taker_add_chain(uint64_t *words, const struct guest_thread *thread,
				     uint64_t address)
{
	words[1] = (uint64_t)PERF_CONTEXT_USER;
	words[2] = address;
	words[0] = 2;
	if (thread->registers)
		words[0] += sample_taker_add_frames(words + 3, thread);
	return 1 + words[0];
}

static size_t sample_taker_add_stack(uint64_t *words, const struct guest_thread *thread,
				     uint64_t callers_of)
{
	const struct guest_registers *registers = thread->registers;
	const struct plugin *plugin = thread->plugin;
	uint32_t size = plugin->config->stack_bytes;
	if (!registers) {
		words[0] = 0; // no registers
		words[1] = 0; // no stack
		return 2;
	}
	words[0] = REGS_ABI_64;
	words[1] = registers->x[29];
	words[2] = registers->x[30];
	words[3] = registers->sp;
	words[4] = callers_of;
	words[5] = size;
	memset(&words[6], 0, size);
	words[6 + size / 8] = guest_memory_read(plugin, registers->sp, &words[6], size) / 8 * 8;
	return 7 + size / 8;
}

static void sample_taker_write(struct guest_thread *thread, const struct taken_sample *sample)
{
	enum { TIME_WORD = 4, FIXED_WORDS = 7 };
	struct plugin *plugin = thread->plugin;
	uint64_t *words = thread->record;
	words[1] = sample->event->id;
	words[2] = sample->address;
	words[3] = (uint64_t)(uint32_t)gettid() << 32 | (uint32_t)getpid();
	words[TIME_WORD] = 0;
	words[5] = thread->core;
	words[6] = sample->period;
	size_t num = FIXED_WORDS;
	if (plugin->config->chain == REGION_CHAIN_FRAMES)
		num += sample_taker_add_chain(words + num, thread, sample->address);
	else if (plugin->config->chain == REGION_CHAIN_STACK)
		num += sample_taker_add_stack(words + num, thread, sample->callers_of);
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_USER,
		.size = (uint16_t)(num * sizeof(*words)),
	};
	memcpy(words, &header, sizeof(header));
	ring_write(&plugin->ring, words, num, TIME_WORD, guest_thread_passed_ns(thread));
}

/** As many events as should pass in the wanted time, by how many passed in the last one. */
static void adapt_period(struct guest_thread *thread, struct overflow *overflow, uint64_t span)
{
	uint64_t now_ns = guest_thread_time_ns(thread, thread->plugin->region);
	uint64_t passed = now_ns - overflow->last_ns;
	overflow->last_ns = now_ns;
	unsigned __int128 wanted = (unsigned __int128)overflow->period * span / (passed + !passed);
	uint64_t most = overflow->period * MAX_PERIOD_CHANGE;
	overflow->period = wanted > most ? most : wanted ? (uint64_t)wanted : 1;
}

static void sample_taker_take(struct guest_thread *thread, uint32_t place, uint64_t address,
			      uint64_t callers_of)
{
	struct overflow *overflow = &thread->overflows[place];
	const struct region_sampled *event = &thread->plugin->config->sampled[place];
	struct taken_sample sample = {event, address, callers_of, overflow->period};
	if (thread->plugin->region->is_enabled)
		sample_taker_write(thread, &sample);
	if (event->span)
		adapt_period(thread, overflow, event->span);
	overflow->left += (int64_t)(overflow->period * guest_thread_scale(event));
}

static void overflow_in_block(struct guest_thread *thread, uint32_t place,
			      const struct block *block, int64_t weight)
{
	const struct region_config *config = thread->plugin->config;
	enum measure measure = config->sampled[place].measure;
	struct overflow *overflow = &thread->overflows[place];
	// It may be a short period, and more than one sample.
	while (overflow->left <= 0) {
		// Event number n of the block's weight brought the overflow.
		uint64_t n = (uint64_t)(weight + overflow->left);
		uint64_t address = measure == MEASURE_CYCLES
					   ? block->address + (n - 1) / config->cycles_per_1000 * 4
					   : block_find(block, measure, n, thread->plugin);
		sample_taker_take(thread, place, address, block->address);
	}
}

void sample_taker_block(struct guest_thread *thread, const struct block *block)
{
	const struct region_config *config = thread->plugin->config;
	for (uint32_t i = 0; i < config->num_sampled; i++) {
		if (!measure_is_of_blocks(config->sampled[i].measure))
			continue;
		int64_t weight = block_weight(block, config->sampled[i].measure, config);
		thread->overflows[i].left -= weight;
		if (__builtin_expect(thread->overflows[i].left <= 0, 0))
			overflow_in_block(thread, i, block, weight);
	}
}

void sample_taker_overflow(struct guest_thread *thread, const struct block *block)
{
	overflow_in_block(thread, 0, block, block->weight);
}

static void sample_taker_pass(struct guest_thread *thread, uint32_t place, uint64_t num,
			      uint64_t address)
{
	thread->overflows[place].left -= (int64_t)num;
	while (thread->overflows[place].left <= 0)
		sample_taker_take(thread, place, address, address);
}

void sample_taker_event(struct guest_thread *thread, enum measure measure, uint64_t address)
{
	const struct region_config *config = thread->plugin->config;
	for (uint32_t i = 0; i < config->num_sampled; i++)
		if (config->sampled[i].measure == measure)
			sample_taker_pass(thread, i, 1, address);
}

void sample_taker_model(struct guest_thread *thread, uint64_t address)
{
	const struct region_config *config = thread->plugin->config;
	for (uint32_t i = 0; i < config->num_sampled; i++) {
		if (!measure_is_of_model(config->sampled[i].measure))
			continue;
		uint64_t now = thread->shared->totals[config->sampled[i].measure];
		uint64_t num = now - thread->overflows[i].seen;
		thread->overflows[i].seen = now;
		if (num)
			sample_taker_pass(thread, i, num, address);
	}
}
