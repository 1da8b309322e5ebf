// SPDX-License-Identifier: Apache-2.0

/**
 * Writes a large recording: make_recording FILE SAMPLES STACKS MODULE...
 *
 * The threads of two processes run the functions of the modules. Every stack but the first shares
 * its outer frames with an earlier one, few stacks have most of the samples, and threads stay on
 * their CPU for some samples, as it is with real programs. The same words give the same file.
 */

#include "bench/random_numbers.h"

#include "base/file/file_map.h"
#include "object/elf/elf_image.h"
#include "record/perf_data/event_attr.h"
#include "record/perf_data/perf_abi.h"
#include "record/perf_data/perf_data_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NUM_PLACES = 40000, /* of code that stacks are made of */
	MIN_DEPTH = 8,
	MAX_DEPTH = 40,
	NUM_CPUS = 4,
	NUM_THREADS = 8,
	NUM_PROCESSES = 2,
	SAMPLES_OF_TURN = 10, /* of a thread on its CPU, then comes another one */
	FIRST_PID = 1000,
	SAMPLES_OF_ROUND = 4096, /* of each CPU */
	PERIOD_NS = 100000,
	PAGE = 4096,
	ATTR_SIZE = 112,
	MAX_MODULES = 16,
};

static const uint64_t first_base = UINT64_C(0x7f0000000000);
static const uint64_t distance_of_bases = UINT64_C(1) << 32;
static const uint64_t event_id = 7;

struct module {
	const char *path;
	uint64_t base;
	struct elf_segment code;
	const struct object_symbol *symbols;
	size_t num_symbols;
	struct object *object;
};

struct stack {
	uint64_t words[1 + MAX_DEPTH]; /* a context, then the leaf first */
	uint32_t length;               /* in words */
};

struct maker {
	uint64_t random;
	struct module modules[MAX_MODULES];
	size_t num_modules;
	uint64_t *places;
	struct stack *stacks;
	size_t num_stacks;
	struct perf_data_writer *writer;
};

static struct error *find_code(struct module *module)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	_cleanup_(elf_image_deinit) struct elf_image image = ELF_IMAGE_INIT;
	struct error *err = file_map_open(&map, module->path);
	if (!err)
		err = elf_image_init(&image, map.data, map.size, module->path);
	if (err)
		return err;
	for (size_t i = 0; i < image.num_segments; i++) {
		if (!image.segments[i].is_code)
			continue;
		module->code = image.segments[i];
		return NULL;
	}
	return error_create(ERROR_FAILED, "'%s' has no code", module->path);
}

static struct error *add_module(struct maker *maker, const char *path)
{
	if (maker->num_modules == MAX_MODULES)
		return error_create(ERROR_USAGE, "more than %d modules", MAX_MODULES);
	struct module *module = &maker->modules[maker->num_modules];
	module->path = path;
	module->base = first_base + maker->num_modules++ * distance_of_bases;
	struct error *err = find_code(module);
	if (!err)
		err = object_open(path, "", &module->object);
	if (!err)
		err = object_symbols(module->object, &module->symbols, &module->num_symbols);
	if (!err && !module->num_symbols)
		err = error_create(ERROR_FAILED, "'%s' has no symbols", path);
	return err;
}

static struct error *choose_places(struct maker *maker)
{
	maker->places = calloc(NUM_PLACES, sizeof(*maker->places));
	if (!maker->places)
		return &error_no_memory;
	for (size_t i = 0; i < NUM_PLACES;) {
		const struct module *module =
			&maker->modules[random_below(&maker->random, maker->num_modules)];
		const struct object_symbol *symbol =
			&module->symbols[random_below(&maker->random, module->num_symbols)];
		if (symbol->address - module->code.address < module->code.size)
			maker->places[i++] = module->base + symbol->address +
					     random_below(&maker->random, symbol->size);
	}
	return NULL;
}

static void make_stack(struct maker *maker, size_t index)
{
	struct stack *stack = &maker->stacks[index];
	size_t depth = MIN_DEPTH + random_below(&maker->random, MAX_DEPTH - MIN_DEPTH + 1);
	const struct stack *like =
		index ? &maker->stacks[random_below(&maker->random, index)] : stack;
	size_t most = index ? like->length - 1 : 0;
	size_t num_shared = random_below(&maker->random, (most < depth ? most : depth - 1) + 1);
	stack->length = (uint32_t)(1 + depth);
	stack->words[0] = RECORD_CONTEXT_USER;
	for (size_t i = 1; i <= depth - num_shared; i++)
		stack->words[i] = maker->places[random_below(&maker->random, NUM_PLACES)];
	memcpy(stack->words + stack->length - num_shared, like->words + like->length - num_shared,
	       num_shared * sizeof(stack->words[0]));
}

static struct error *make_stacks(struct maker *maker, size_t num_stacks)
{
	maker->stacks = calloc(num_stacks, sizeof(*maker->stacks));
	if (!maker->stacks)
		return &error_no_memory;
	maker->num_stacks = num_stacks;
	for (size_t i = 0; i < num_stacks; i++)
		make_stack(maker, i);
	return NULL;
}

static struct error *open_writer(struct maker *maker, const char *path)
{
	struct perf_data_event event = {
		.name = "cycles", .attr_size = ATTR_SIZE, .ids = &event_id, .num_ids = 1};
	uint64_t period = PERIOD_NS, flags = PERF_ABI_ATTR_SAMPLE_ID_ALL;
	memcpy(event.attr + PERF_ABI_ATTR_FLAGS, &flags, sizeof(flags));
	memcpy(event.attr + PERF_ABI_ATTR_PERIOD, &period, sizeof(period));
	event_attr_set_written(event.attr, perf_data_writer_sample_type);
	return perf_data_writer_create(path, &event, 1, &maker->writer);
}

