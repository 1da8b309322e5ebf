// SPDX-License-Identifier: Apache-2.0

#include "process/process_origin.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_time.h"
#include "process/process_facts.h"

#include <stdlib.h>

// The list of processes is sorted by number, so that process_origin_find() can bisect it. A
// parent's number may be used again after it ended: who follows parents compares their births.

static int compare_origins(const void *a, const void *b)
{
	uint32_t left = ((const struct process_origin *)a)->pid;
	uint32_t right = ((const struct process_origin *)b)->pid;
	return (left > right) - (left < right);
}

struct error *process_origin_list(struct process_origin **ret, size_t *ret_num)
{
	size_t size = 0, place = 0, num = 0, cap = 0;
	_cleanup_free_ struct process_facts *all = process_facts_read(&size);
	_cleanup_free_ struct process_origin *origins = NULL;
	if (!all)
		return error_create(ERROR_FAILED, "cannot list processes");
	for (const struct process_facts *process;
	     (process = process_facts_next(all, size, &place));) {
		struct error *err = array_reserve(&origins, &cap, num + 1);
		if (err)
			return err;
		origins[num++] = (struct process_origin){
			.pid = (uint32_t)process->process_id,
			.parent = (uint32_t)process->parent_id,
			.birth_ns = file_time_wall_ns((uint64_t)process->create_time),
		};
	}
	if (num)
		qsort(origins, num, sizeof(*origins), compare_origins);
	*ret = take_ptr(origins);
	*ret_num = num;
	return NULL;
}
