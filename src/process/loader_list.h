/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_LOADER_LIST_H
#define WPERF_PROCESS_LOADER_LIST_H

/**
 * The modules of a Windows process, from the loader's list in its memory. Checking it for changes
 * takes only three short reads, so it can be done often. The list is untrusted: the program can
 * write it, and runs meanwhile.
 */

#include "base/error.h"
#include "process/memory/process_memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOADER_LIST_MAX_MODULES = 4096, LOADER_LIST_MAX_PATH = 32767 };

struct loader_module {
	uint64_t entry; /* address of the list's entry */
	uint64_t base;
	uint32_t size;
	uint64_t path;        /* address of the path, in UTF-16 */
	uint32_t path_length; /* characters, at most LOADER_LIST_MAX_PATH */
	bool is_new;          /* since the previous look */
};

struct loader_list {
	struct process_memory memory;
	uint64_t block;            /* the process's environment block (PEB) */
	struct loader_module last; /* the last module at the last look */
	struct loader_module *modules;
	size_t num_modules, cap_modules;
};

/** @list: zero-initialized. */
static inline void loader_list_init(struct loader_list *list, struct process_memory memory,
				    uint64_t block)
{
	list->memory = memory;
	list->block = block;
}

void loader_list_deinit(struct loader_list *list);

/** Has the loader run? Before that, there are no modules. */
bool loader_list_is_there(const struct loader_list *list);

/**
 * Read the current modules; changes meanwhile are found by the next look.
 * @ret_changed: the modules have changed.
 */
struct error *loader_list_look(struct loader_list *list, bool *ret_changed);

/** The path of a module, not terminated, into @ret of LOADER_LIST_MAX_PATH. False: it was unloaded.
 */
bool loader_list_path(const struct loader_list *list, const struct loader_module *module,
		      uint16_t *ret);

#endif
