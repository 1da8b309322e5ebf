// SPDX-License-Identifier: Apache-2.0
// First all pairs are summed up by event, service, step of time and stack, as numbers. Only then
// are the stacks of these sums read, in the order of their numbers, which is that of their places
// in the file, and their frames named.

#include "fleet/store/sqlite/sqlite_query.h"

#include "base/container/array.h"
#include "base/saturating_sum.h"
#include "fleet/store/sqlite/sqlite_profile.h"
#include "fleet/store/sqlite/sqlite_put.h"
#include "fleet/store/sqlite/sqlite_scan.h"
#include "fleet/store/sqlite/store_window.h"
#include "profile/profile_order.h"

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
	struct named_profile *profile;
	struct sqlite_profile names;
	struct hash_table index; /* of the sums */
	struct sqlite_sum *sums;
	size_t num_sums, cap_sums;
	int64_t series; /* of the row before, and its event */
	uint32_t event;
	uint64_t start_ns, end_ns;
};

static void sqlite_query_work_deinit(struct sqlite_query_work *work)
{
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

static struct error *sqlite_query_name_event(struct sqlite_query_work *work,
					     const struct sqlite_series *series,
					     struct named_event *ret)
{
	*ret = (struct named_event){
		.period = series->period > 0 ? (uint64_t)series->period : 0,
		.frequency = series->frequency > 0 ? (uint64_t)series->frequency : 0,
		.is_whole = series->flags & SQLITE_EVENT_WHOLE,
		.is_wait = series->flags & SQLITE_EVENT_WAIT,
		.is_ahead = series->flags & SQLITE_EVENT_AHEAD,
		.excludes_idle = series->flags & SQLITE_EVENT_EXCLUDES_IDLE,
	};
	struct error *err = sqlite_profile_string(&work->names, series->event, &ret->name);
	if (!err)
		err = sqlite_profile_string(&work->names, series->unit, &ret->unit);
	return err ? err : sqlite_profile_string(&work->names, series->model, &ret->model);
}

static bool sqlite_query_is_same_event(const struct named_event *a, const struct named_event *b)
{
	return a->name == b->name && a->unit == b->unit && a->model == b->model &&
	       a->is_whole == b->is_whole && a->is_wait == b->is_wait &&
	       a->is_ahead == b->is_ahead && a->excludes_idle == b->excludes_idle;
}

/** The event of the profile; series that differ in their periods alone have one, as weights can be
 *  summed. */
static struct error *sqlite_query_find_event(struct sqlite_query_work *work,
					     const struct sqlite_series *series)
{
	struct named_event event;
	struct error *err = sqlite_query_name_event(work, series, &event);
	if (err)
		return err;
	for (uint32_t i = 0; i < work->profile->num_events; i++) {
		struct named_event *known = &work->profile->events[i];
		if (!sqlite_query_is_same_event(known, &event))
			continue;
		if (known->period != event.period)
			known->period = 0;
		if (known->frequency != event.frequency)
			known->frequency = 0;
		work->event = i;
		return NULL;
	}
	return named_profile_event(work->profile, &event, &work->event);
}

/** That of the first series with one; a text that nobody may print is none. */
static struct error *sqlite_query_take_language(struct sqlite_query_work *work, int64_t number)
{
	uint32_t string;
	struct error *err = sqlite_profile_string(&work->names, number, &string);
	if (err || work->profile->named_language)
		return err;
	const char *name = named_profile_text(work->profile, string);
	if (!language_is_name(name) || strcmp(name, language_unknown.name) == 0)
		return NULL;
	return named_profile_set_language(work->profile, name);
}

static struct error *sqlite_query_visit(void *data, const struct sqlite_scan_row *row)
{
	struct sqlite_query_work *work = data;
	struct error *err = NULL;
	if (work->series != row->series->number) {
		err = sqlite_query_find_event(work, row->series);
		if (!err)
			err = sqlite_query_take_language(work, row->series->language);
		work->series = row->series->number;
	}
	if (saturating_sum(row->start_ns, row->length_ns) > work->end_ns)
		work->end_ns = saturating_sum(row->start_ns, row->length_ns);
	struct sqlite_sum_key key = {.service = row->series->service, .event = work->event};
	if (work->query->step_ns)
		key.time_ns = row->start_ns - row->start_ns % work->query->step_ns;
	// No sample is before the begin.
	uint64_t start_ns = work->query->step_ns ? key.time_ns : row->start_ns;
	if (start_ns < work->start_ns)
		work->start_ns = start_ns;
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

/** A service is a thread: there are no others in a store. The idle task stays what it is. */
static struct error *sqlite_query_thread(struct sqlite_query_work *work, int64_t service,
					 bool is_idle_task, uint32_t *ret)
{
	struct named_thread thread = {.pid = UINT32_MAX, .tid = UINT32_MAX};
	struct error *err = NULL;
	if (is_idle_task) {
		thread.pid = thread.tid = 0;
		err = named_profile_string(work->profile, "swapper", &thread.name);
	} else {
		err = sqlite_profile_string(&work->names, service, &thread.name);
	}
	thread.process_name = thread.name;
	return err ? err : named_profile_thread(work->profile, &thread, ret);
}

/** A count that is too large for one sample becomes several. */
static struct error *sqlite_query_add_sample(struct named_profile *profile,
					     struct named_sample sample, struct named_total total)
{
	struct error *err = NULL;
	for (sample.weight = total.weight; !err && total.count > UINT32_MAX; sample.weight = 0) {
		sample.count = UINT32_MAX;
		total.count -= UINT32_MAX;
		err = named_profile_add(profile, &sample);
	}
	sample.count = (uint32_t)total.count;
	return err ? err : named_profile_add(profile, &sample);
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

static struct error *sqlite_query_make_samples(struct sqlite_query_work *work)
{
	struct named_profile *profile = work->profile;
	struct named_sample sample = {.cpu = NAMED_NONE};
	const struct sqlite_sum_key *before = NULL;
	struct error *err = NULL;
	if (work->num_sums)
		qsort(work->sums, work->num_sums, sizeof(*work->sums), sqlite_query_compare_sums);
	for (size_t i = 0; !err && i < work->num_sums; i++) {
		const struct sqlite_sum_key *key = &work->sums[i].key;
		if (!before || before->service != key->service || before->stack != key->stack) {
			struct sqlite_stack_traits traits;
			err = sqlite_profile_stack(&work->names, key->service, (int64_t)key->stack,
						   &traits, &sample.stack);
			if (!err)
				err = sqlite_query_thread(work, key->service, traits.is_idle_task,
							  &sample.thread);
			sample.gil = err ? GIL_UNKNOWN : traits.gil;
		}
		before = key;
		sample.event = (uint32_t)key->event;
		sample.time_ns = work->query->step_ns ? key->time_ns : work->start_ns;
		if (!err)
			err = sqlite_query_add_sample(profile, sample, work->sums[i].total);
	}
	return err ? err : profile_order_apply(profile);
}

/** Of batches whose windows are there. */
static struct error *sqlite_query_count_lost(struct sqlite_scan *scan,
					     struct named_profile *profile)
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
			profile->num_lost = saturating_sum(
				profile->num_lost, sqlite_file_amount(file, SQLITE_EACH_BATCH, 2));
	}
	sqlite_file_end(file, SQLITE_EACH_BATCH);
	return err;
}

static struct error *sqlite_query_run(struct sqlite_scan *scan, struct named_profile *profile)
{
	_cleanup_(sqlite_query_work_deinit) struct sqlite_query_work work = {
		.file = scan->file,
		.query = scan->query,
		.profile = profile,
		.names = {.file = scan->file,
			  .profile = profile,
			  .keeps_builds = scan->query->keeps_builds},
		.start_ns = UINT64_MAX,
	};
	struct error *err = sqlite_scan_run(scan, sqlite_query_visit, &work);
	if (!err)
		err = sqlite_query_make_samples(&work);
	if (!err && !scan->is_empty)
		err = sqlite_query_count_lost(scan, profile);
	if (!err && work.end_ns) {
		profile->start_time_ns = profile->start_wall_ns = work.start_ns;
		profile->duration_ns = work.end_ns - work.start_ns;
	}
	return err;
}

static struct error *sqlite_query_name_host(const struct store_query *query,
					    struct named_profile *profile)
{
	for (size_t i = 0; i < query->num_labels; i++)
		if (strcmp(query->labels[i].key, "host.name") == 0)
			return named_profile_string(profile, query->labels[i].value,
						    &profile->host);
	return NULL;
}

struct error *sqlite_query(struct sqlite_file *file, const struct store_query *query,
			   struct named_profile *ret)
{
	_cleanup_(sqlite_scan_deinit) struct sqlite_scan scan = {0};
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	struct error *err = named_profile_init(&profile);
	if (!err)
		err = sqlite_file_begin(file, false);
	if (err)
		return err;
	err = sqlite_scan_init(&scan, file, query);
	if (!err)
		err = sqlite_query_run(&scan, &profile);
	err = sqlite_file_finish(file, err);
	if (!err)
		err = sqlite_query_name_host(query, &profile);
	if (err)
		return err;
	*ret = profile;
	profile = (struct named_profile){0};
	return NULL;
}

static struct error *sqlite_query_visit_heat(void *data, const struct sqlite_scan_row *row)
{
	return store_heat_add(data, row->start_ns, row->sum);
}

struct error *sqlite_query_heat(struct sqlite_file *file, const struct store_query *query,
				struct store_heat *ret)
{
	_cleanup_(sqlite_scan_deinit) struct sqlite_scan scan = {0};
	_cleanup_(store_heat_deinit) struct store_heat heat = {.step_ns = query->step_ns};
	if (!query->step_ns)
		return error_create(ERROR_USAGE, "a heat map needs steps of time");
	struct error *err = sqlite_file_begin(file, false);
	if (err)
		return err;
	err = sqlite_scan_init(&scan, file, query);
	if (!err)
		err = sqlite_scan_run(&scan, sqlite_query_visit_heat, &heat);
	err = sqlite_file_finish(file, err);
	if (err)
		return err;
	*ret = heat;
	heat = (struct store_heat){0};
	return NULL;
}
