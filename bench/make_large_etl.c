// SPDX-License-Identifier: Apache-2.0

/**
 * Writes a recording as Windows does (ETW): make_large_etl FILE SAMPLES STACKS
 *
 * The threads of some processes run on some CPUs, one sample of each CPU every millisecond, each
 * with a kernel and a user stack. One stack in four is a key of the kernel's cache, whose contents
 * come later; keys are used again. Few stacks have most of the samples. The same words give the
 * same file.
 */

#include "bench/random_numbers.h"
#include "tests/unit/etl_bytes.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	NUM_CPUS = 4,
	NUM_PROCESSES = 4,
	NUM_THREADS = 16,
	FIRST_PID = 4000,
	FIRST_TID = 8000, /* of thread 0: both kinds of numbers are multiples of 4 */
	NUM_MODULES = 6,  /* the first is the kernel's */
	NUM_PLACES = 20000,
	MIN_DEPTH = 8,
	MAX_DEPTH = 40,
	KERNEL_DEPTH = 12,
	SAMPLES_OF_TURN = 10, /* of a thread on its CPU, then comes another one */
	NUM_KEYS = 512,
	KEYS_OF_STACKS = 4, /* one stack in so many is a key */
	USES_OF_KEY = 20,   /* then the cache forgets it */
	TICKS_OF_MS = 10000,
	BUFFER_SIZE = 1 << 16,
	MAX_EVENT = 4096,
	/* Groups and opcodes of the kernel's events. */
	PROCESS = 3,
	THREAD = 5,
	PERFINFO = 15,
	IMAGE = 20,
	STACK = 24,
	THERE_AT_START = 3,
	SAMPLE = 46,
	INTERVAL = 73,
	STACK_AS_IT_IS = 32,
	KEY_DELETED = 35,
	KEY_AT_END = 36,
	KEY_OF_KERNEL = 37,
	KEY_OF_USER = 38,
};

static const uint64_t kernel_base = UINT64_C(0xfffff80000000000);
static const uint64_t user_base = UINT64_C(0x7ff600000000);
static const uint64_t module_size = UINT64_C(1) << 22;
static const uint64_t first_tick = UINT64_C(50000000000);

struct stack {
	uint64_t addresses[MAX_DEPTH];
	uint32_t depth;
};

struct key {
	const struct stack *stack; /* NULL: free */
	uint32_t uses;
};

struct maker {
	FILE *file;
	uint64_t random;
	struct etl_bytes cpus[NUM_CPUS]; /* the buffer of each that is being filled */
	uint64_t sequence;
	uint64_t places[2][NUM_PLACES]; /* of the kernel, of programs */
	struct stack *stacks[2];
	size_t num_stacks;
	struct key keys[NUM_KEYS];
};

static uint64_t base_of(unsigned module)
{
	return module ? user_base + module * (module_size << 4) : kernel_base;
}

static void make_places(struct maker *maker)
{
	for (size_t i = 0; i < NUM_PLACES; i++) {
		unsigned module = 1 + (unsigned)random_below(&maker->random, NUM_MODULES - 1);
		maker->places[0][i] = kernel_base + random_below(&maker->random, module_size);
		maker->places[1][i] = base_of(module) + random_below(&maker->random, module_size);
	}
}

/** Every stack but the first shares its outer frames with an earlier one. */
static void make_stack(struct maker *maker, bool is_user, size_t index)
{
	struct stack *stack = &maker->stacks[is_user][index];
	const struct stack *like =
		&maker->stacks[is_user][index ? random_below(&maker->random, index) : 0];
	size_t most = is_user ? MAX_DEPTH : KERNEL_DEPTH;
	stack->depth = (uint32_t)(MIN_DEPTH + random_below(&maker->random, most - MIN_DEPTH + 1));
	size_t shared = index ? like->depth : 0;
	shared = random_below(&maker->random,
			      (shared < stack->depth ? shared : stack->depth - 1) + 1);
	for (size_t i = 0; i < stack->depth - shared; i++)
		stack->addresses[i] =
			maker->places[is_user][random_below(&maker->random, NUM_PLACES)];
	memcpy(stack->addresses + stack->depth - shared, like->addresses + like->depth - shared,
	       shared * sizeof(stack->addresses[0]));
}

