/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_DICT_H
#define WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_DICT_H

/** Iterates over the entries of a dict in their order, as far as they are readable. */

#include "interpreter/python/layout/python_runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python_dict {
	uint64_t num_used; /* entries */
	uint64_t entries;  /* private: address of the first one */
	uint64_t num;      /* private: including deleted ones */
	uint64_t next;     /* private: index of the next one */
	uint64_t values;   /* private: address of a separate table; 0: in the entries */
	uint32_t entry_size, key_offset; /* private */
};

struct python_dict_entry {
	uint64_t key, value; /* objects */
};

/** False: not a dict. */
bool python_dict_read(const struct python_runtime *runtime, uint64_t address,
		      struct python_dict *ret);

/**
 * The attributes of an instance that has values, but no dict: since 3.11.
 * @keys: of its class. @values: address of the first value.
 */
bool python_dict_read_values(const struct python_runtime *runtime, uint64_t keys, uint64_t values,
			     struct python_dict *ret);

/** False at the end, and after many deleted entries in a row. */
bool python_dict_next(const struct python_runtime *runtime, struct python_dict *dict,
		      struct python_dict_entry *ret);

/** The value of a key that is a string; 0: it is not among the next @max entries. */
uint64_t python_dict_find(const struct python_runtime *runtime, struct python_dict *dict,
			  const char *key, size_t max);

#endif
