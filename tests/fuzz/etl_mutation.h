/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_FUZZ_ETL_MUTATION_H
#define WPERF_TESTS_FUZZ_ETL_MUTATION_H

/**
 * Damages a recording of Windows (ETW) or a zip with some: words and bits of headers of buffers and
 * of events, of payloads and of packed bytes; buffers are swapped, repeated and removed; events get
 * other classes, headers and sizes; the file is cut.
 */

#include "tests/fuzz/recording_mutation.h"

struct recording_mutation etl_mutation_create(const uint8_t *original, size_t size, uint64_t seed);

#endif
