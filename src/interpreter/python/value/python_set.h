/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_SET_H
#define WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_SET_H

/** Iterates over the members of a set or frozenset, as far as they are readable. */

#include "interpreter/python/layout/python_runtime.h"

#include <stdbool.h>
#include <stdint.h>

struct python_set {
	uint64_t num_used; /* members */
	uint64_t table;    /* private: address of its slots */
	uint64_t num;      /* private: of slots, including empty ones */
	uint64_t next;     /* private: index of the next slot */
};

/** False: not a set. */
bool python_set_read(const struct python_runtime *runtime, uint64_t address,
		     struct python_set *ret);

/** The next member, an object. False at the end, and in sets with very many slots. */
bool python_set_next(const struct python_runtime *runtime, struct python_set *set, uint64_t *ret);

#endif
