// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/python_hooks.h"
#include "source/memory/preload/real_allocator.h"
#include "source/memory/preload/sampler.h"
#include "source/memory/preload/thread_state.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The beginning of wperf-memory.so. Before it, the loader and other libraries may have allocated;
// these allocations are not sampled, as it is not known yet whether anybody reads samples.

/** Does the program call another malloc() than ours? Its address does not tell: in programs that
 * are linked to a fixed place it is that of a stub. */
static bool preloaded_is_replaced(void)
{
	enum { BYTES = 16 };
	void *(*chosen)(size_t);
	void *found = dlsym(RTLD_DEFAULT, "malloc");
	memcpy(&chosen, &found, sizeof(chosen));
	uint64_t left = thread_state.left;
	free(found ? chosen(BYTES) : NULL);
	return found && thread_state.left != left - BYTES;
}

/** Nearly the last that happens: this library is the first that is loaded. */
static void __attribute__((destructor)) preloaded_end(void)
{
	uint64_t left = sampled_thread_pause();
	sampler_end();
	thread_state.left = left;
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
