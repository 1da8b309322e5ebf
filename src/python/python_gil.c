// SPDX-License-Identifier: Apache-2.0

#include "python/python_gil.h"

// Behind `locked` there is a counter of switches, and then, as glibc lays them out, a condition of
// 48 bytes, a mutex of 40, and both once more. On AArch64 mutexes have 48.
enum {
	LOCKED_TO_CONDITIONS = 16,
	CONDITIONS_BYTES = 2 * (48 + 40),
};

bool python_gil_read(const struct python_runtime *runtime, uint64_t interpreter,
		     struct python_gil *ret)
{
	const struct python_layout *layout = &runtime->layout;
	uint64_t gil = runtime->address;
	if (!layout->gil_holder ||
	    (layout->interpreter_gil &&
	     !process_memory_read_pointer(&runtime->memory, interpreter + layout->interpreter_gil,
					  &gil)))
		return false;
	uint64_t holder;
	int32_t is_locked;
	const struct process_memory_part parts[] = {
		{gil + layout->gil_locked, &is_locked, sizeof(is_locked)},
		{gil + layout->gil_holder, &holder, sizeof(holder)},
	};
	if (!process_memory_read_parts(&runtime->memory, parts, 2))
		return false;
	uint64_t place = gil + layout->gil_locked + LOCKED_TO_CONDITIONS;
	*ret = (struct python_gil){
		// Before there is a second thread, the lock may not have been made yet: -1.
		.holder = is_locked == 1 ? holder : 0,
		.waiting_place = place,
		.waiting_place_end = place + CONDITIONS_BYTES,
	};
	return true;
}