static void end_buffer(struct maker *maker, unsigned cpu)
{
	struct etl_bytes *bytes = &maker->cpus[cpu];
	if (!bytes->size)
		return;
	etl_bytes_end_buffer(bytes);
	fwrite(bytes->data, 1, bytes->size, maker->file);
	bytes->size = 0;
}

/** Where the next event of a CPU goes. */
static struct etl_bytes *begin_on(struct maker *maker, unsigned cpu)
{
	struct etl_bytes *bytes = &maker->cpus[cpu];
	if (bytes->size + MAX_EVENT > BUFFER_SIZE)
		end_buffer(maker, cpu);
	if (!bytes->size)
		etl_bytes_begin_buffer(bytes, (uint16_t)cpu, maker->sequence++);
	return bytes;
}

static void write_image(struct maker *maker, unsigned module, uint32_t pid)
{
	char path[64];
	struct etl_bytes *bytes = begin_on(maker, 0);
	etl_bytes_begin_system(bytes, IMAGE, THERE_AT_START, 3, pid, 0, first_tick);
	etl_bytes_pointer(bytes, base_of(module));
	etl_bytes_pointer(bytes, module_size);
	etl_bytes_u32(bytes, pid);
	etl_bytes_zeros(bytes, 12); // checksum, time stamp, signature
	etl_bytes_pointer(bytes, base_of(module));
	etl_bytes_zeros(bytes, 16);
	snprintf(path, sizeof(path), "\\SystemRoot\\System32\\module%u.dll", module);
	etl_bytes_utf16(bytes, module ? path : "\\SystemRoot\\system32\\ntoskrnl.exe");
	etl_bytes_end_event(bytes);
}

static void write_process(struct maker *maker, uint32_t pid)
{
	struct etl_bytes *bytes = begin_on(maker, 0);
	etl_bytes_begin_system(bytes, PROCESS, THERE_AT_START, 4, pid, 0, first_tick);
	etl_bytes_pointer(bytes, pid);
	etl_bytes_u32(bytes, pid);
	etl_bytes_zeros(bytes, 12); // parent, session, exit status
	etl_bytes_pointer(bytes, 0);
	etl_bytes_u32(bytes, 0);
	etl_bytes_sid(bytes);
	etl_bytes_text(bytes, "program.exe");
	etl_bytes_utf16(bytes, "program.exe --run");
	etl_bytes_utf16(bytes, "");
	etl_bytes_utf16(bytes, "");
	etl_bytes_end_event(bytes);
}

static uint32_t pid_of(uint32_t thread)
{
	return FIRST_PID + 4 * (thread % NUM_PROCESSES);
}

static uint32_t tid_of(uint32_t thread)
{
	return FIRST_TID + 4 * thread;
}

static void write_thread(struct maker *maker, uint32_t thread)
{
	struct etl_bytes *bytes = begin_on(maker, 0);
	etl_bytes_begin_system(bytes, THREAD, THERE_AT_START, 3, pid_of(thread), 0, first_tick);
	etl_bytes_u32(bytes, pid_of(thread));
	etl_bytes_u32(bytes, tid_of(thread));
	for (int i = 0; i < 7; i++)
		etl_bytes_pointer(bytes, 0);
	etl_bytes_zeros(bytes, 8);
	etl_bytes_end_event(bytes);
}

static void write_interval(struct maker *maker)
{
	struct etl_bytes *bytes = begin_on(maker, 0);
	etl_bytes_begin_perfinfo(bytes, PERFINFO, INTERVAL, 3, first_tick, NULL, 0);
	etl_bytes_u32(bytes, 0);
	etl_bytes_u32(bytes, TICKS_OF_MS);
	etl_bytes_u32(bytes, TICKS_OF_MS);
	etl_bytes_utf16(bytes, "Timer");
	etl_bytes_end_event(bytes);
}

