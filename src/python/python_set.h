/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_SET_H
#define WPERF_PYTHON_PYTHON_SET_H

/** The members of a set or frozenset of Python, as far as they can be read. */

#include "python/python_runtime.h"

#include <stdbool.h>
#include <stdint.h>

struct python_set {
	uint64_t num_used; /* members */
	uint64_t table;    /* private: address of its places, */
	uint64_t num;      /* private: how many there are, also empty ones, */
	uint64_t next;     /* private: and the next one */
};

/** False if there is no set. */
bool python_set_read(const struct python_runtime *runtime, uint64_t address,
		     struct python_set *ret);

/** The next member, an object. False at the end, and in sets of very many places. */
bool python_set_next(const struct python_runtime *runtime, struct python_set *set, uint64_t *ret);

#endif
