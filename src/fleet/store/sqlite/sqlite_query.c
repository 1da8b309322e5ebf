// SPDX-License-Identifier: Apache-2.0
// First all pairs are summed up by event, service, step of time and stack, as numbers. Only then
// are the stacks of these sums read; store_profile.h makes the answer of them.

#include "fleet/store/sqlite/sqlite_query.h"

#include "base/container/array.h"
#include "base/saturating_sum.h"
#include "fleet/store/sqlite/sqlite_profile.h"
#include "fleet/store/sqlite/sqlite_put.h"
#include "fleet/store/sqlite/sqlite_scan.h"
#include "fleet/store/sqlite/store_window.h"

#include <stdlib.h>
#include <string.h>

/** What is not the same in two samples of the answer. */
struct sqlite_sum_key {
	int64_t service;
	uint64_t stack, time_ns, event;
};

struct sqlite_sum {
	struct sqlite_sum_key key;
	struct named_total total;
};

struct sqlite_query_work {
	struct sqlite_file *file;
	const struct store_query *query;
	struct store_profile answer;
	struct sqlite_profile names;
	struct hash_table index; /* of the sums */
	struct sqlite_sum *sums;
	size_t num_sums, cap_sums;
	int64_t series; /* of the row before, and its event */
	uint32_t event;
};

static void sqlite_query_work_deinit(struct sqlite_query_work *work)
{
	store_profile_deinit(&work->answer);
	sqlite_profile_deinit(&work->names);
	hash_table_deinit(&work->index);
	free(work->sums);
}

static bool sqlite_query_has_key(const void *owner, uint32_t index, const void *key)
{
	const struct sqlite_query_work *work = owner;
	return memcmp(&work->sums[index].key, key, sizeof(struct sqlite_sum_key)) == 0;
}

static struct error *sqlite_query_add(struct sqlite_query_work *work,
				      const struct sqlite_sum_key *key, struct named_total total)
{
	uint64_t hash = hash_mix(hash_mix(key->stack ^ (uint64_t)key->service << 40, HASH_PI) ^
					 key->time_ns ^ key->event << 56,
				 HASH_GOLDEN_RATIO);
	uint32_t found = hash_table_find(&work->index, hash, sqlite_query_has_key, work, key);
	if (found == HASH_TABLE_NONE) {
		struct error *err = array_reserve(&work->sums, &work->cap_sums, work->num_sums + 1);
		if (!err)
			err = hash_table_insert(&work->index, hash, (uint32_t)work->num_sums);
		if (err)
			return err;
		found = (uint32_t)work->num_sums++;
		work->sums[found] = (struct sqlite_sum){.key = *key};
	}
	struct named_total *sum = &work->sums[found].total;
	sum->count = saturating_sum(sum->count, total.count);
	sum->weight = saturating_sum(sum->weight, total.weight);
	return NULL;
}

/** The event of the answer, and its language. */
static struct error *sqlite_query_find_event(struct sqlite_query_work *work,
					     const struct sqlite_series *series)
{
	struct store_event event = {
		.flags = (uint32_t)series->flags,
		.period = series->period > 0 ? (uint64_t)series->period : 0,
		.frequency = series->frequency > 0 ? (uint64_t)series->frequency : 0,
	};
	uint32_t language;
	struct error *err = sqlite_profile_string(&work->names, series->event, &event.name);
	if (!err)
		err = sqlite_profile_string(&work->names, series->unit, &event.unit);
	if (!err)
		err = sqlite_profile_string(&work->names, series->model, &event.model);
	if (!err)
		err = sqlite_profile_string(&work->names, series->language, &language);
	if (err)
		return err;
	store_profile_language(&work->answer, language);
	return store_profile_event(&work->answer, &event, &work->event);
}

static struct error *sqlite_query_visit(void *data, const struct sqlite_scan_row *row)
{
	struct sqlite_query_work *work = data;
	struct error *err = NULL;
	if (work->series != row->series->number) {
		err = sqlite_query_find_event(work, row->series);
		work->series = row->series->number;
	}
	struct sqlite_sum_key key = {.service = row->series->service, .event = work->event};
	if (work->query->step_ns)
		key.time_ns = row->start_ns - row->start_ns % work->query->step_ns;
	// No sample is before the begin.
	store_profile_extend(&work->answer, work->query->step_ns ? key.time_ns : row->first_ns,
			     row->end_ns);
	struct sqlite_column bytes = sqlite_file_bytes(work->file, row->statement, row->pairs);
	struct store_window window;
	struct store_pair pair;
	store_window_open(&window, bytes.bytes, bytes.size);
	while (!err && store_window_next(&window, &pair)) {
		key.stack = pair.stack;
		err = sqlite_query_add(work, &key, pair.total);
	}
	if (!err && window.reader.failed)
		err = sqlite_file_damaged(work->file, "the packed stacks of a window");
	return err;
}