static void write_start(struct maker *maker)
{
	struct etl_bytes first = {.buffer_size = BUFFER_SIZE};
	etl_bytes_first_buffer(&first, &(struct etl_bytes_log){
					       .start_ticks = first_tick,
					       .num_cpus = NUM_CPUS,
				       });
	fwrite(first.data, 1, first.size, maker->file);
	etl_bytes_deinit(&first);
	maker->sequence = 1;
	write_interval(maker);
	write_image(maker, 0, 0);
	for (uint32_t i = 0; i < NUM_PROCESSES; i++) {
		write_process(maker, pid_of(i));
		for (unsigned module = 1; module < NUM_MODULES; module++)
			write_image(maker, module, pid_of(i));
	}
	for (uint32_t i = 0; i < NUM_THREADS; i++)
		write_thread(maker, i);
}

static void write_addresses(struct etl_bytes *bytes, const struct stack *stack)
{
	etl_bytes_append(bytes, stack->addresses, stack->depth * sizeof(stack->addresses[0]));
	etl_bytes_end_event(bytes);
}

static void write_definition(struct maker *maker, unsigned cpu, uint64_t ticks, size_t index,
			     uint8_t opcode)
{
	struct key *key = &maker->keys[index];
	if (!key->stack)
		return;
	struct etl_bytes *bytes = begin_on(maker, cpu);
	etl_bytes_begin_perfinfo(bytes, STACK, opcode, 2, ticks, NULL, 0);
	etl_bytes_pointer(bytes, kernel_base + index);
	write_addresses(bytes, key->stack);
	*key = (struct key){NULL, 0};
}

struct moment {
	unsigned cpu;
	uint32_t thread;
	uint64_t ticks, sample_ticks;
};

static void begin_stack(struct etl_bytes *bytes, const struct moment *moment, uint8_t opcode)
{
	etl_bytes_begin_perfinfo(bytes, STACK, opcode, 2, moment->ticks, NULL, 0);
	etl_bytes_u64(bytes, moment->sample_ticks);
	etl_bytes_u32(bytes, pid_of(moment->thread));
	etl_bytes_u32(bytes, tid_of(moment->thread));
}

static void write_key(struct maker *maker, const struct moment *moment, bool is_user, size_t index)
{
	struct key *key = &maker->keys[index];
	struct etl_bytes *bytes = begin_on(maker, moment->cpu);
	begin_stack(bytes, moment, is_user ? KEY_OF_USER : KEY_OF_KERNEL);
	etl_bytes_pointer(bytes, kernel_base + index);
	etl_bytes_end_event(bytes);
	if (++key->uses == USES_OF_KEY)
		write_definition(maker, moment->cpu, moment->ticks, index, KEY_DELETED);
}

static void write_stack(struct maker *maker, const struct moment *moment, bool is_user,
			const struct stack *stack)
{
	size_t index = (size_t)(stack - maker->stacks[is_user]);
	bool has_key = index % KEYS_OF_STACKS == 0;
	// The halves of the cache, so that kernel and user parts do not take each other's keys.
	index = index / KEYS_OF_STACKS % (NUM_KEYS / 2) + is_user * (NUM_KEYS / 2);
	if (has_key && !maker->keys[index].stack)
		maker->keys[index].stack = stack;
	if (has_key && maker->keys[index].stack == stack) {
		write_key(maker, moment, is_user, index);
		return;
	}
	struct etl_bytes *bytes = begin_on(maker, moment->cpu);
	begin_stack(bytes, moment, STACK_AS_IT_IS);
	write_addresses(bytes, stack);
}

