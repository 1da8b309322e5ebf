// SPDX-License-Identifier: Apache-2.0

#include "view/json/role_json.h"

static void write_total(const struct process_row *row, struct named_total whole,
			struct json_writer *json)
{
	json_key_u64(json, "samples", row->self.count);
	json_key_u64(json, "weight", row->self.weight);
	json_key(json, "self_percent");
	json_double(json, named_total_percent(row->self, whole));
}

static void write_line(const struct named_profile *profile, uint32_t frame,
		       struct json_writer *json)
{
	const struct named_frame *named = &profile->frames[frame];
	const struct named_function *function = &profile->functions[named->function];
	json_key_text(json, "file", named_profile_text(profile, named->file));
	if (named->line)
		json_key_u64(json, "line", named->line);
	json_key_text(json, "function", named_profile_text(profile, function->name));
}

void role_json_processes(const struct named_profile *profile, const struct process_rows *rows,
			 struct json_writer *json)
{
	json_begin_array(json);
	for (size_t i = 0; i < rows->num_items; i++) {
		const struct process_row *row = &rows->items[i];
		const struct named_thread *thread = &profile->threads[row->thread];
		json_begin_object(json);
		json_key_u64(json, "pid", thread->pid);
		if (thread->parent_pid)
			json_key_u64(json, "parent", thread->parent_pid);
		json_key_text(json, "role", named_profile_text(profile, thread->role.words));
		json_key_u64(json, "number", thread->role.number);
		write_total(row, rows->whole, json);
		if (row->frame != NAMED_NONE)
			write_line(profile, row->frame, json);
		json_end_object(json);
	}
	json_end_array(json);
}

void role_json_head(const struct named_profile *profile, const struct process_row *row,
		    struct named_total whole, struct json_writer *json)
{
	const struct named_role *role = &profile->threads[row->thread].role;
	json_key_text(json, "role", named_profile_text(profile, role->words));
	json_key_u64(json, "processes", role->num_alike);
	write_total(row, whole, json);
}