static int sqlite_query_compare_sums(const void *a, const void *b)
{
	const struct sqlite_sum_key *one = a, *other = b; // the first member
	if (one->service != other->service)
		return one->service < other->service ? -1 : 1;
	if (one->stack != other->stack)
		return one->stack < other->stack ? -1 : 1;
	if (one->time_ns != other->time_ns)
		return one->time_ns < other->time_ns ? -1 : 1;
	return (one->event > other->event) - (one->event < other->event);
}

/** In the order of stacks, which is that of their places in the file. */
static struct error *sqlite_query_read_stacks(struct sqlite_query_work *work)
{
	const struct sqlite_sum_key *before = NULL;
	struct store_sum sum = {0};
	struct error *err = NULL;
	if (work->num_sums)
		qsort(work->sums, work->num_sums, sizeof(*work->sums), sqlite_query_compare_sums);
	for (size_t i = 0; !err && i < work->num_sums; i++) {
		const struct sqlite_sum_key *key = &work->sums[i].key;
		if (!before || before->service != key->service || before->stack != key->stack)
			err = sqlite_profile_stack(&work->names, key->service, (int64_t)key->stack,
						   &sum.stack);
		before = key;
		sum.event = (uint32_t)key->event;
		sum.time_ns = key->time_ns;
		sum.total = work->sums[i].total;
		if (!err)
			err = store_profile_sum(&work->answer, &sum);
	}
	return err;
}

/** Of batches whose windows are there. */
static struct error *sqlite_query_count_lost(struct sqlite_scan *scan, uint64_t *ret)
{
	struct sqlite_file *file = scan->file;
	const uint64_t from = scan->query->from_ns;
	const int64_t words[] = {from > STORE_MAX_NS ? INT64_MAX : (int64_t)from,
				 (int64_t)scan->until_ns};
	bool has_row = false;
	struct error *err =
		sqlite_file_start_numbers(file, SQLITE_EACH_BATCH, words, ARRAY_SIZE(words));
	while (!err && !(err = sqlite_file_step(file, SQLITE_EACH_BATCH, &has_row)) && has_row) {
		bool is_wanted = !scan->query->service ||
				 sqlite_file_number(file, SQLITE_EACH_BATCH, 0) == scan->service;
		if (is_wanted)
			err = sqlite_scan_has_labels(
				scan, sqlite_file_number(file, SQLITE_EACH_BATCH, 1), &is_wanted);
		if (is_wanted)
			*ret = saturating_sum(*ret, sqlite_file_amount(file, SQLITE_EACH_BATCH, 2));
	}
	sqlite_file_end(file, SQLITE_EACH_BATCH);
	return err;
}

static struct error *sqlite_query_run(struct sqlite_scan *scan, struct named_profile *ret)
{
	_cleanup_(sqlite_query_work_deinit) struct sqlite_query_work work = {
		.file = scan->file,
		.query = scan->query,
		.answer = STORE_PROFILE_INIT,
	};
	uint64_t num_lost = 0;
	work.names = (struct sqlite_profile){.file = scan->file, .answer = &work.answer};
	struct error *err = sqlite_scan_run(scan, sqlite_query_visit, &work);
	if (!err)
		err = sqlite_query_read_stacks(&work);
	if (!err && !scan->is_empty)
		err = sqlite_query_count_lost(scan, &num_lost);
	return err ? err : store_profile_finish(&work.answer, scan->query, num_lost, ret);
}

struct error *sqlite_query(struct sqlite_file *file, const struct store_query *query,
			   struct named_profile *ret)
{
	_cleanup_(sqlite_scan_deinit) struct sqlite_scan scan = {0};
	struct named_profile profile = {0};
	struct error *err = sqlite_file_begin(file, false);
	if (err)
		return err;
	err = sqlite_scan_init(&scan, file, query);
	if (!err)
		err = sqlite_query_run(&scan, &profile);
	err = sqlite_file_finish(file, err);
	if (err)
		named_profile_deinit(&profile);
	else
		*ret = profile;
	return err;
}
