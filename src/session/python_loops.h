/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PYTHON_LOOPS_H
#define WPERF_SESSION_PYTHON_LOOPS_H

/**
 * The C functions that run bytecode, of each module with an interpreter. Reports replace their
 * frames with the lines of Python that they run. A module is read at the first address in it.
 */

#include "base/error.h"
#include "base/string_table.h"
#include "symbols/module_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python_loop; /* private */

struct python_loops {
	struct string_table paths;
	struct python_loop *items;
	size_t num_items, cap_items;
};

#define PYTHON_LOOPS_INIT \
	{                 \
	}

void python_loops_deinit(struct python_loops *loops);

/** @ret: the number of the module; the same for the same module. Its path is copied. */
struct error *python_loops_add(struct python_loops *loops, const struct module *module,
			       uint32_t *ret);

/** Is this address, relative to the module's image, in such a function? */
bool python_loops_hold(struct python_loops *loops, const struct module_file_search *search,
		       uint32_t module, uint64_t address);

/** Is this the name of such a function, or of one that only calls it? */
bool python_loops_is_name(const char *symbol);

#endif
