// SPDX-License-Identifier: Apache-2.0

#include "process/process_facts.h"

#include "base/cleanup.h"

#include <stdbool.h>
#include <stdlib.h>
#include <windows.h>
#include <winternl.h>

enum {
	FIRST_SIZE = 1 << 19,
	MOST_SIZE = 1 << 28,
};

static const NTSTATUS too_small = (NTSTATUS)0xc0000004;

struct process_facts *process_facts_read(size_t *ret_size)
{
	for (ULONG size = FIRST_SIZE; size <= MOST_SIZE; size *= 2) {
		_cleanup_free_ struct process_facts *facts = malloc(size);
		ULONG used = 0;
		if (!facts)
			return NULL;
		NTSTATUS status =
			NtQuerySystemInformation(SystemProcessInformation, facts, size, &used);
		if (status == 0) {
			*ret_size = used < size ? used : size;
			return take_ptr(facts);
		}
		if (status != too_small)
			return NULL;
	}
	return NULL;
}

const struct process_facts *process_facts_next(const struct process_facts *all, size_t size,
					       size_t *place)
{
	if (*place >= size || size - *place < sizeof(*all))
		return NULL;
	const struct process_facts *process = (const void *)((const char *)all + *place);
	bool is_last = !process->to_next || process->to_next > size - *place;
	*place = is_last ? size : *place + process->to_next;
	return process;
}
