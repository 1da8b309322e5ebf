// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/file_state.h"

#include "session/recorder/process_state.h"

// Places have the same addresses in all processes, so which of these have an interpreter need not
// be known.

static struct error *file_state_add(struct recording_file *file, const struct record *record,
				    struct used_modules *modules)
{
	struct error *err = recording_file_add(file, record, (struct profile_builder_chain){0});
	return err || !modules ? err : used_modules_add(modules, record);
}

struct error *file_state_write(struct recording_file *file, const struct process_table *processes,
			       uint64_t time_ns, bool has_places, struct used_modules *modules)
{
	struct process_state state = {.table = processes, .time_ns = time_ns};
	struct record record;
	uint32_t last_pid = UINT32_MAX;
	struct error *err = NULL;
	while (!err && process_state_next(&state, &record)) {
		bool is_first = record.kind == RECORD_MAP && record.mode == RECORD_MODE_USER &&
				record.pid != last_pid;
		err = file_state_add(file, &record, modules);
		if (!err && is_first && has_places)
			err = recording_file_map_places(file, &record);
		if (is_first)
			last_pid = record.pid;
	}
	return err;
}
