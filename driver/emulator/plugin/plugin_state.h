/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_PLUGIN_STATE_H
#define WPERF_EMULATOR_PLUGIN_STATE_H

/**
 * The state of the emulated PMU: a plugin of QEMU's user-mode emulator (plugin.c), which creates
 * it and passes it on. A thread has a pointer to it.
 *
 * Threads of a program run at the same time; what they count is in a struct guest_thread each.
 * As long as there is only one thread, counting needs no call at all: the generated code adds to
 * its counts by itself.
 */

#include "driver/emulator/plugin/guest_map_list.h"
#include "driver/emulator/plugin/ring.h"
#include "driver/emulator/region.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

struct slab;

struct plugin {
	struct region *region;
	const struct region_config *config;
	struct ring ring;
	struct guest_maps maps;
	/**
	 * The numbers of the first thread, at an address that the generated code knows: a forked
	 * child gets other memory there.
	 */
	struct region_thread *first_thread;
	uint32_t first_core;
	bool is_threaded; /* from the first time that there was a second thread on */
	bool wants_branches, wants_memory, wants_model; /* measures besides those of blocks */
	uintptr_t guest_base;
	char program[REGION_PATH_SIZE]; /* the emulated one's file */
	struct slab *slabs;             /* of blocks, see block.c */
	pthread_key_t thread_end;       /* its destructor runs when a thread ends */
	pid_t forking_pid, forking_tid; /* the parent's, for its child */
	/** The numbers of threads that there is no room for. */
	struct region_thread nowhere;
};

#endif
