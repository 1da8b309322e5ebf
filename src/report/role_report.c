// SPDX-License-Identifier: Apache-2.0
// A role is a row of process_rows.h, folded; its lines are the tables of interpreted_tables.h, of
// samples that also have this role. With several events the roles are sorted by the first wanted
// one, and the tables have a column for each.

#include "report/role_report.h"

#include "base/cleanup.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "profile/interpreted/process_rows.h"
#include "report/interpreted_tables.h"
#include "view/json/role_json.h"
#include "view/role_text.h"
#include "view/text/report_text.h"

enum { PROCESS_ROWS = 12 }; // of the table of processes

static struct error *rows_of(const struct named_profile *profile,
			     const struct sample_choice *choice, uint32_t event,
			     enum process_fold fold, struct process_rows *ret)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = sample_choice_filter(choice, profile, event, &filter);
	return err ? err : process_rows_create(profile, fold, filter, ret);
}

struct error *role_report_processes(const struct named_profile *profile,
				    const struct sample_choice *choice, uint32_t event,
				    struct table_layout layout, FILE *stream,
				    struct json_writer *json)
{
	_cleanup_(process_rows_deinit) struct process_rows rows = PROCESS_ROWS_INIT;
	if (event >= profile->num_events || !interpreted_stacks_are_there(profile))
		return NULL;
	struct error *err = rows_of(profile, choice, event, PROCESS_EACH, &rows);
	if (err || rows.num_items < 2)
		return err;
	if (json) {
		json_key(json, "processes");
		role_json_processes(profile, &rows, json);
	}
	if (!stream)
		return NULL;
	err = role_text_print_processes(profile, &rows, event, PROCESS_ROWS, layout, stream);
	fputc('\n', stream);
	return err;
}

static struct error *find_lines(const struct named_profile *profile,
				const struct sample_choice *choice, uint32_t role,
				const char *sysroots, struct interpreted_tables *tables)
{
	struct error *err = interpreted_tables_init(tables, profile, sysroots);
	for (uint32_t i = sample_choice_next_event(choice, profile, 0);
	     !err && i < profile->num_events;
	     i = sample_choice_next_event(choice, profile, i + 1)) {
		_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
		err = sample_choice_filter(choice, profile, i, &filter);
		if (!err)
			err = profile_filter_keep_role(filter, profile, role);
		if (!err)
			err = interpreted_tables_add(tables, i, take_ptr(filter));
	}
	return err ? err : interpreted_tables_finish(tables);
}

/** One role while it is printed. */
struct role_part {
	const struct process_row *row;
	struct named_total whole;
	uint32_t event;
};

static struct error *print_role(const struct role_part *part, struct interpreted_tables *tables,
				size_t max_rows, struct output *output)
{
	const struct named_profile *profile = tables->report.profile;
	struct error *err = NULL;
	tables->report.layout = output->narrow;
	if (output->text)
		err = role_text_print_heading(profile, part->row, part->whole, part->event,
					      output->text);
	if (!err && output->text) {
		err = interpreted_report_print_lines(&tables->report, max_rows, output->text);
		fputc('\n', output->text);
	}
	if (err || !output->json)
		return err;
	json_begin_object(output->json);
	role_json_head(profile, part->row, part->whole, output->json);
	json_key(output->json, "python");
	err = interpreted_report_write_json(&tables->report, output->json);
	json_end_object(output->json);
	return err;
}

struct error *role_report_print(const struct named_profile *profile,
				const struct sample_choice *choice, const char *sysroots,
				size_t max_rows, struct output *output)
{
	_cleanup_(process_rows_deinit) struct process_rows rows = PROCESS_ROWS_INIT;
	uint32_t event = sample_choice_next_event(choice, profile, 0);
	struct error *err = rows_of(profile, choice, event, PROCESS_BY_ROLE, &rows);
	if (err)
		return err;
	if (output->text && !rows.num_items)
		report_text_print_header(profile, event, rows.whole, output->text);
	if (output->json) {
		json_begin_object(output->json);
		json_key(output->json, "roles");
		json_begin_array(output->json);
	}
	for (size_t i = 0; !err && i < rows.num_items; i++) {
		const struct role_part part = {&rows.items[i], rows.whole, event};
		struct interpreted_tables tables = {0};
		uint32_t role = profile->threads[part.row->thread].role.words;
		err = find_lines(profile, choice, role, sysroots, &tables);
		if (!err)
			err = print_role(&part, &tables, max_rows, output);
		interpreted_tables_deinit(&tables);
	}
	if (output->json) {
		json_end_array(output->json);
		json_end_object(output->json);
	}
	return err;
}
