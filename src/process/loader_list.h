/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_LOADER_LIST_H
#define WPERF_PROCESS_LOADER_LIST_H

/**
 * The modules of a Windows process, in the list that its loader keeps in its memory. Looking
 * whether it has changed takes three short reads, so that it can be done all the time. The list is
 * read as the program goes on, and is the program's to write: it may say anything.
 */

#include "base/error.h"
#include "process/process_memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOADER_LIST_MAX_MODULES = 4096, LOADER_LIST_MAX_PATH = 32767 };

struct loader_module {
	uint64_t entry; /* of the list: where it stands */
	uint64_t base;
	uint32_t size;
	uint64_t path;        /* where it stands, in UTF-16 */
	uint32_t path_length; /* characters, at most LOADER_LIST_MAX_PATH */
	bool is_new;          /* since the look before */
};

struct loader_list {
	struct process_memory memory;
	uint64_t block;            /* the process's environment block (PEB) */
	struct loader_module last; /* that was loaded, at the last look */
	struct loader_module *modules;
	size_t num_modules, cap_modules;
};

/** All else is 0. */
static inline void loader_list_init(struct loader_list *list, struct process_memory memory,
				    uint64_t block)
{
	list->memory = memory;
	list->block = block;
}

void loader_list_deinit(struct loader_list *list);

/** Has the loader run? Until then there are no modules. */
bool loader_list_is_there(const struct loader_list *list);

/**
 * Look at what is loaded now. What changes under our eyes is taken up at the next look.
 * @ret_changed: are there others than before?
 */
struct error *loader_list_look(struct loader_list *list, bool *ret_changed);

/** The path of a module, not terminated, into @ret of LOADER_LIST_MAX_PATH. False: it is gone. */
bool loader_list_path(const struct loader_list *list, const struct loader_module *module,
		      uint16_t *ret);

#endif
