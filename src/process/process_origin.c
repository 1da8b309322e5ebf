// SPDX-License-Identifier: Apache-2.0

#include "process/process_origin.h"

#include "base/container/bisect.h"

const struct process_origin *process_origin_find(const struct process_origin *origins, size_t num,
						 uint32_t pid)
{
	size_t place = num ? bisect_u32(&origins->pid, num, sizeof(*origins), pid) : 0;
	return place && origins[place - 1].pid == pid ? &origins[place - 1] : NULL;
}
