// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/python_hooks.h"
#include "source/memory/preload/real_allocator.h"
#include "source/memory/preload/sampler.h"
#include "source/memory/preload/thread_state.h"

#include <dlfcn.h>
#include <string.h>

// The beginning of wperf-memory.so. Before it, the loader and other libraries may have allocated;
// these allocations are not sampled, as it is not known yet whether anybody reads samples.

extern void *own_malloc(size_t size); // malloc() of this library

static bool preloaded_is_replaced(void)
{
	void *(*ours)(size_t) = own_malloc;
	void *chosen = dlsym(RTLD_DEFAULT, "malloc");
	return chosen && memcmp(&chosen, &ours, sizeof(chosen)) != 0;
}

static void __attribute__((constructor)) preloaded_begin(void)
{
	uint64_t left = sampled_thread_pause();
	real_allocator_find();
	sampler_begin(preloaded_is_replaced(), python_hooks_check);
	if (sampler_is_open())
		python_hooks_begin();
	thread_state.left = left;
}
