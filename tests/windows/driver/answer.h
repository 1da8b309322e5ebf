/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_WINDOWS_DRIVER_ANSWER_H
#define WPERF_TESTS_WINDOWS_DRIVER_ANSWER_H

/** A request, and what is told of its answer. */

#include "tests/windows/driver/door.h"

#include <stdint.h>

enum { ANSWER_MAX = 41 * 1024 };

struct answer {
	uint32_t error;
	size_t size;
	uint8_t bytes[ANSWER_MAX];
};

/** @out_size: that is offered; ANSWER_MAX at most. */
void answer_ask(struct door *door, uint32_t code, const void *in, size_t in_size, size_t out_size,
		struct answer *ret);

/** Error, size, and the bytes or, of many, a number made of them. */
void answer_tell(const char *what, const struct answer *answer);

/** Take an answer into a number that stands for many. */
void answer_mix(const struct answer *answer, uint64_t *sum);

#endif
