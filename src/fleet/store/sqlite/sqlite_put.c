// SPDX-License-Identifier: Apache-2.0
// All batches of a call are one transaction. Of each, its id is looked up; then its samples get the
// numbers of their stacks, and each event becomes one row with packed pairs. The hour of a new
// window is noted as open: sums of hours that were rolled up before no longer count.

#include "fleet/store/sqlite/sqlite_put.h"

#include "base/container/array.h"
#include "fleet/store/sqlite/sqlite_names.h"
#include "fleet/store/sqlite/store_window.h"

#include <stdlib.h>
#include <string.h>

/** One batch on its way. */
struct sqlite_put_work {
	struct sqlite_file *file;
	const struct fleet_batch *batch;
	struct sqlite_names names;
	int64_t label_set;
	int64_t *stacks; /* of each sample of the profile */
	struct store_pair *pairs;
	size_t cap_pairs;
	struct string_builder bytes;
};

static void sqlite_put_work_deinit(struct sqlite_put_work *work)
{
	sqlite_names_deinit(&work->names);
	free(work->stacks);
	free(work->pairs);
	string_builder_deinit(&work->bytes);
}

struct error *sqlite_put_get_fact(struct sqlite_file *file, const char *name, int64_t *ret)
{
	const struct sqlite_value value = sqlite_value_text(name, strlen(name));
	bool has_row;
	*ret = 0;
	struct error *err = sqlite_file_start(file, SQLITE_GET_FACT, &value, 1);
	return err ? err : sqlite_file_number_of(file, SQLITE_GET_FACT, &has_row, ret);
}

static struct error *sqlite_put_add_label(struct sqlite_put_work *work, int64_t key, int64_t value)
{
	const int64_t words[] = {key, value, work->label_set};
	struct error *err =
		sqlite_file_start_numbers(work->file, SQLITE_ADD_LABEL, words, ARRAY_SIZE(words));
	return err ? err : sqlite_file_run(work->file, SQLITE_ADD_LABEL);
}

/** All labels but the service, which series have a column for. */
static struct error *sqlite_put_labels(struct sqlite_put_work *work)
{
	const struct fleet_batch *batch = work->batch;
	_cleanup_free_ int64_t *words = calloc(2 * batch->num_labels + 1, sizeof(*words));
	if (!words)
		return &error_no_memory;
	struct error *err = NULL;
	size_t num = 0;
	string_builder_clear(&work->bytes);
	for (size_t i = 0; !err && i < batch->num_labels; i++) {
		if (strcmp(batch->labels[i].key, "service.name") == 0)
			continue;
		err = sqlite_names_text(work->file, batch->labels[i].key, &words[num]);
		if (!err)
			err = sqlite_names_text(work->file, batch->labels[i].value,
						&words[num + 1]);
		packed_number_append(&work->bytes, (uint64_t)words[num]);
		packed_number_append(&work->bytes, (uint64_t)words[num + 1]);
		num += 2;
	}
	const struct sqlite_value value = sqlite_value_blob(work->bytes.text, work->bytes.length);
	bool is_there = false;
	if (!err && work->bytes.failed)
		err = &error_no_memory;
	if (!err)
		err = sqlite_file_start(work->file, SQLITE_FIND_LABEL_SET, &value, 1);
	if (!err)
		err = sqlite_file_number_of(work->file, SQLITE_FIND_LABEL_SET, &is_there,
					    &work->label_set);
	if (err || is_there)
		return err;
	err = sqlite_file_intern(work->file, SQLITE_FIND_LABEL_SET, &value, 1, &work->label_set);
	for (size_t i = 0; !err && i < num; i += 2)
		err = sqlite_put_add_label(work, words[i], words[i + 1]);
	return err;
}

static struct error *sqlite_put_stacks(struct sqlite_put_work *work)
{
	const struct named_profile *profile = &work->batch->profile;
	work->stacks = calloc(profile->num_samples + 1, sizeof(*work->stacks));
	struct error *err = work->stacks ? NULL : &error_no_memory;
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		err = sqlite_names_stack(&work->names, sample->stack,
					 store_profile_traits(profile, sample), &work->stacks[i]);
	}
	return err;
}

static struct error *sqlite_put_series(struct sqlite_put_work *work, uint32_t event, int64_t *ret)
{
	const struct named_profile *profile = &work->batch->profile;
	const struct named_event *named = &profile->events[event];
	int64_t words[] = {
		work->names.service,
		work->label_set,
		0,
		0,
		0,
		0,
		store_profile_event_flags(named),
		(int64_t)named->period,
		(int64_t)named->frequency,
	};
	struct error *err = sqlite_names_string(&work->names, named->name, &words[2]);
	if (!err)
		err = sqlite_names_string(&work->names, named->unit, &words[3]);
	if (!err)
		err = sqlite_names_string(&work->names, named->model, &words[4]);
	if (!err)
		err = sqlite_names_text(work->file, profile->language->name, &words[5]);
	return err ? err
		   : sqlite_file_intern_numbers(work->file, SQLITE_FIND_SERIES, words,
						ARRAY_SIZE(words), ret);
}

