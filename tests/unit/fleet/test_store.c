// SPDX-License-Identifier: Apache-2.0
// Each engine of the table answers as the sum of all samples does, which is computed here the slow
// way: a text for each sample, of all that the store keeps of it. The same tests run on all
// engines; those of ClickHouse where its server is installed.

#include "fleet/store/store_ops.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "fleet/otlp/otlp_decoder.h"
#include "fleet/otlp/otlp_encoder.h"

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "tests/unit/fleet/clickhouse_fixture.h"
#include "tests/unit/fleet/kill_rounds.h"
#include "tests/unit/fleet/otlp_fixture.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/scratch_folder.h"

#define START  (1700000000 * (uint64_t)STORE_SECOND_NS)
#define MINUTE (60 * (uint64_t)STORE_SECOND_NS)

enum { MAX_LINES = 20000 };

#define SQLITE "sqlite:fleet.db"

/** The engine under test: each test has a store of its own. */
static char place[80];
static unsigned put_ms; /* how long a put takes, about */
static struct clickhouse_fixture server;

/** Sums by the text of what they are of. */
struct sums {
	char *names[MAX_LINES];
	struct named_total totals[MAX_LINES];
	size_t num;
};

static void sums_deinit(struct sums *sums)
{
	for (size_t i = 0; i < sums->num; i++)
		free(sums->names[i]);
	sums->num = 0;
}

static void sums_add(struct sums *sums, const char *name, struct named_total total)
{
	size_t i = 0;
	while (i < sums->num && strcmp(sums->names[i], name) != 0)
		i++;
	if (i == sums->num) {
		assert_true(i < MAX_LINES);
		sums->names[sums->num++] = strdup(name);
		sums->totals[i] = (struct named_total){0, 0};
	}
	named_total_add(&sums->totals[i], total);
}

/** @has_time: of samples of a query with steps. */
static char *describe(const struct named_profile *profile, const char *service,
		      const struct named_sample *sample, bool has_time)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	const struct named_event *event = &profile->events[sample->event];
	string_builder_appendf(&text, "%s %s %s gil %u", service,
			       named_profile_text(profile, event->name),
			       named_profile_text(profile, event->unit), sample->gil);
	if (has_time)
		string_builder_appendf(&text, " at %lu", (unsigned long)sample->time_ns);
	for (uint32_t i = sample->stack; i != STACK_NONE; i = profile->stacks.nodes[i].parent) {
		const struct named_frame *frame = &profile->frames[profile->stacks.nodes[i].frame];
		const struct named_function *function = &profile->functions[frame->function];
		const char *module =
			function->module == NAMED_NONE
				? "none"
				: named_profile_text(profile,
						     profile->modules[function->module].path);
		string_builder_appendf(&text, " <- %s %s:%u %s:%u %u%u %lx %u", module,
				       named_profile_text(profile, function->name), function->line,
				       named_profile_text(profile, frame->file), frame->line,
				       frame->is_inlined, frame->is_compiled,
				       (unsigned long)frame->address, function->kind);
	}
	char *ret;
	assert_no_error(string_builder_finish(&text, &ret));
	return ret;
}

static void sums_add_batch(struct sums *sums, const struct fleet_batch *batch, uint64_t step_ns)
{
	const struct named_profile *profile = &batch->profile;
	for (size_t i = 0; i < profile->num_samples; i++) {
		struct named_sample sample = profile->samples[i];
		if (step_ns)
			sample.time_ns = batch->start_ns - batch->start_ns % step_ns;
		_cleanup_free_ char *name = describe(
			profile, fleet_batch_label(batch, "service.name"), &sample, step_ns);
		sums_add(sums, name, (struct named_total){sample.count, sample.weight});
	}
}

static void sums_add_profile(struct sums *sums, const struct named_profile *profile, bool has_time)
{
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		const struct named_thread *thread = &profile->threads[sample->thread];
		_cleanup_free_ char *name = describe(
			profile, named_profile_text(profile, thread->name), sample, has_time);
		sums_add(sums, name, (struct named_total){sample->count, sample->weight});
	}
}