static struct error *write_map(struct maker *maker, const struct module *module, uint32_t pid)
{
	uint64_t in_page = module->code.address % PAGE;
	struct record record = {
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_USER,
		.pid = pid,
		.tid = pid,
		.time_ns = 1,
		.map =
			{
				.start = module->base + module->code.address - in_page,
				.length = (module->code.size + in_page + PAGE - 1) / PAGE * PAGE,
				.file_offset = module->code.offset - in_page,
				.path = module->path,
				.is_executable = true,
			},
	};
	uint8_t *build_id = record.map.build_id.bytes;
	record.map.build_id.size = (uint8_t)object_build_id(module->object, build_id);
	return perf_data_writer_record(maker->writer, &record);
}

static uint32_t pid_of(uint32_t thread)
{
	return FIRST_PID + thread % NUM_PROCESSES;
}

static uint32_t tid_of(uint32_t thread)
{
	return FIRST_PID + thread;
}

static struct error *write_name(struct maker *maker, uint32_t thread)
{
	char name[16];
	snprintf(name, sizeof(name), "program-%" PRIu32, pid_of(thread));
	const struct record record = {.kind = RECORD_COMM,
				      .pid = pid_of(thread),
				      .tid = tid_of(thread),
				      .time_ns = 1,
				      .comm = {.name = name}};
	return perf_data_writer_record(maker->writer, &record);
}

static struct error *write_processes(struct maker *maker)
{
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < NUM_THREADS; i++) {
		err = write_name(maker, i);
		for (size_t j = 0; !err && i < NUM_PROCESSES && j < maker->num_modules; j++)
			err = write_map(maker, &maker->modules[j], pid_of(i));
	}
	return err;
}

/** Each stack is of one process. */
static const struct stack *choose_stack(struct maker *maker, uint32_t thread)
{
	// The third power of an even distribution: the first tenth has almost half of the samples.
	double even = (double)random_below(&maker->random, 1 << 24) / (1 << 24);
	size_t of_process = maker->num_stacks / NUM_PROCESSES;
	size_t index = (size_t)(even * even * even * (double)of_process);
	return &maker->stacks[index * NUM_PROCESSES + thread % NUM_PROCESSES];
}

static uint32_t choose_thread(uint32_t cpu, uint64_t number)
{
	uint64_t turn = number / SAMPLES_OF_TURN % (NUM_THREADS / NUM_CPUS);
	return (uint32_t)(turn + cpu * (NUM_THREADS / NUM_CPUS));
}

static struct error *write_sample(struct maker *maker, uint32_t cpu, uint64_t number)
{
	uint32_t thread = choose_thread(cpu, number);
	const struct stack *stack = choose_stack(maker, thread);
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = pid_of(thread),
		.tid = tid_of(thread),
		.time_ns = (number + 1) * PERIOD_NS + random_below(&maker->random, PERIOD_NS),
		.cpu = cpu,
		.sample =
			{
				.ip = stack->words[1],
				.period = PERIOD_NS,
				.chain = stack->words,
				.chain_length = stack->length,
			},
	};
	return perf_data_writer_record(maker->writer, &record);
}

/** One ring behind the other, as a recorder finds them. */
static struct error *write_samples(struct maker *maker, uint64_t num_samples)
{
	struct error *err = NULL;
	uint64_t of_cpu = num_samples / NUM_CPUS;
	for (uint64_t first = 0; !err && first < of_cpu; first += SAMPLES_OF_ROUND) {
		uint64_t end =
			first + SAMPLES_OF_ROUND < of_cpu ? first + SAMPLES_OF_ROUND : of_cpu;
		for (uint32_t cpu = 0; cpu < NUM_CPUS; cpu++)
			for (uint64_t i = first; !err && i < end; i++)
				err = write_sample(maker, cpu, i);
		if (!err)
			err = perf_data_writer_round(maker->writer);
	}
	return err;
}

static struct error *make(struct maker *maker, char **words)
{
	struct error *err = NULL;
	for (size_t i = 4; !err && words[i]; i++)
		err = add_module(maker, words[i]);
	if (!err)
		err = choose_places(maker);
	if (!err)
		err = make_stacks(maker, strtoul(words[3], NULL, 10));
	if (!err)
		err = open_writer(maker, words[1]);
	if (!err)
		err = write_processes(maker);
	if (!err)
		err = write_samples(maker, strtoull(words[2], NULL, 10));
	const struct perf_data_info info = {.machine = "x86_64"};
	return err ? err : perf_data_writer_finish(maker->writer, &info);
}

static void maker_deinit(struct maker *maker)
{
	perf_data_writer_destroy(maker->writer);
	for (size_t i = 0; i < maker->num_modules; i++)
		object_destroy(maker->modules[i].object);
	free(maker->places);
	free(maker->stacks);
}

int main(int argc, char **argv)
{
	if (argc < 5) {
		fprintf(stderr, "usage: %s FILE SAMPLES STACKS MODULE...\n", argv[0]);
		return 2;
	}
	struct maker maker = {.random = 1};
	_cleanup_(error_destroyp) struct error *err = make(&maker, argv);
	maker_deinit(&maker);
	if (err)
		fprintf(stderr, "error: %s\n", err->message);
	return err != NULL;
}
