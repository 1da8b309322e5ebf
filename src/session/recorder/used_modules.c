// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/used_modules.h"

#include "base/container/array.h"
#include "session/recorder/process_state.h"

#include <stdlib.h>
#include <string.h>

// Neighbours in a chain are often in one mapping, so the last one is tried first. Whether an
// address is the kernel's is seen from the address: see record.h.

struct error *used_modules_complete(struct used_modules *modules)
{
	size_t old = modules->cap_used;
	struct error *err = array_reserve(&modules->used, &modules->cap_used,
					  modules->processes.modules.num_items + 1);
	if (!err)
		memset(modules->used + old, 0, (modules->cap_used - old) * sizeof(*modules->used));
	return err;
}

static const struct mapping *used_modules_find(const struct used_modules *modules,
					       const struct process *process, uint64_t address)
{
	return record_is_kernel_address(address)
		       ? process_table_find_kernel(&modules->processes, address)
		       : process_find_mapping(process, address);
}

static struct error *used_modules_add_sample(struct used_modules *modules,
					     const struct record *record)
{
	const struct record_sample *sample = &record->sample;
	struct process *process;
	struct error *err = process_table_process(&modules->processes, record->pid, &process);
	if (err)
		return err;
	const struct mapping *last = used_modules_find(modules, process, sample->ip);
	if (last)
		modules->used[last->module] = true;
	for (size_t i = 0; i < sample->chain_length; i++) {
		uint64_t address = sample->chain[i];
		if (address >= RECORD_CONTEXT_MAX ||
		    (last && address >= last->start && address < last->end))
			continue;
		const struct mapping *mapping = used_modules_find(modules, process, address);
		if (!mapping)
			continue;
		modules->used[mapping->module] = true;
		last = mapping;
	}
	return NULL;
}

struct error *used_modules_add(struct used_modules *modules, const struct record *record)
{
	if (record->kind == RECORD_SAMPLE) {
		struct error *err = used_modules_complete(modules);
		return err ? err : used_modules_add_sample(modules, record);
	}
	return process_state_apply(&modules->processes, record);
}

void used_modules_forget(struct used_modules *modules)
{
	if (modules->cap_used)
		memset(modules->used, 0, modules->cap_used * sizeof(*modules->used));
}

void used_modules_deinit(struct used_modules *modules)
{
	process_table_deinit(&modules->processes);
	free(modules->used);
}