static struct error *sqlite_put_row(struct sqlite_put_work *work, int64_t series, size_t num_pairs)
{
	struct named_total sum = store_pair_sum(work->pairs, num_pairs);
	string_builder_clear(&work->bytes);
	store_window_pack(work->pairs, num_pairs, &work->bytes);
	if (work->bytes.failed)
		return &error_no_memory;
	uint64_t start = work->batch->start_ns;
	const struct sqlite_value values[] = {
		sqlite_value_number(series),
		sqlite_value_number((int64_t)start),
		sqlite_value_number((int64_t)work->batch->length_ns),
		sqlite_value_number((int64_t)sum.count),
		sqlite_value_number((int64_t)sum.weight),
		sqlite_value_blob(work->bytes.text, work->bytes.length),
	};
	const int64_t hour[] = {(int64_t)(start - start % STORE_HOUR_NS), series};
	struct error *err =
		sqlite_file_start(work->file, SQLITE_ADD_WINDOW, values, ARRAY_SIZE(values));
	if (!err)
		err = sqlite_file_run(work->file, SQLITE_ADD_WINDOW);
	if (!err)
		err = sqlite_file_start_numbers(work->file, SQLITE_ADD_OPEN_HOUR, hour,
						ARRAY_SIZE(hour));
	return err ? err : sqlite_file_run(work->file, SQLITE_ADD_OPEN_HOUR);
}

/** An event without samples has no row. */
static struct error *sqlite_put_event(struct sqlite_put_work *work, uint32_t event)
{
	const struct named_profile *profile = &work->batch->profile;
	size_t num = 0;
	struct error *err = array_reserve(&work->pairs, &work->cap_pairs, profile->num_samples + 1);
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (sample->event == event)
			work->pairs[num++] = (struct store_pair){
				.stack = (uint64_t)work->stacks[i],
				.total = {sample->count, sample->weight},
			};
	}
	if (err || !num)
		return err;
	int64_t series = 0;
	store_pair_sort(work->pairs, &num);
	err = sqlite_put_series(work, event, &series);
	return err ? err : sqlite_put_row(work, series, num);
}

static struct error *sqlite_put_batch_row(struct sqlite_put_work *work)
{
	const struct fleet_batch *batch = work->batch;
	const struct sqlite_value values[] = {
		sqlite_value_text(batch->id, strlen(batch->id)),
		sqlite_value_number(work->names.service),
		sqlite_value_number(work->label_set),
		sqlite_value_number((int64_t)batch->start_ns),
		sqlite_value_number((int64_t)store_pair_limit(batch->num_dropped)),
		sqlite_value_number((int64_t)store_pair_limit(batch->profile.num_lost)),
	};
	struct error *err =
		sqlite_file_start(work->file, SQLITE_ADD_BATCH, values, ARRAY_SIZE(values));
	return err ? err : sqlite_file_run(work->file, SQLITE_ADD_BATCH);
}

static struct error *sqlite_put_new(struct sqlite_file *file, const struct fleet_batch *batch)
{
	_cleanup_(sqlite_put_work_deinit) struct sqlite_put_work work = {.file = file,
									 .batch = batch};
	struct error *err = sqlite_names_init(&work.names, file, &batch->profile,
					      fleet_batch_label(batch, "service.name"));
	if (!err)
		err = sqlite_put_labels(&work);
	if (!err)
		err = sqlite_put_batch_row(&work);
	if (!err)
		err = sqlite_put_stacks(&work);
	for (uint32_t i = 0; !err && i < batch->profile.num_events; i++)
		err = sqlite_put_event(&work, i);
	return err;
}

static struct error *sqlite_put_one(struct sqlite_file *file, const struct fleet_batch *batch,
				    uint64_t first_window, struct store_put_result *result)
{
	if (batch->start_ns > STORE_MAX_NS || batch->length_ns > STORE_MAX_NS - batch->start_ns)
		return error_create(ERROR_FAILED, "a batch is of a time after the year 2262");
	const struct sqlite_value id = sqlite_value_text(batch->id, strlen(batch->id));
	bool is_known = false;
	int64_t number;
	struct error *err = sqlite_file_start(file, SQLITE_FIND_BATCH, &id, 1);
	if (!err)
		err = sqlite_file_number_of(file, SQLITE_FIND_BATCH, &is_known, &number);
	if (err)
		return err;
	if (is_known) {
		result->num_known++;
		return NULL;
	}
	// Its id may have been dropped with its windows: counting it twice would be worse.
	if (batch->start_ns < first_window) {
		result->num_too_old++;
		return NULL;
	}
	result->num_stored++;
	return sqlite_put_new(file, batch);
}

struct error *sqlite_put(struct sqlite_file *file, const struct fleet_batch *const *batches,
			 size_t num_batches, struct store_put_result *ret)
{
	struct store_put_result result = {0};
	int64_t first_window = 0;
	struct error *err = sqlite_file_begin(file, true);
	if (err)
		return err;
	err = sqlite_put_get_fact(file, SQLITE_FIRST_WINDOW_FACT, &first_window);
	for (size_t i = 0; !err && i < num_batches; i++)
		err = sqlite_put_one(file, batches[i],
				     first_window > 0 ? (uint64_t)first_window : 0, &result);
	err = sqlite_file_finish(file, err);
	if (!err)
		*ret = result;
	return err;
}
