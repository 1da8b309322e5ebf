// SPDX-License-Identifier: Apache-2.0

// How long a file with machine code takes to open, to the first answer, and to each of many others:
//     symbol_lookup FILE START SIZE COUNT    (numbers of the code, hexadecimal; COUNT decimal)

#include "object/object.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

static struct error *ask_many(struct object *object, uint64_t start, uint64_t size, int count)
{
	uint64_t state = 1;
	struct error *err = NULL;
	for (int i = 0; !err && i < count; i++)
		err = ask(object, start + next(&state) % size);
	return err;
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	uint64_t start = strtoull(argv[2], NULL, 16), size = strtoull(argv[3], NULL, 16);
	int count = atoi(argv[4]);
	double times[4] = {now_us()};
	_cleanup_(object_destroyp) struct object *object = NULL;
	struct error *err = object_open(argv[1], "", &object);
	if (!err)
		err = ask(object, start);
	times[1] = now_us();
	for (int round = 0; !err && round < 2; round++) {
		err = ask_many(object, start, size, count);
		times[2 + round] = now_us();
	}
	if (err) {
		fprintf(stderr, "%s\n", err->message);
		error_destroy(err);
		return 1;
	}
	printf("%.1f ms to the first answer; %d others: %.3f us each, and again: %.3f us each\n",
	       (times[1] - times[0]) / 1e3, count, (times[2] - times[1]) / count,
	       (times[3] - times[2]) / count);
	return 0;
}
