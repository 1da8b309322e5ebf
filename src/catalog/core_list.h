/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_CORE_LIST_H
#define WPERF_CATALOG_CORE_LIST_H

/** -c: core numbers, `0,3-5,9-7`; sorted, each once. */

#include "base/error.h"

#include <stddef.h>

struct core_list {
	unsigned *cores; /* ascending */
	size_t num_cores;
};

#define CORE_LIST_INIT \
	{              \
	}

/** @num_cores: of the machine; other numbers are errors, and so are empty items. */
struct error *core_list_parse(const char *text, unsigned num_cores, struct core_list *ret);
void core_list_deinit(struct core_list *list);

#endif