static void assert_same_sums(const struct sums *wanted, const struct sums *found)
{
	assert_int_equal(wanted->num, found->num);
	for (size_t i = 0; i < wanted->num; i++) {
		size_t j = 0;
		while (j < found->num && strcmp(wanted->names[i], found->names[j]) != 0)
			j++;
		if (j == found->num)
			print_error("missing: %s\n", wanted->names[i]);
		assert_true(j < found->num);
		assert_int_equal(wanted->totals[i].count, found->totals[j].count);
		assert_int_equal(wanted->totals[i].weight, found->totals[j].weight);
	}
}

static struct store *open_store(enum store_access access)
{
	struct store *store = NULL;
	assert_no_error(store_open(place, access, &store));
	return store;
}

static void make_batch(struct fleet_batch *batch, uint32_t seed, const char *service,
		       const char *host, uint64_t start_ns, size_t num_samples)
{
	char id[64];
	assert_no_error(fleet_batch_init(batch));
	named_profile_deinit(&batch->profile);
	fixture_random_profile(&batch->profile, seed, num_samples);
	for (size_t i = 0; i < num_samples; i++)
		batch->profile.samples[i].gil = (enum gil_state)(i % 7 == 0 ? i % 4 : 0);
	batch->profile.frames[1].is_inlined = true;
	batch->profile.frames[2].is_compiled = true;
	snprintf(id, sizeof(id), "%s-%s-%u", service, host, seed);
	assert_no_error(fleet_batch_set_id(batch, id));
	assert_no_error(fleet_batch_set_label(batch, "service.name", service));
	assert_no_error(fleet_batch_set_label(batch, "host.name", host));
	batch->start_ns = start_ns;
	batch->length_ns = MINUTE;
}

enum { NUM_BATCHES = 40 };

/** 40 windows, 7 minutes from each other, of three services on two hosts. */
static void make_batches(struct fleet_batch *batches)
{
	static const char *const services[] = {"shop", "mail", "shop", "search"};
	for (uint32_t i = 0; i < NUM_BATCHES; i++)
		make_batch(&batches[i], i + 1, services[i % 4], i % 3 ? "web-1" : "web-2",
			   START + i * 7 * MINUTE, 50 + i);
}

static void free_batches(struct fleet_batch *batches, size_t num)
{
	for (size_t i = 0; i < num; i++)
		fleet_batch_deinit(&batches[i]);
}

static struct store_put_result put(struct store *store, const struct fleet_batch *batches,
				   size_t num)
{
	const struct fleet_batch *list[NUM_BATCHES];
	struct store_put_result result;
	for (size_t i = 0; i < num; i++)
		list[i] = &batches[i];
	assert_no_error(store->ops->put(store, list, num, &result));
	return result;
}

static bool query_wants(const struct store_query *query, const struct fleet_batch *batch)
{
	for (size_t i = 0; i < query->num_labels; i++)
		if (strcmp(fleet_batch_label(batch, query->labels[i].key),
			   query->labels[i].value) != 0)
			return false;
	return (!query->service ||
		strcmp(fleet_batch_label(batch, "service.name"), query->service) == 0) &&
	       batch->start_ns >= query->from_ns &&
	       (!query->until_ns || batch->start_ns < query->until_ns);
}

static void check_query(struct store *store, const struct store_query *query,
			const struct fleet_batch *batches, size_t num)
{
	static struct sums wanted, found;
	struct named_profile profile;
	assert_no_error(store->ops->query(store, query, &profile));
	for (size_t i = 0; i < num; i++)
		if (query_wants(query, &batches[i]))
			sums_add_batch(&wanted, &batches[i], query->step_ns);
	sums_add_profile(&found, &profile, query->step_ns);
	assert_same_sums(&wanted, &found);
	// Each is there once.
	assert_int_equal(profile.num_samples, found.num);
	named_profile_deinit(&profile);
	sums_deinit(&wanted);
	sums_deinit(&found);
}

