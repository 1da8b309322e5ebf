// SPDX-License-Identifier: Apache-2.0

#include "view/role_text.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_name.h"
#include "profile/interpreted/process_roles.h"
#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"

#include <inttypes.h>
#include <string.h>

enum { DECIMALS = 2 };

static const struct table_column process_columns[] = {
	{"self %", TABLE_RIGHT}, {"samples", TABLE_RIGHT},     {"pid", TABLE_RIGHT},
	{"process", TABLE_LEFT}, {"hottest line", TABLE_LEFT}, {"function", TABLE_LEFT},
};

static void role_text_append_line(const struct named_profile *profile, uint32_t frame,
				  struct string_builder *text)
{
	const struct named_frame *named = &profile->frames[frame];
	string_builder_appendf(text, "%s:%" PRIu32,
			       file_name_of(named_profile_text(profile, named->file)), named->line);
}

static struct error *role_text_add_row(const struct named_profile *profile,
				       const struct process_row *row, struct named_total whole,
				       struct table *table)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	const struct named_thread *thread = &profile->threads[row->thread];
	table_add_double(table, named_total_percent(row->self, whole), DECIMALS);
	table_add_u64(table, row->self.count);
	table_add_u32(table, thread->pid);
	process_role_append_one(profile, &thread->role, &text);
	table_add_string(table, string_builder_peek(&text));
	string_builder_clear(&text);
	const char *function = "";
	if (row->frame != NAMED_NONE) {
		uint32_t number = profile->frames[row->frame].function;
		role_text_append_line(profile, row->frame, &text);
		function = named_profile_text(profile, profile->functions[number].name);
	}
	table_add_string(table, string_builder_peek(&text));
	table_add_string(table, function);
	return text.failed ? &error_no_memory : NULL;
}

/** That they are there shows it: nobody knows how another program's recording was made. */
static void print_followed(size_t num_children, FILE *stream)
{
	if (num_children)
		fprintf(stream,
			", %zu of them %s that %s started while recording (child processes are "
			"followed)",
			num_children, num_children == 1 ? "a child" : "children",
			num_children == 1 ? "was" : "were");
}

struct error *role_text_print_processes(const struct named_profile *profile,
					const struct process_rows *rows, uint32_t event,
					size_t max_rows, struct table_layout layout, FILE *stream)
{
	size_t num_rows = max_rows && rows->num_items > max_rows ? max_rows : rows->num_items;
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(process_columns, ARRAY_SIZE(process_columns), &table);
	for (size_t i = 0; !err && i < num_rows; i++)
		err = role_text_add_row(profile, &rows->items[i], rows->whole, table);
	if (!err)
		err = table_check(table);
	if (err)
		return err;
	const char *name = named_profile_text(profile, profile->events[event].name);
	fprintf(stream, "%zu processes", rows->num_items);
	print_followed(process_rows_num_children(profile, rows), stream);
	fputs(", by ", stream);
	safe_text_print(name, strlen(name), stream);
	fputs(":\n\n", stream);
	table_print(table, layout, stream);
	if (rows->num_items > num_rows)
		fprintf(stream, "      ... and %zu more\n", rows->num_items - num_rows);
	return NULL;
}

struct error *role_text_print_heading(const struct named_profile *profile,
				      const struct process_row *row, struct named_total whole,
				      uint32_t event, FILE *stream)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	process_role_append_all(profile, &profile->threads[row->thread].role, &text);
	string_builder_appendf(&text, ", %s %% of ",
			       decimal_fixed(named_total_percent(row->self, whole), DECIMALS).text);
	string_builder_append(&text, named_profile_text(profile, profile->events[event].name));
	if (text.failed)
		return &error_no_memory;
	const char *line = string_builder_peek(&text);
	safe_text_print(line, strlen(line), stream);
	fputs(":\n\n", stream);
	return NULL;
}
