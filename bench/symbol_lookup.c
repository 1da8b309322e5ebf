// SPDX-License-Identifier: Apache-2.0

// How long a file with machine code takes to open, to the first answer, and to each of many others,
// function and line:
//     symbol_lookup FILE START SIZE COUNT    (numbers of the code, hexadecimal; COUNT decimal)

#include "object/object.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/** What is asked about. */
struct code {
	uint64_t start, size, count;
};

static double now_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/** The next of a row of numbers that make no sense. */
static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 33;
}

static struct error *ask(struct object *object, uint64_t address)
{
	const struct object_symbol *symbol;
	const struct object_line *lines;
	size_t num_lines;
	struct error *err = object_find_symbol(object, address, &symbol);
	return err ? err : object_find_lines(object, address, &lines, &num_lines);
}

/** As many addresses all over the code, in an order that makes no sense. */
static struct error *ask_many(struct object *object, const struct code *code)
{
	uint64_t state = 1;
	struct error *err = NULL;
	for (uint64_t i = 0; !err && i < code->count; i++)
		err = ask(object, code->start + next(&state) % code->size);
	return err;
}

/** As many addresses, each above the last one. */
static struct error *ask_in_order(struct object *object, const struct code *code)
{
	struct error *err = NULL;
	for (uint64_t i = 0; !err && i < code->count; i++)
		err = ask(object, code->start + code->size * i / code->count);
	return err;
}

static struct error *open_first(const char *path, const struct code *code, struct object **ret)
{
	double start = now_us();
	struct error *err = object_open(path, "", ret);
	if (!err)
		err = ask(*ret, code->start);
	if (!err)
		printf("%.1f ms to the first answer", (now_us() - start) / 1e3);
	return err;
}

typedef struct error *(*ask_fn)(struct object *object, const struct code *code);

static struct error *measure(struct object *object, const struct code *code, ask_fn ask_all,
			     const char *name)
{
	double start = now_us();
	struct error *err = ask_all(object, code);
	if (!err)
		printf(", %s %.3f us", name, (now_us() - start) / (double)code->count);
	return err;
}

static struct error *run(const char *path, const struct code *code)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	struct error *err = open_first(path, code, &object);
	if (!err)
		err = measure(object, code, ask_many, "others at random");
	if (!err)
		err = measure(object, code, ask_many, "the same again");
	puts("");
	_cleanup_(object_destroyp) struct object *fresh = NULL;
	if (!err)
		err = open_first(path, code, &fresh);
	if (!err)
		err = measure(fresh, code, ask_in_order, "others by address");
	puts("");
	return err;
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	const struct code code = {
		.start = strtoull(argv[2], NULL, 16),
		.size = strtoull(argv[3], NULL, 16),
		.count = strtoull(argv[4], NULL, 10),
	};
	struct error *err = run(argv[1], &code);
	if (err) {
		fprintf(stderr, "%s\n", err->message);
		error_destroy(err);
		return 1;
	}
	return 0;
}
