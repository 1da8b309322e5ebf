// SPDX-License-Identifier: Apache-2.0

#include "process/process_facts.h"

#include "process/system/system_list.h"

#include <stdbool.h>

// The answer to SystemProcessInformation: entries of different sizes, each with the distance to the
// next one. It has hundreds of KiB, and grows between the question for its size and the next call,
// so that a size is tried and doubled (system_list_win.c).

enum {
	FIRST_SIZE = 1 << 19,
	MOST_SIZE = 1 << 28,
};

struct process_facts *process_facts_read(size_t *ret_size)
{
	void *facts = NULL;
	error_destroy(system_list_read(SystemProcessInformation, FIRST_SIZE, MOST_SIZE, &facts,
				       ret_size));
	return facts;
}

const struct process_facts *process_facts_next(const struct process_facts *all, size_t size,
					       size_t *place)
{
	if (*place >= size || size - *place < sizeof(*all))
		return NULL;
	const struct process_facts *process = (const void *)((const char *)all + *place);
	// The distance is checked like any bytes from outside.
	bool is_last = !process->to_next || process->to_next > size - *place;
	*place = is_last ? size : *place + process->to_next;
	return process;
}
