// SPDX-License-Identifier: Apache-2.0
// Reads the stack of a process's main thread of Python many times while it runs, and writes one
// line for each: how the walk ended, then the names, innermost first. Costs go to standard error.

#include "base/os/clock.h"
#include "interpreter/python/python_process.h"
#include "interpreter/python/stack/python_code.h"
#include "interpreter/python/stack/python_stack.h"
#include "interpreter/python/stack/python_threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct probe {
	struct python_runtime runtime;
	struct python_code_table codes;
	struct code_budget budget;
	struct python_stack_reader *reader;
	uint64_t thread, walk_ns;
};

static int fail(struct error *err)
{
	fprintf(stderr, "%s\n", err->message);
	error_destroy(err);
	return 1;
}

static struct error *print_stack(struct probe *probe)
{
	struct interpreted_frame frames[FRAME_WALK_MAX_FRAMES];
	size_t num;
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	enum frame_walk_end end = python_stack_read(probe->reader, probe->thread, frames,
						    FRAME_WALK_MAX_FRAMES, &num);
	probe->walk_ns += clock_ns(CLOCK_MONOTONIC) - begin;
	printf("%d", end);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num; i++) {
		uint32_t index;
		err = python_code_table_find(&probe->codes, &frames[i], &index);
		const struct python_code *code = &probe->codes.items[index];
		if (!err && index != PYTHON_CODE_NONE)
			printf(";%s:%" PRIu32,
			       string_table_get(&probe->codes.strings, code->qualified_name),
			       python_code_position(&probe->codes, index, &frames[i]).line);
		else
			printf(";?");
	}
	putchar('\n');
	return err;
}

static struct error *open_probe(struct probe *probe, uint32_t pid)
{
	_cleanup_(python_threads_deinit) struct python_threads threads = PYTHON_THREADS_INIT;
	struct error *err = python_process_open(pid, &probe->runtime);
	if (!err)
		err = python_threads_read(&threads, &probe->runtime, NULL, 0);
	if (!err && !threads.num_items)
		err = error_create(ERROR_FAILED, "no threads");
	if (err)
		return err;
	probe->thread = threads.items[threads.num_items - 1].state;
	python_code_table_init(&probe->codes, &probe->runtime, &probe->budget);
	return python_stack_reader_create(&probe->runtime, &probe->reader);
}

int main(int argc, char **argv)
{
	static struct probe probe;
	if (argc != 4)
		return 2;
	struct error *err = open_probe(&probe, (uint32_t)strtoul(argv[1], NULL, 10));
	if (err)
		return fail(err);
	unsigned long num = strtoul(argv[2], NULL, 10);
	struct timespec pause = {.tv_nsec = 1000 * strtol(argv[3], NULL, 10)};
	for (unsigned long i = 0; !err && i < num; i++) {
		nanosleep(&pause, NULL);
		err = print_stack(&probe);
	}
	if (err)
		return fail(err);
	struct python_stack_counts counts = python_stack_reader_counts(probe.reader);
	fprintf(stderr, "%.2f us a stack, %.2f tries, %.2f calls, %" PRIu64 " codes gone\n",
		(double)probe.walk_ns / 1000 / (double)num, (double)counts.num_tries / (double)num,
		(double)counts.num_calls / (double)num, probe.codes.num_gone);
	python_stack_reader_destroy(probe.reader);
	python_code_table_deinit(&probe.codes);
	return 0;
}
