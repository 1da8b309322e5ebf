// SPDX-License-Identifier: Apache-2.0

#include "catalog/core_list.h"

#include "base/text/number.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Cores are first marked in an array with a flag for each core of the machine, and then collected:
// the list comes out sorted, and a core that is named twice is in it once. A range may be written
// from either end. The messages are those of WindowsPerf.

static struct error *core_list_parse_core(const char *text, size_t length, unsigned num_cores,
					  unsigned *ret)
{
	uint64_t core = 0;
	enum number_result result = number_parse_decimal(text, length, &core);
	if (result == NUMBER_INVALID)
		return error_create(ERROR_USAGE,
				    "option -c format not supported, use comma separated list of "
				    "integers, or range of integers");
	if (result == NUMBER_RANGE || core >= num_cores)
		return error_create(ERROR_USAGE,
				    "core index %.*s not allowed. Use 0-%u, see option -c <n>",
				    (int)length, text, num_cores ? num_cores - 1 : 0);
	*ret = (unsigned)core;
	return NULL;
}

static struct error *collect_marked(const bool *marked, unsigned num_cores, struct core_list *ret)
{
	size_t count = 0;
	for (unsigned core = 0; core < num_cores; core++)
		count += marked[core];
	unsigned *cores = calloc(count, sizeof(*cores));
	if (!cores)
		return &error_no_memory;
	size_t num_collected = 0;
	for (unsigned core = 0; core < num_cores; core++) {
		if (marked[core])
			cores[num_collected++] = core;
	}
	*ret = (struct core_list){.cores = cores, .num_cores = count};
	return NULL;
}

struct error *core_list_parse(const char *text, unsigned num_cores, struct core_list *ret)
{
	_cleanup_free_ bool *marked = calloc((size_t)num_cores + 1, sizeof(*marked));
	if (!marked)
		return &error_no_memory;
	for (const char *item = text;;) {
		// One item, `3` or `3-5` or `5-3`.
		size_t length = strcspn(item, ",");
		const char *dash = memchr(item, '-', length);
		size_t first_length = dash ? (size_t)(dash - item) : length;
		unsigned first = 0;
		struct error *err = core_list_parse_core(item, first_length, num_cores, &first);
		unsigned last = first;
		if (!err && dash)
			err = core_list_parse_core(dash + 1, length - first_length - 1, num_cores,
						   &last);
		if (err)
			return err;
		unsigned low = first < last ? first : last;
		unsigned high = first < last ? last : first;
		for (unsigned core = low; core <= high; core++)
			marked[core] = true;
		if (!item[length])
			break;
		item += length + 1;
	}
	return collect_marked(marked, num_cores, ret);
}

void core_list_deinit(struct core_list *list)
{
	free(list->cores);
	*list = (struct core_list)CORE_LIST_INIT;
}
