/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_DICT_H
#define WPERF_PYTHON_PYTHON_DICT_H

/** The entries of a dict of Python, in their order, as far as they can be read. */

#include "python/python_runtime.h"

#include <stdbool.h>
#include <stdint.h>

struct python_dict {
	uint64_t num_used; /* entries */
	uint64_t entries;  /* private: address of the first, */
	uint64_t num;      /* private: how many there are, also of what was deleted, */
	uint64_t next;     /* private: and the next one */
	uint64_t values;   /* private: of a table of its own; 0: in the entries */
	uint32_t entry_size, key_offset; /* private */
};

struct python_dict_entry {
	uint64_t key, value; /* objects */
};

/** False if there is no dict. */
bool python_dict_read(const struct python_runtime *runtime, uint64_t address,
		      struct python_dict *ret);

/** False at the end, and behind many deleted entries in a row. */
bool python_dict_next(const struct python_runtime *runtime, struct python_dict *dict,
		      struct python_dict_entry *ret);

#endif
