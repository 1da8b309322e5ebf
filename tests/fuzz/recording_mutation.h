/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_FUZZ_RECORDING_MUTATION_H
#define WPERF_TESTS_FUZZ_RECORDING_MUTATION_H

/**
 * Damages a perf.data file as a fuzzer would that knows the format: words and bits of the header,
 * the attributes, the records and the features change; records are repeated, moved, removed and get
 * other kinds and sizes; the file is cut. The same seed always gives the same file.
 */

#include <stddef.h>
#include <stdint.h>

struct recording_mutation {
	uint8_t *bytes; /* owned */
	size_t size;
};

/** No memory ends the program. */
struct recording_mutation recording_mutation_create(const uint8_t *original, size_t size,
						    uint64_t seed);
void recording_mutation_destroy(struct recording_mutation *mutation);

#endif
