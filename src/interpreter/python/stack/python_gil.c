// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_gil.h"

// Follows struct _gil_runtime_state (Include/internal/pycore_gil.h). Up to 3.11 it is a part of
// _PyRuntime, since 3.12 each interpreter has a pointer to its own. `last_holder` keeps its value
// after the lock was released, so that it counts only while `locked` is 1.
//
// A thread that waits for the lock sleeps on a futex in `cond` or `mutex`, which are behind
// `locked` (`switch_cond` and `switch_mutex`, too). So the address on which the kernel says that a
// thread sleeps tells whether it waits for the GIL (python_gil_state_of()).

bool python_gil_read(const struct python_runtime *runtime, uint64_t interpreter,
		     struct python_gil *ret)
{
	const struct python_walk *walk = &runtime->walk;
	uint64_t gil = walk->gil;
	if (!walk->gil_holder ||
	    (walk->interpreter_gil &&
	     !process_memory_read_pointer(&runtime->memory, interpreter + walk->interpreter_gil,
					  &gil)))
		return false;
	uint64_t holder;
	int32_t is_locked;
	const struct process_memory_part parts[] = {
		{gil + walk->gil_locked, &is_locked, sizeof(is_locked)},
		{gil + walk->gil_holder, &holder, sizeof(holder)},
	};
	if (!process_memory_read_parts(&runtime->memory, parts, 2))
		return false;
	*ret = (struct python_gil){
		// Before there is a second thread, the lock may not have been made yet: -1.
		.holder = is_locked == 1 ? holder : 0,
		.waiting_place = gil + walk->gil_waiting_place,
		.waiting_place_size = walk->gil_waiting_place_size,
	};
	return true;
}

enum gil_state python_gil_state_of(const struct python_gil *gil, uint64_t thread, uint64_t lock)
{
	if (lock - gil->waiting_place < gil->waiting_place_size)
		return GIL_WAITED;
	return gil->holder == thread ? GIL_HELD : GIL_FREE;
}