/** Each stack is of one process. */
static size_t choose_stack(struct maker *maker, uint32_t thread)
{
	// The third power of an even distribution: the first tenth has almost half of the samples.
	double even = (double)random_below(&maker->random, 1 << 24) / (1 << 24);
	size_t of_process = maker->num_stacks / NUM_PROCESSES;
	size_t index = (size_t)(even * even * even * (double)of_process);
	return index * NUM_PROCESSES + thread % NUM_PROCESSES;
}

static void write_sample(struct maker *maker, uint64_t number)
{
	enum { USER_PART_TICKS = 240, NORMAL_PRIORITY = 0x40 };
	uint64_t turn = number / NUM_CPUS / SAMPLES_OF_TURN % (NUM_THREADS / NUM_CPUS);
	unsigned cpu = number % NUM_CPUS;
	uint64_t ticks = first_tick + (number / NUM_CPUS + 1) * TICKS_OF_MS + cpu * 10;
	struct moment moment = {cpu, (uint32_t)turn * NUM_CPUS + cpu, ticks + 2, ticks};
	// A user stack is in few places of the kernel: here in one.
	size_t choice = choose_stack(maker, moment.thread);
	const struct stack *kernel = &maker->stacks[0][choice], *user = &maker->stacks[1][choice];
	struct etl_bytes *bytes = begin_on(maker, cpu);
	etl_bytes_begin_perfinfo(bytes, PERFINFO, SAMPLE, 2, ticks, NULL, 0);
	etl_bytes_pointer(bytes, kernel->addresses[0]);
	etl_bytes_u32(bytes, tid_of(moment.thread));
	etl_bytes_u16(bytes, 1);
	etl_bytes_u16(bytes, NORMAL_PRIORITY);
	etl_bytes_end_event(bytes);
	write_stack(maker, &moment, false, kernel);
	moment.ticks += USER_PART_TICKS;
	write_stack(maker, &moment, true, user);
}

static void make(struct maker *maker, uint64_t num_samples)
{
	make_places(maker);
	for (size_t i = 0; i < 2 * maker->num_stacks; i++)
		make_stack(maker, i % 2, i / 2);
	write_start(maker);
	for (uint64_t i = 0; i < num_samples; i++)
		write_sample(maker, i);
	uint64_t end = first_tick + (num_samples / NUM_CPUS + 2) * TICKS_OF_MS;
	for (size_t i = 0; i < NUM_KEYS; i++)
		write_definition(maker, 0, end, i, KEY_AT_END);
	for (unsigned i = 0; i < NUM_CPUS; i++)
		end_buffer(maker, i);
}

int main(int argc, char **argv)
{
	static struct maker maker = {.random = 1};
	uint64_t num_samples = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
	maker.num_stacks = argc == 4 ? strtoul(argv[3], NULL, 10) & ~(NUM_PROCESSES - 1ul) : 0;
	if (!num_samples || !maker.num_stacks) {
		fprintf(stderr, "usage: %s FILE SAMPLES STACKS\n", argv[0]);
		return 2;
	}
	for (unsigned i = 0; i < NUM_CPUS; i++)
		maker.cpus[i].buffer_size = BUFFER_SIZE;
	for (int i = 0; i < 2; i++)
		maker.stacks[i] = calloc(maker.num_stacks, sizeof(struct stack));
	maker.file = fopen(argv[1], "wb");
	if (!maker.stacks[0] || !maker.stacks[1] || !maker.file) {
		fprintf(stderr, "error: cannot make '%s'\n", argv[1]);
		return 1;
	}
	make(&maker, num_samples);
	bool is_written = !ferror(maker.file);
	is_written = !fclose(maker.file) && is_written;
	for (unsigned i = 0; i < NUM_CPUS; i++)
		etl_bytes_deinit(&maker.cpus[i]);
	free(maker.stacks[0]);
	free(maker.stacks[1]);
	if (!is_written)
		fprintf(stderr, "error: cannot write '%s'\n", argv[1]);
	return !is_written;
}
