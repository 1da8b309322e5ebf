// SPDX-License-Identifier: Apache-2.0
// Heat maps of all values of a label take one reading: which label set has which value is read
// first, and each row is added to the map of its value.

#include "base/container/array.h"
#include "fleet/store/sqlite/sqlite_profile.h"
#include "fleet/store/sqlite/sqlite_query.h"
#include "fleet/store/sqlite/sqlite_scan.h"

#include <stdlib.h>
#include <string.h>

static struct error *sqlite_heat_visit(void *data, const struct sqlite_scan_row *row)
{
	return store_heat_add(data, row->start_ns, row->sum);
}

struct error *sqlite_query_heat(struct sqlite_file *file, const struct store_query *query,
				struct store_heat *ret)
{
	_cleanup_(sqlite_scan_deinit) struct sqlite_scan scan = {0};
	_cleanup_(store_heat_deinit) struct store_heat heat = {.step_ns = query->step_ns};
	struct error *err = store_heat_check(query);
	if (!err)
		err = sqlite_file_begin(file, false);
	if (err)
		return err;
	err = sqlite_scan_init(&scan, file, query);
	scan.has_no_pairs = true;
	if (!err)
		err = sqlite_scan_run(&scan, sqlite_heat_visit, &heat);
	err = sqlite_file_finish(file, err);
	if (err)
		return err;
	*ret = heat;
	heat = (struct store_heat){0};
	return NULL;
}

/** A label set and the number of its value. */
struct sqlite_heat_value {
	int64_t label_set, value;
};

struct sqlite_heats_work {
	struct sqlite_file *file;
	const struct store_label_range *label;
	struct store_heats *heats;
	struct sqlite_heat_value *values; /* by label sets */
	size_t num_values, cap_values;
	struct store_profile texts; /* only for its strings */
	struct sqlite_profile names;
	int64_t series; /* of the row before, and its value */
	struct string_table_entry value;
	bool is_wanted;
};

static void sqlite_heats_work_deinit(struct sqlite_heats_work *work)
{
	sqlite_profile_deinit(&work->names);
	store_profile_deinit(&work->texts);
	free(work->values);
}

static struct error *sqlite_heats_read_values(struct sqlite_heats_work *work)
{
	struct sqlite_file *file = work->file;
	const struct sqlite_value key =
		sqlite_value_text(work->label->key, strlen(work->label->key));
	bool has_row = false;
	struct error *err = sqlite_file_start(file, SQLITE_EACH_VALUE, &key, 1);
	while (!err && !(err = sqlite_file_step(file, SQLITE_EACH_VALUE, &has_row)) && has_row) {
		err = array_reserve(&work->values, &work->cap_values, work->num_values + 1);
		if (!err)
			work->values[work->num_values++] = (struct sqlite_heat_value){
				sqlite_file_number(file, SQLITE_EACH_VALUE, 0),
				sqlite_file_number(file, SQLITE_EACH_VALUE, 1)};
	}
	sqlite_file_end(file, SQLITE_EACH_VALUE);
	return err;
}

static int sqlite_heats_compare(const void *a, const void *b)
{
	const struct sqlite_heat_value *one = a, *other = b;
	return (one->label_set > other->label_set) - (one->label_set < other->label_set);
}

static struct error *sqlite_heats_find_value(struct sqlite_heats_work *work, int64_t label_set)
{
	const struct sqlite_heat_value wanted = {.label_set = label_set};
	const struct sqlite_heat_value *found = NULL;
	uint32_t string;
	if (work->num_values)
		found = bsearch(&wanted, work->values, work->num_values, sizeof(*work->values),
				sqlite_heats_compare);
	work->is_wanted = false;
	if (!found)
		return NULL;
	struct error *err = sqlite_profile_string(&work->names, found->value, &string);
	if (err)
		return err;
	work->value = work->texts.strings.entries[string];
	work->is_wanted = strcmp(work->value.text, work->label->first) >= 0 &&
			  strcmp(work->value.text, work->label->last) <= 0;
	return NULL;
}

static struct error *sqlite_heats_visit(void *data, const struct sqlite_scan_row *row)
{
	struct sqlite_heats_work *work = data;
	struct store_heat *heat;
	struct error *err = NULL;
	if (work->series != row->series->number)
		err = sqlite_heats_find_value(work, row->series->label_set);
	work->series = row->series->number;
	if (err || !work->is_wanted)
		return err;
	err = store_heats_get(work->heats, work->value.text, work->value.length, &heat);
	return err ? err : store_heat_add(heat, row->start_ns, row->sum);
}

static struct error *sqlite_heats_run(struct sqlite_heats_work *work,
				      const struct store_query *query)
{
	_cleanup_(sqlite_scan_deinit) struct sqlite_scan scan = {0};
	struct error *err = sqlite_scan_init(&scan, work->file, query);
	scan.has_no_pairs = true;
	// Sums of all hosts are those of no label.
	scan.whole_from = scan.whole_until = 0;
	if (!err)
		err = sqlite_heats_read_values(work);
	return err ? err : sqlite_scan_run(&scan, sqlite_heats_visit, work);
}

struct error *sqlite_query_heats(struct sqlite_file *file, const struct store_query *query,
				 const struct store_label_range *label, struct store_heats *ret)
{
	_cleanup_(store_heats_deinit) struct store_heats heats = {.step_ns = query->step_ns};
	_cleanup_(sqlite_heats_work_deinit) struct sqlite_heats_work work = {
		.file = file, .label = label, .heats = &heats, .texts = STORE_PROFILE_INIT};
	work.names = (struct sqlite_profile){.file = file, .answer = &work.texts};
	struct error *err = store_heat_check(query);
	if (!err)
		err = sqlite_file_begin(file, false);
	if (err)
		return err;
	err = sqlite_file_finish(file, sqlite_heats_run(&work, query));
	if (err)
		return err;
	*ret = heats;
	heats = (struct store_heats){0};
	return NULL;
}
