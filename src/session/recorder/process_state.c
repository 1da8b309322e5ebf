// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/process_state.h"

// The mappings of all processes come first, process by process, then the names of all threads. The
// name that an interpreter gives a thread is a record of its own behind the system's.

/** As running_linux.c names it. */
static const char kernel_path[] = "[kernel.kallsyms]_text";

static struct record mapping_record(const struct process_state *state,
				    const struct process *process, const struct mapping *mapping)
{
	const struct module *module = &state->table->modules.items[mapping->module];
	bool is_of_kernel = module_is_of_kernel(module);
	// The kernel is mapped by process -1 in perf's files.
	uint32_t pid = is_of_kernel ? UINT32_MAX : process->pid;
	return (struct record){
		.kind = RECORD_MAP,
		.mode = is_of_kernel ? RECORD_MODE_KERNEL : RECORD_MODE_USER,
		.pid = pid,
		.tid = is_of_kernel ? 0 : pid,
		.time_ns = state->time_ns,
		.map = {.start = mapping->start,
			.length = mapping->end - mapping->start,
			.file_offset = mapping->file_offset,
			.path = module->kind == MODULE_KERNEL ? kernel_path : module->path,
			.major = module->major,
			.minor = module->minor,
			.inode = module->inode,
			.inode_generation = module->inode_generation,
			.is_executable = true,
			.build_id = module->build_id},
	};
}

static bool process_state_next_mapping(struct process_state *state, struct record *ret)
{
	for (; state->process < state->table->num_processes; state->process++) {
		const struct process *process = &state->table->processes[state->process];
		size_t num;
		const struct mapping *mappings = process_mappings(process, &num);
		if (!process->has_ended && state->mapping < num) {
			*ret = mapping_record(state, process, &mappings[state->mapping++]);
			return true;
		}
		state->mapping = 0;
	}
	return false;
}

static bool process_state_next_name(struct process_state *state, struct record *ret)
{
	while (state->thread < state->table->num_threads) {
		const struct process_thread *thread = &state->table->threads[state->thread];
		const char *name = state->is_given ? thread->given : thread->name;
		bool is_given = state->is_given;
		state->thread += is_given;
		state->is_given = !is_given;
		if (!*name)
			continue;
		*ret = (struct record){
			.kind = RECORD_COMM,
			.pid = thread->pid,
			.tid = thread->tid,
			.time_ns = state->time_ns,
			.comm = {.name = name, .is_given = is_given},
		};
		return true;
	}
	return false;
}

bool process_state_next(struct process_state *state, struct record *ret)
{
	return process_state_next_mapping(state, ret) || process_state_next_name(state, ret);
}

struct error *process_state_apply(struct process_table *table, const struct record *record)
{
	struct error *err = process_table_apply(table, record);
	if (err || record->kind != RECORD_EXIT)
		return err;
	struct process_thread *thread;
	err = process_table_thread(table, record->pid, record->tid, &thread);
	if (!err)
		thread->name[0] = thread->given[0] = '\0';
	return err;
}
