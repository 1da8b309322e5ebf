/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_FUZZ_MUTATION_H
#define WPERF_TESTS_FUZZ_MUTATION_H

/** What all kinds of damaged files are made with. The same seed always gives the same numbers. */

#include <stddef.h>
#include <stdint.h>

struct mutation {
	uint8_t *bytes; /* the caller's to free */
	size_t size, capacity;
	uint64_t random;
};

struct mutation_range {
	size_t at, size;
};

/** A copy of a file, which may grow to @capacity. No memory ends the program. */
struct mutation mutation_begin(const uint8_t *original, size_t size, size_t capacity,
			       uint64_t seed);

uint64_t mutation_random(struct mutation *state);

/** 0 if there is nothing below. */
size_t mutation_below(struct mutation *state, size_t limit);

/** A word of 1 to 8 bytes; outside of the file it is 0, and setting it does nothing. */
uint64_t mutation_get(const struct mutation *state, size_t at, size_t size);
void mutation_set(struct mutation *state, size_t at, size_t size, uint64_t word);

/** What of a range is in the file. */
struct mutation_range mutation_clip(const struct mutation *state, uint64_t at, uint64_t size);

/** One that breaks programs, or has to do with the one before. */
uint64_t mutation_word(struct mutation *state, uint64_t before);

/** Any word of the range becomes such a one. */
void mutation_change_word(struct mutation *state, struct mutation_range range);

#endif
