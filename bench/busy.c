// SPDX-License-Identifier: Apache-2.0

/**
 * A program to be sampled: busy DEPTH STEPS does a fixed amount of work under DEPTH callers and
 * prints the seconds that this took, by the clock and of the processor.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile uint64_t result;

static __attribute__((noinline)) void work(unsigned long num_steps)
{
	uint64_t value = 1;
	for (unsigned long i = 0; i < num_steps; i++)
		value = value * UINT64_C(6364136223846793005) + i;
	result = value;
}

// What comes behind the call keeps it from becoming a jump.
static __attribute__((noinline)) void descend(unsigned long depth,
					      unsigned long num_steps) // NOLINT
{
	if (depth == 0)
		work(num_steps);
	else
		descend(depth - 1, num_steps);
	result++;
}

static double seconds_of(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	enum { NUM_DESCENTS = 1000 };
	if (argc != 3)
		return 2;
	unsigned long depth = strtoul(argv[1], NULL, 10), num_steps = strtoul(argv[2], NULL, 10);
	double began = seconds_of(CLOCK_MONOTONIC);
	for (unsigned long i = 0; i < NUM_DESCENTS; i++)
		descend(depth + i % 4, num_steps / NUM_DESCENTS);
	printf("%.6f %.6f\n", seconds_of(CLOCK_MONOTONIC) - began,
	       seconds_of(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