#define ASSERT_SAME_ARRAY(a, b, num)                                             \
	do {                                                                     \
		assert_int_equal((a)->num_##num, (b)->num_##num);                \
		if ((a)->num_##num)                                              \
			assert_memory_equal((a)->num, (b)->num,                  \
					    (a)->num_##num * sizeof(*(a)->num)); \
	} while (0)

/** What reports show in the order of numbers has the same ones. */
static void assert_same_numbers(const struct named_profile *a, const struct named_profile *b)
{
	ASSERT_SAME_ARRAY(a, b, samples);
	ASSERT_SAME_ARRAY(&a->stacks, &b->stacks, nodes);
	assert_int_equal(a->num_modules, b->num_modules);
	assert_int_equal(a->num_functions, b->num_functions);
	assert_int_equal(a->num_frames, b->num_frames);
	assert_int_equal(a->num_threads, b->num_threads);
	for (size_t i = 0; i < a->num_modules; i++)
		assert_string_equal(named_profile_text(a, a->modules[i].path),
				    named_profile_text(b, b->modules[i].path));
	for (size_t i = 0; i < a->num_functions; i++)
		assert_string_equal(named_profile_text(a, a->functions[i].name),
				    named_profile_text(b, b->functions[i].name));
	for (size_t i = 0; i < a->num_frames; i++) {
		assert_int_equal(a->frames[i].function, b->frames[i].function);
		assert_int_equal(a->frames[i].address, b->frames[i].address);
		assert_int_equal(a->frames[i].line, b->frames[i].line);
	}
	for (size_t i = 0; i < a->num_threads; i++)
		assert_string_equal(named_profile_text(a, a->threads[i].name),
				    named_profile_text(b, b->threads[i].name));
}

static struct named_total heat_sum(struct store *store, const struct store_query *query)
{
	struct store_heat heat;
	struct named_total sum = {0, 0};
	assert_no_error(store->ops->heat(store, query, &heat));
	for (size_t i = 0; i < heat.num_sums; i++)
		named_total_add(&sum, heat.sums[i]);
	store_heat_deinit(&heat);
	return sum;
}

static void check_heat(struct store *store, const struct store_query *query,
		       const struct fleet_batch *batches, size_t num)
{
	struct store_heat heat;
	assert_no_error(store->ops->heat(store, query, &heat));
	for (size_t i = 0; i < num; i++) {
		const struct fleet_batch *batch = &batches[i];
		if (!query_wants(query, batch))
			continue;
		size_t step = (size_t)((batch->start_ns - heat.start_ns) / query->step_ns);
		assert_true(step < heat.num_sums);
		for (size_t j = 0; j < batch->profile.num_samples; j++) {
			heat.sums[step].count -= batch->profile.samples[j].count;
			heat.sums[step].weight -= batch->profile.samples[j].weight;
		}
	}
	for (size_t i = 0; i < heat.num_sums; i++) {
		assert_int_equal(heat.sums[i].count, 0);
		assert_int_equal(heat.sums[i].weight, 0);
	}
	store_heat_deinit(&heat);
}

/** Values in the range have the heat that each has alone, others none. */
static void check_heats(struct store *store, const struct store_query *query,
			const struct store_label_range *range)
{
	static const char *const hosts[] = {"web-1", "web-2", "web-3"};
	struct store_heats heats;
	assert_no_error(store->ops->heats(store, query, range, &heats));
	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		const struct fleet_label labels[] = {
			{(char *)range->key, (char *)hosts[i]},
			query->num_labels ? query->labels[0] : (struct fleet_label){0},
		};
		bool is_in_range =
			strcmp(hosts[i], range->first) >= 0 && strcmp(hosts[i], range->last) <= 0;
		struct store_query one = *query;
		struct store_heat heat;
		one.labels = labels;
		one.num_labels = 1 + query->num_labels;
		assert_no_error(store->ops->heat(store, &one, &heat));
		const struct store_heat *found = store_heats_find(&heats, hosts[i]);
		assert_int_equal(found != NULL, is_in_range && heat.num_sums);
		if (found) {
			assert_int_equal(found->start_ns, heat.start_ns);
			ASSERT_SAME_ARRAY(found, &heat, sums);
		}
		store_heat_deinit(&heat);
	}
	store_heats_deinit(&heats);
}

static const struct fleet_label host_label = {(char *)"host.name", (char *)"web-2"};
static const struct fleet_label no_label = {(char *)"host.name", (char *)"web-3"};

static const struct store_query queries[] = {
	{0},
	{.service = "shop"},
	{.service = "search", .labels = &host_label, .num_labels = 1},
	{.labels = &no_label, .num_labels = 1},
	{.service = "nosuch"},
	{.from_ns = START + 10 * MINUTE, .until_ns = START + 200 * MINUTE},
	{.service = "shop", .from_ns = START + 61 * MINUTE},
	{.from_ns = START + 200 * MINUTE, .until_ns = START + 200 * MINUTE},
	{.step_ns = 10 * MINUTE},
	{.step_ns = STORE_HOUR_NS},
};

/** An answer travels as OTLP without any loss: texts, numbers and their order. */
static void check_transport(struct store *store, const struct store_query *query)
{
	struct fleet_batch batch = {.id = (char *)"", .has_times = true};
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	assert_no_error(store->ops->query(store, query, &batch.profile));
	assert_no_error(otlp_encoder_encode(&batch, &bytes));
	assert_no_error(otlp_decoder_decode(string_builder_peek(&bytes), bytes.length,
					    OTLP_BATCH_ALL, &batches));
	assert_int_equal(batches.num_batches, batch.profile.num_events ? 1 : 0);
	if (batches.num_batches) {
		_cleanup_free_ char *wanted = otlp_fixture_describe_text(&batch);
		_cleanup_free_ char *found = otlp_fixture_describe_text(batches.batches);
		assert_string_equal(wanted, found);
		assert_same_numbers(&batch.profile, &batches.batches->profile);
	}
	named_profile_deinit(&batch.profile);
}

static void check_all(struct store *store, const struct fleet_batch *batches, size_t num)
{
	for (size_t i = 0; i < ARRAY_SIZE(queries); i++) {
		struct store_query query = queries[i];
		check_query(store, &query, batches, num);
		check_transport(store, &query);
		if (!query.step_ns)
			query.step_ns = 5 * MINUTE;
		check_heat(store, &query, batches, num);
		check_heats(store, &query,
			    &(struct store_label_range){"host.name", "web-1", "web-1"});
		check_heats(store, &query,
			    &(struct store_label_range){"host.name", "web-2", "web-3"});
		check_heats(store, &query, &(struct store_label_range){"nosuch", "", "x"});
	}
}

static void test_answers_are_the_sums_of_all_samples(void **state)
{
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	check_all(store, batches, 0);
	put(store, batches, NUM_BATCHES / 2);
	check_all(store, batches, NUM_BATCHES / 2);
	for (size_t i = NUM_BATCHES / 2; i < NUM_BATCHES; i++)
		put(store, &batches[i], 1);
	check_all(store, batches, NUM_BATCHES);
	store_close(store);
	store = open_store(STORE_READ);
	check_all(store, batches, NUM_BATCHES);
	free_batches(batches, NUM_BATCHES);
}

static void test_a_batch_counts_once(void **state)
{
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	assert_int_equal(put(store, batches, 10).num_stored, 10);
	// The same ones with new ones between them, in one call and twice in one call.
	struct store_put_result result = put(store, batches, 15);
	assert_int_equal(result.num_stored, 5);
	assert_int_equal(result.num_known, 10);
	const struct fleet_batch *twice[] = {&batches[15], &batches[15]};
	assert_no_error(store->ops->put(store, twice, 2, &result));
	assert_int_equal(result.num_stored, 1);
	check_query(store, &queries[0], batches, 16);
	free_batches(batches, NUM_BATCHES);
}

static void test_hours_have_the_sums_of_their_windows(void **state)
{
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	put(store, batches, NUM_BATCHES - 5);
	assert_no_error(store->ops->roll_up(store, START + 210 * MINUTE));
	check_all(store, batches, NUM_BATCHES - 5);
	// Late windows, also of hours that have been summed up.
	for (size_t i = NUM_BATCHES - 5; i < NUM_BATCHES; i++)
		batches[i].start_ns -= 100 * MINUTE;
	put(store, &batches[NUM_BATCHES - 5], 5);
	check_all(store, batches, NUM_BATCHES);
	put(store, &batches[NUM_BATCHES - 5], 5);
	assert_no_error(store->ops->roll_up(store, UINT64_MAX));
	check_all(store, batches, NUM_BATCHES);
	free_batches(batches, NUM_BATCHES);
}

/** Stacks that are there are found again by their new, shorter hashes. */
static void test_stores_of_version_2_go_on(void **state)
{
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	struct store *store = open_store(STORE_CREATE);
	put(store, batches, NUM_BATCHES / 2);
	store_close(store);
	assert_int_equal(system("sqlite3 fleet.db \"UPDATE stacks SET hash = hash + 2147483648"
				" + 1234567 * 4294967296; PRAGMA user_version = 2;"
				"CREATE TABLE num_before AS SELECT count(*) AS num FROM stacks\""),
			 0);
	store = open_store(STORE_WRITE);
	// The same windows once more, with other ids.
	for (size_t i = 0; i < NUM_BATCHES / 2; i++) {
		char id[20];
		snprintf(id, sizeof(id), "again %zu", i);
		assert_no_error(fleet_batch_set_id(&batches[i], id));
	}
	put(store, batches, NUM_BATCHES / 2);
	store_close(store);
	assert_int_equal(system("test $(sqlite3 fleet.db 'SELECT count(*) = (SELECT num FROM"
				" num_before) FROM stacks') = 1"),
			 0);
	free_batches(batches, NUM_BATCHES);
}

/** Their hours have no sums of all hosts. */
static void test_stores_of_version_1_go_on(void **state)
{
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	struct store *store = open_store(STORE_CREATE);
	put(store, batches, NUM_BATCHES / 2);
	assert_no_error(store->ops->roll_up(store, UINT64_MAX));
	store_close(store);
	assert_int_equal(system("sqlite3 fleet.db \"DELETE FROM hours WHERE series < 0;"
				"DELETE FROM series WHERE series < 0;"
				"DELETE FROM facts WHERE name = 'first_whole_hour';"
				"DROP INDEX windows_by_series; DROP INDEX batches_by_service;"
				"CREATE INDEX windows_by_series ON windows(series, start);"
				"ALTER TABLE hours DROP COLUMN first;"
				"ALTER TABLE hours DROP COLUMN last;"
				"PRAGMA user_version = 1\""),
			 0);
	assert_error(store_open(SQLITE, STORE_READ, &store), ERROR_FAILED,
		     "the store 'fleet.db' has no tables, or older ones");
	store = open_store(STORE_WRITE);
	check_all(store, batches, NUM_BATCHES / 2);
	put(store, &batches[NUM_BATCHES / 2], NUM_BATCHES - NUM_BATCHES / 2);
	assert_no_error(store->ops->roll_up(store, UINT64_MAX));
	check_all(store, batches, NUM_BATCHES);
	store_close(store);
	free_batches(batches, NUM_BATCHES);
}

static void test_what_is_older_is_dropped(void **state)
{
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	put(store, batches, NUM_BATCHES);
	const uint64_t limit = START + 150 * MINUTE, whole = limit - limit % STORE_HOUR_NS;
	struct store_query all = {.step_ns = STORE_HOUR_NS};
	struct named_total before = heat_sum(store, &all);
	assert_no_error(store->ops->retain(store, limit, 0));
	// Windows became hours; nothing is lost, and whole hours answer as before.
	check_query(store, &queries[0], batches, NUM_BATCHES);
	check_query(store, &all, batches, NUM_BATCHES);
	check_heat(store, &all, batches, NUM_BATCHES);
	struct store_query recent = {.from_ns = whole, .step_ns = MINUTE};
	check_query(store, &recent, batches, NUM_BATCHES);
	// What is sent again is refused, not counted twice.
	struct store_put_result again = put(store, batches, NUM_BATCHES);
	assert_int_equal(again.num_stored, 0);
	assert_true(again.num_too_old > 0 && again.num_known > 0);
	assert_int_equal(again.num_too_old + again.num_known, NUM_BATCHES);
	assert_int_equal(heat_sum(store, &all).weight, before.weight);
	// A shorter limit does not bring anything back; then the hours go, too.
	assert_no_error(store->ops->retain(store, 0, whole));
	struct named_total after = heat_sum(store, &all);
	recent.step_ns = STORE_HOUR_NS;
	assert_int_equal(after.weight, heat_sum(store, &recent).weight);
	assert_true(after.weight < before.weight);
	assert_int_equal(put(store, batches, 1).num_too_old, 1);
	free_batches(batches, NUM_BATCHES);
}

static void test_the_listing_has_all_names(void **state)
{
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	batches[0].num_dropped = 7;
	batches[2].profile.num_lost = 9;
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	put(store, batches, NUM_BATCHES);
	for (int round = 0; round < 2; round++) {
		_cleanup_(store_listing_deinit) struct store_listing listing = {0};
		assert_no_error(store->ops->list(store, &listing));
		assert_int_equal(listing.num_services, 3);
		assert_string_equal(listing.services[2].service, "shop");
		assert_int_equal(listing.services[2].num_batches, NUM_BATCHES / 2);
		assert_int_equal(listing.services[2].num_dropped, 7);
		assert_int_equal(listing.services[2].num_lost, 9);
		assert_int_equal(listing.num_events, 6);
		assert_string_equal(listing.events[0].service, "mail");
		assert_string_equal(listing.events[0].event, "cycles");
		assert_string_equal(listing.events[0].unit, "events");
		assert_int_equal(listing.events[0].first_ns, START + 7 * MINUTE);
		assert_int_equal(listing.events[0].end_ns, START + 37 * 7 * MINUTE + MINUTE);
		assert_int_equal(listing.num_labels, 6);
		assert_string_equal(listing.labels[1].key, "host.name");
		assert_string_equal(listing.labels[1].value, "web-2");
		// Sums of hours change nothing.
		assert_no_error(store->ops->roll_up(store, UINT64_MAX));
	}
	struct named_profile profile;
	assert_no_error(store->ops->query(store, &queries[1], &profile));
	assert_int_equal(profile.num_lost, 9);
	named_profile_deinit(&profile);
	free_batches(batches, NUM_BATCHES);
}

/** Threads of services, but those of the idle task, which reports leave out. */
static void test_the_idle_task_stays_one(void **state)
{
	struct fleet_batch batch;
	struct named_profile profile;
	make_batch(&batch, 1, "shop", "web-1", START, 10);
	uint32_t idle = fixture_thread(&batch.profile, 0, 0, "swapper", "swapper");
	batch.profile.samples[3].thread = idle;
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	put(store, &batch, 1);
	assert_no_error(store->ops->query(store, &queries[0], &profile));
	size_t num_idle = 0;
	for (size_t i = 0; i < profile.num_samples; i++)
		num_idle += profile.threads[profile.samples[i].thread].pid == 0;
	assert_int_equal(num_idle, 1);
	named_profile_deinit(&profile);
	fleet_batch_deinit(&batch);
}

/** Two builds of a library: its functions are the same, addresses are of the first build alone. */
static void test_builds_of_a_module_are_joined(void **state)
{
	struct fleet_batch batches[2];
	struct named_profile profile;
	for (uint32_t i = 0; i < 2; i++) {
		make_batch(&batches[i], 5, "shop", i ? "web-1" : "web-2", START, 30);
		struct named_profile *named = &batches[i].profile;
		for (size_t j = 0; j < named->num_modules; j++)
			named->modules[j].build_id = fixture_string(named, i ? "aa" : "bb");
	}
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	put(store, batches, 2);
	assert_no_error(store->ops->query(store, &queries[0], &profile));
	assert_int_equal(profile.num_modules, 3);
	assert_int_equal(profile.num_functions, 8);
	uint64_t weight = 0, wanted = 0;
	for (size_t i = 0; i < profile.num_samples; i++)
		weight += profile.samples[i].weight;
	for (size_t i = 0; i < 30; i++)
		wanted += 2 * batches[0].profile.samples[i].weight;
	assert_int_equal(weight, wanted);
	named_profile_deinit(&profile);
	free_batches(batches, 2);
}

static void put_until_killed(void)
{
	for (uint32_t i = 1;; i++) {
		struct fleet_batch batches[3];
		struct store *store;
		for (uint32_t j = 0; j < 3; j++)
			make_batch(&batches[j], 3 * i + j, "shop", "web-1",
				   START + (3 * i + j) * (uint64_t)STORE_SECOND_NS, 40);
		const struct fleet_batch *list[] = {&batches[0], &batches[1], &batches[2]};
		struct store_put_result result;
		if (store_open(place, STORE_CREATE, &store) ||
		    store->ops->put(store, list, 3, &result))
			_exit(1);
		store_close(store);
		free_batches(batches, 3);
	}
}

static size_t count_batches(struct store *store)
{
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	assert_no_error(store->ops->list(store, &listing));
	return listing.num_services ? (size_t)listing.services[0].num_batches : 0;
}

/** What a killed program has put is there in whole lists of batches, and the next goes on. */
static void test_a_kill_leaves_whole_batches(void **state)
{
	const unsigned num_rounds = kill_rounds(20);
	size_t num_before = 0;
	for (unsigned round = 0; round < num_rounds; round++) {
		pid_t child = fork();
		if (!child)
			put_until_killed();
		// Not a wait for anything: the kill shall hit any step of it.
		usleep((5000 + 7919 * round % 40000) * put_ms);
		kill(child, SIGKILL);
		int status;
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
		size_t num = count_batches(store);
		assert_int_equal(num % 3, 0);
		assert_true(num >= num_before);
		num_before = num;
		struct fleet_batch batches[NUM_BATCHES];
		size_t num_made = num < NUM_BATCHES ? num : NUM_BATCHES;
		for (uint32_t i = 0; i < num_made; i++)
			make_batch(&batches[i], 3 + i, "shop", "web-1",
				   START + (3 + i) * (uint64_t)STORE_SECOND_NS, 40);
		const struct store_query query = {.until_ns =
							  START + (3 + num_made) * STORE_SECOND_NS};
		check_query(store, &query, batches, num_made);
		free_batches(batches, num_made);
	}
	assert_true(num_before > 0);
}

static void test_places_that_are_no_store(void **state)
{
	struct store *store;
	assert_error(store_open("oracle:fleet.db", STORE_READ, &store), ERROR_USAGE,
		     "not a store: 'oracle:fleet.db'");
	assert_error(store_open(SQLITE, STORE_READ, &store), ERROR_FAILED, "no store 'fleet.db'");
	scratch_folder_write("text.db", "This is no database, whatever its name is, at all.\n");
	assert_error(store_open("sqlite:text.db", STORE_CREATE, &store), ERROR_FAILED,
		     "cannot use the store 'text.db': file is not a database");
	assert_int_equal(system("sqlite3 other.db 'CREATE TABLE t(a)'"), 0);
	assert_error(store_open("sqlite:other.db", STORE_CREATE, &store), ERROR_FAILED,
		     "'other.db' is a database of another program");
	for (const struct store_ops *const *ops = all_stores; *ops; ops++)
		assert_non_null((*ops)->place_form);
	assert_error(store_open("http://localhost", STORE_WRITE, &store), ERROR_USAGE,
		     "'http://localhost' can only be read");
	assert_error(store_open("http://local host", STORE_READ, &store), ERROR_USAGE,
		     "not an address of a server: 'http://local host'");
	assert_true(store_uses_network("https://localhost/wperf"));
	assert_false(store_uses_network("sqlite:http://localhost"));
	assert_false(store_uses_network(NULL));
	store_close(open_store(STORE_CREATE));
	assert_int_equal(system("sqlite3 fleet.db 'PRAGMA user_version = 99'"), 0);
	assert_error(store_open(SQLITE, STORE_WRITE, &store), ERROR_FAILED,
		     "the store 'fleet.db' has version 99 of the tables; this wperf knows up to 3");
}

/** @damage: SQL. Every answer is an error, and none is a crash. */
static void check_damage(const char *damage, const char *message)
{
	struct fleet_batch batch;
	char command[300];
	make_batch(&batch, 1, "shop", "web-1", START, 100);
	struct store *store = open_store(STORE_CREATE);
	put(store, &batch, 1);
	store_close(store);
	snprintf(command, sizeof(command), "sqlite3 fleet.db \"%s\"", damage);
	assert_int_equal(system(command), 0);
	store = open_store(STORE_WRITE);
	struct named_profile profile;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text, "the store 'fleet.db' is damaged: %s", message);
	assert_error(store->ops->query(store, &queries[0], &profile), ERROR_FAILED,
		     string_builder_peek(&text));
	error_destroy(store->ops->roll_up(store, UINT64_MAX));
	store_close(store);
	fleet_batch_deinit(&batch);
	assert_int_equal(system("rm fleet.db*"), 0);
}

static void test_damage_is_an_error(void **state)
{
	check_damage("UPDATE windows SET pairs = x'0101'", "the packed stacks of a window");
	check_damage("UPDATE windows SET pairs = x'01ff7f01'", "a stack is missing");
	check_damage("UPDATE stacks SET frames = x'00ff'", "a packed stack");
	check_damage("UPDATE stacks SET frames = x'7f02'", "a packed stack");
	check_damage("UPDATE OR IGNORE functions SET kind = 5",
		     "a function's line or kind is out of range");
	check_damage("UPDATE OR IGNORE functions SET line = -1",
		     "a function's line or kind is out of range");
	check_damage("UPDATE OR IGNORE frames SET line = 1 << 32",
		     "a frame's line is out of range");
	check_damage("UPDATE OR IGNORE frames SET function = 99999",
		     "a row that another one refers to is missing");
	check_damage("DELETE FROM strings", "a text is missing");
}

static int enter_sqlite(void **state)
{
	snprintf(place, sizeof(place), SQLITE);
	put_ms = 1;
	return scratch_folder_enter(state);
}

static int enter_clickhouse(void **state)
{
	static unsigned number;
	snprintf(place, sizeof(place), "clickhouse://127.0.0.1:%u/test_%u", server.port, ++number);
	put_ms = 20;
	return scratch_folder_enter(state);
}

static int start_clickhouse(void **state)
{
	clickhouse_fixture_create(&server);
	return 0;
}

static int end_clickhouse(void **state)
{
	clickhouse_fixture_destroy(&server);
	return 0;
}

int store_tests(void)
{
#define STORE_TEST(test, engine) \
	cmocka_unit_test_setup_teardown(test, enter_##engine, scratch_folder_leave)
#define EACH_TEST(engine)                                                      \
	STORE_TEST(test_answers_are_the_sums_of_all_samples, engine),          \
		STORE_TEST(test_a_batch_counts_once, engine),                  \
		STORE_TEST(test_hours_have_the_sums_of_their_windows, engine), \
		STORE_TEST(test_what_is_older_is_dropped, engine),             \
		STORE_TEST(test_the_listing_has_all_names, engine),            \
		STORE_TEST(test_the_idle_task_stays_one, engine),              \
		STORE_TEST(test_builds_of_a_module_are_joined, engine),        \
		STORE_TEST(test_a_kill_leaves_whole_batches, engine)
	const struct CMUnitTest sqlite[] = {
		EACH_TEST(sqlite),
		STORE_TEST(test_stores_of_version_1_go_on, sqlite),
		STORE_TEST(test_stores_of_version_2_go_on, sqlite),
		STORE_TEST(test_places_that_are_no_store, sqlite),
		STORE_TEST(test_damage_is_an_error, sqlite),
	};
	const struct CMUnitTest clickhouse[] = {EACH_TEST(clickhouse)};
	const struct CMUnitTest missing[] = {cmocka_unit_test(clickhouse_fixture_is_missing)};
	int num_failed = cmocka_run_group_tests_name("store", sqlite, NULL, NULL);
	if (!clickhouse_fixture_is_possible())
		return num_failed +
		       cmocka_run_group_tests_name("store in ClickHouse", missing, NULL, NULL);
	return num_failed + cmocka_run_group_tests_name("store in ClickHouse", clickhouse,
							start_clickhouse, end_clickhouse);
}
