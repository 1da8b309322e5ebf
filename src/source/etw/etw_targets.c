// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_targets.h"

#include "base/container/array.h"

#include <stdlib.h>

// A short list, as long as the processes that run: it is searched for each record of the machine,
// which are some thousands a second.

static size_t etw_targets_find(const struct etw_targets *targets, uint32_t pid)
{
	size_t i = 0;
	while (i < targets->num_items && targets->items[i].pid != pid)
		i++;
	return i;
}

static struct error *etw_targets_add(struct etw_targets *targets, uint32_t pid, uint32_t root)
{
	if (etw_targets_find(targets, pid) < targets->num_items)
		return NULL;
	struct error *err =
		array_reserve(&targets->items, &targets->cap_items, targets->num_items + 1);
	if (!err)
		targets->items[targets->num_items++] = (struct etw_target){pid, root};
	return err;
}

/** Its number may be given to another process. */
static void etw_targets_remove(struct etw_targets *targets, uint32_t pid)
{
	size_t i = etw_targets_find(targets, pid);
	if (i < targets->num_items)
		targets->items[i] = targets->items[--targets->num_items];
}

bool etw_targets_root(const struct etw_targets *targets, uint32_t pid, uint32_t *ret)
{
	size_t i = etw_targets_find(targets, pid);
	if (i < targets->num_items)
		*ret = targets->items[i].root;
	return i < targets->num_items;
}

struct error *etw_targets_init(struct etw_targets *targets,
			       const struct etw_targets_request *request)
{
	*targets = (struct etw_targets){
		.is_all = !request->num_pids,
		.inherit = request->inherit,
		.only_thread = request->only_thread,
		.left_out_thread = request->left_out_thread,
		.cores = request->cores,
		.num_cores = request->num_cores,
	};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < request->num_pids; i++)
		err = etw_targets_add(targets, request->pids[i], request->pids[i]);
	return err;
}

void etw_targets_deinit(struct etw_targets *targets)
{
	free(targets->items);
	*targets = (struct etw_targets)ETW_TARGETS_INIT;
}

static bool etw_targets_has_core(const struct etw_targets *targets, uint32_t cpu)
{
	for (size_t i = 0; i < targets->num_cores; i++)
		if (targets->cores[i] == cpu)
			return true;
	return targets->num_cores == 0;
}

static bool etw_targets_wants(const struct etw_targets *targets, const struct record *record)
{
	uint32_t root;
	if (!targets->is_all && !etw_targets_root(targets, record->pid, &root))
		return false;
	if (record->kind != RECORD_SAMPLE)
		return true;
	if (targets->only_thread && record->tid != targets->only_thread)
		return false;
	if (targets->left_out_thread && record->tid == targets->left_out_thread)
		return false;
	return etw_targets_has_core(targets, record->cpu);
}

struct error *etw_targets_take(struct etw_targets *targets, const struct record *record,
			       bool *ret_is_wanted)
{
	// Frames in the kernel are of its images, whichever process is sampled.
	if (record->kind == RECORD_MAP && record->mode == RECORD_MODE_KERNEL) {
		*ret_is_wanted = true;
		return NULL;
	}
	struct error *err = NULL;
	bool is_child = record->kind == RECORD_FORK && record->pid != record->task.parent_pid;
	uint32_t root;
	if (is_child && targets->inherit &&
	    etw_targets_root(targets, record->task.parent_pid, &root))
		err = etw_targets_add(targets, record->pid, root);
	*ret_is_wanted = etw_targets_wants(targets, record);
	if (record->kind == RECORD_EXIT && record->pid == record->tid)
		etw_targets_remove(targets, record->pid);
	return err;
}
