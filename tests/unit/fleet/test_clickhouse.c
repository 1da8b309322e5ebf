// SPDX-License-Identifier: Apache-2.0
// What only an engine of many writers can do wrong: batches that were sent several times, by
// several programs, to a server that is killed in between. Each test has a database of its own in a
// server that the group starts; without clickhouse-server only addresses and messages are tested.

#include "fleet/store/clickhouse/clickhouse_place.h"
#include "fleet/store/clickhouse/clickhouse_rows.h"
#include "fleet/store/clickhouse/clickhouse_server.h"
#include "fleet/store/store_ops.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "fleet/otlp/otlp_encoder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/fleet/clickhouse_fixture.h"
#include "tests/unit/fleet/kill_rounds.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/scratch_folder.h"

#define START  (1700000000 / 3600 * STORE_HOUR_NS)
#define MINUTE (60 * (uint64_t)STORE_SECOND_NS)

static char place[80], database[20];
static struct clickhouse_fixture server;

static struct store *open_store(enum store_access access)
{
	struct store *store = NULL;
	assert_no_error(store_open(place, access, &store));
	return store;
}

static void make_batch(struct fleet_batch *batch, uint32_t seed, const char *service,
		       uint64_t start_ns)
{
	char id[64];
	assert_no_error(fleet_batch_init(batch));
	named_profile_deinit(&batch->profile);
	fixture_random_profile(&batch->profile, seed, 60);
	for (size_t i = 0; i < 60; i++)
		batch->profile.samples[i].gil = (enum gil_state)(i % 7 == 0 ? i % 4 : 0);
	for (size_t i = 0; i < batch->profile.num_modules; i++)
		batch->profile.modules[i].build_id =
			fixture_string(&batch->profile, seed % 2 ? "aa" : "bb");
	batch->profile.num_lost = seed;
	snprintf(id, sizeof(id), "%s-%u", service, seed);
	assert_no_error(fleet_batch_set_id(batch, id));
	assert_no_error(fleet_batch_set_label(batch, "service.name", service));
	assert_no_error(fleet_batch_set_label(batch, "host.name", seed % 3 ? "web-1" : "web-2"));
	batch->start_ns = start_ns;
	batch->length_ns = MINUTE;
}

static struct store_put_result put(struct store *store, const struct fleet_batch *batches,
				   size_t num)
{
	const struct fleet_batch *list[100];
	struct store_put_result result;
	for (size_t i = 0; i < num; i++)
		list[i] = &batches[i];
	assert_no_error(store->ops->put(store, list, num, &result));
	return result;
}

static uint64_t weight_of(const struct fleet_batch *batches, size_t num)
{
	uint64_t weight = 0;
	for (size_t i = 0; i < num; i++)
		for (size_t j = 0; j < batches[i].profile.num_samples; j++)
			weight += batches[i].profile.samples[j].weight;
	return weight;
}

static uint64_t weight_in(struct store *store, const struct store_query *query)
{
	struct named_profile profile;
	uint64_t weight = 0;
	assert_no_error(store->ops->query(store, query, &profile));
	for (size_t i = 0; i < profile.num_samples; i++)
		weight += profile.samples[i].weight;
	named_profile_deinit(&profile);
	return weight;
}

static size_t batches_in(struct store *store)
{
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	assert_no_error(store->ops->list(store, &listing));
	size_t num = 0;
	for (size_t i = 0; i < listing.num_services; i++)
		num += listing.services[i].num_batches;
	return num;
}

static void free_batches(struct fleet_batch *batches, size_t num)
{
	for (size_t i = 0; i < num; i++)
		fleet_batch_deinit(&batches[i]);
}

/** Statements that end with ';', on the database $. */
static void run(const char *sql)
{
	_cleanup_(string_builder_deinit) struct string_builder statement = STRING_BUILDER_INIT;
	for (; *sql; sql++) {
		if (*sql == '$')
			string_builder_append(&statement, database);
		else if (*sql != ';')
			string_builder_append_char(&statement, *sql);
		if (*sql != ';')
			continue;
		clickhouse_fixture_run(&server, string_builder_peek(&statement));
		string_builder_clear(&statement);
	}
}

/** All that an answer has, in the order in which it has it. */
static void describe_profile(const struct named_profile *profile, struct string_builder *text)
{
	struct fleet_batch batch = {.id = (char *)"answer", .profile = *profile};
	string_builder_appendf(text, "%lu %lu %lu %s %s\n", (unsigned long)profile->start_wall_ns,
			       (unsigned long)profile->duration_ns,
			       (unsigned long)profile->num_lost, profile->language->name,
			       named_profile_text(profile, profile->host));
	for (size_t i = 0; i < profile->num_events; i++)
		string_builder_appendf(text, "event %lu %lu %d%d%d%d\n",
				       (unsigned long)profile->events[i].period,
				       (unsigned long)profile->events[i].frequency,
				       profile->events[i].is_whole, profile->events[i].is_wait,
				       profile->events[i].is_ahead,
				       profile->events[i].excludes_idle);
	for (size_t i = 0; i < profile->num_samples; i++)
		string_builder_appendf(text, "sample %lu %u\n",
				       (unsigned long)profile->samples[i].time_ns,
				       profile->samples[i].gil);
	assert_no_error(otlp_encoder_encode(&batch, text));
}

static void describe_store(struct store *store, struct string_builder *text)
{
	static const struct fleet_label host = {(char *)"host.name", (char *)"web-2"};
	static const struct store_query queries[] = {
		{0},
		{.service = "shop"},
		{.event = "cycles"},
		{.event = "nosuch"},
		{.service = "shop", .labels = &host, .num_labels = 1},
		{.from_ns = START + 30 * MINUTE, .until_ns = START + 150 * MINUTE},
		// Of a window without samples.
		{.from_ns = START + 35 * MINUTE, .until_ns = START + 36 * MINUTE},
		{.step_ns = STORE_HOUR_NS},
	};
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	for (size_t i = 0; i < ARRAY_SIZE(queries); i++) {
		struct named_profile profile;
		struct store_heat heat;
		struct store_query query = queries[i];
		assert_no_error(store->ops->query(store, &query, &profile));
		describe_profile(&profile, text);
		named_profile_deinit(&profile);
		query.step_ns = STORE_HOUR_NS;
		assert_no_error(store->ops->heat(store, &query, &heat));
		string_builder_appendf(text, "heat %lu\n", (unsigned long)heat.start_ns);
		for (size_t j = 0; j < heat.num_sums; j++)
			string_builder_appendf(text, "%lu %lu\n", (unsigned long)heat.sums[j].count,
					       (unsigned long)heat.sums[j].weight);
		store_heat_deinit(&heat);
	}
	assert_no_error(store->ops->list(store, &listing));
	for (size_t i = 0; i < listing.num_services; i++)
		string_builder_appendf(text, "%s %lu %lu %lu\n", listing.services[i].service,
				       (unsigned long)listing.services[i].num_batches,
				       (unsigned long)listing.services[i].num_dropped,
				       (unsigned long)listing.services[i].num_lost);
	for (size_t i = 0; i < listing.num_events; i++)
		string_builder_appendf(text, "%s %s %s %lu %lu\n", listing.events[i].service,
				       listing.events[i].event, listing.events[i].unit,
				       (unsigned long)listing.events[i].first_ns,
				       (unsigned long)listing.events[i].end_ns);
	for (size_t i = 0; i < listing.num_labels; i++)
		string_builder_appendf(text, "%s %s %s\n", listing.labels[i].service,
				       listing.labels[i].key, listing.labels[i].value);
}

static void check_same(struct store *a, struct store *b)
{
	_cleanup_(string_builder_deinit) struct string_builder one = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder other = STRING_BUILDER_INIT;
	describe_store(a, &one);
	describe_store(b, &other);
	assert_false(one.failed || other.failed);
	assert_int_equal(one.length, other.length);
	assert_memory_equal(one.text, other.text, one.length);
}

enum { NUM_BATCHES = 24 };

/** 24 windows of two services, 7 minutes from each other, and odd ones. */
static void make_batches(struct fleet_batch *batches)
{
	for (uint32_t i = 0; i < NUM_BATCHES; i++) {
		make_batch(&batches[i], i + 1, i % 3 ? "shop" : "mail", START + i * 7 * MINUTE);
		for (size_t j = 0; j < batches[i].profile.num_events; j++) {
			batches[i].profile.events[j].period = i < 12 ? 1000 : 2000;
			batches[i].profile.events[j].is_whole = j == 1;
		}
	}
	assert_no_error(named_profile_set_language(&batches[7].profile, "Ruby"));
	assert_no_error(named_profile_set_language(&batches[9].profile, "Perl"));
	// No sample, but it has lost some.
	batches[5].profile.num_samples = 0;
}

static void test_both_engines_answer_alike_to_the_byte(void **state)
{
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	_cleanup_(store_closep) struct store *other = NULL;
	assert_no_error(store_open("sqlite:other.db", STORE_CREATE, &other));
	check_same(store, other);
	put(store, batches, NUM_BATCHES);
	// In the other order, one by one.
	for (size_t i = NUM_BATCHES; i-- > 0;)
		put(other, &batches[i], 1);
	check_same(store, other);
	assert_no_error(store->ops->roll_up(store, START + 100 * MINUTE));
	assert_no_error(other->ops->roll_up(other, START + 100 * MINUTE));
	check_same(store, other);
	for (int round = 0; round < 2; round++) {
		uint64_t limit = START + (round ? 130 : 70) * MINUTE;
		assert_no_error(store->ops->retain(store, limit, round ? START + 60 * MINUTE : 0));
		assert_no_error(other->ops->retain(other, limit, round ? START + 60 * MINUTE : 0));
		check_same(store, other);
	}
	free_batches(batches, NUM_BATCHES);
}

/** Servers that made the store at once made two keys, one of them after the other one had put. */
static void test_a_second_key_changes_no_answer(void **state)
{
	enum { HALF = NUM_BATCHES / 2 };
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	_cleanup_(store_closep) struct store *other = NULL;
	assert_no_error(store_open("sqlite:other.db", STORE_CREATE, &other));
	put(other, batches, NUM_BATCHES);
	put(store, batches, HALF);
	run("INSERT INTO $.facts VALUES ('key 0', 1), ('key 1', 2);");
	put(store, &batches[HALF], HALF);
	check_same(store, other);
	assert_no_error(store->ops->roll_up(store, UINT64_MAX));
	check_same(store, other);
	assert_no_error(store->ops->retain(store, START + 70 * MINUTE, 0));
	assert_no_error(other->ops->retain(other, START + 70 * MINUTE, 0));
	check_same(store, other);
	free_batches(batches, NUM_BATCHES);
}

static void test_sums_that_do_not_fit_are_the_largest_number(void **state)
{
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 60; j++)
			batches[i].profile.samples[j].weight = UINT64_MAX / 3 + j;
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	_cleanup_(store_closep) struct store *other = NULL;
	assert_no_error(store_open("sqlite:other.db", STORE_CREATE, &other));
	put(store, batches, NUM_BATCHES);
	put(other, batches, NUM_BATCHES);
	check_same(store, other);
	free_batches(batches, NUM_BATCHES);
}

static void test_names_may_be_any_bytes(void **state)
{
	static const char *const names[] = {
		"'",       "\\",           "\\'; DROP TABLE windows; --",
		"a\nb\tc", "\xff\xfe\x80", "%27%00",
		"&query=", "{x:String}",   "--",
		"/* ",     "\\x27 OR 1",   "",
	};
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	_cleanup_(store_closep) struct store *other = NULL;
	assert_no_error(store_open("sqlite:other.db", STORE_CREATE, &other));
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct fleet_batch batch;
		char long_id[80];
		make_batch(&batch, i + 1, names[i], START);
		snprintf(long_id, sizeof(long_id), "%s %u", names[i], i);
		assert_no_error(fleet_batch_set_id(&batch, long_id));
		struct named_profile *profile = &batch.profile;
		profile->events[0].name = fixture_string(profile, names[i]);
		profile->functions[0].name = fixture_string(profile, names[i]);
		uint32_t with_nul;
		assert_no_error(string_table_intern_n(&profile->strings, "a\0b", 3, &with_nul));
		profile->functions[1].name = with_nul;
		assert_no_error(
			fleet_batch_set_label(&batch, *names[i] ? names[i] : "x", names[i]));
		assert_int_equal(put(store, &batch, 1).num_stored, 1);
		assert_int_equal(put(store, &batch, 1).num_known, 1);
		assert_int_equal(put(other, &batch, 1).num_stored, 1);
		const struct fleet_label label = {(char *)(*names[i] ? names[i] : "x"),
						  (char *)names[i]};
		const struct store_query query = {
			.service = names[i], .labels = &label, .num_labels = 1};
		assert_int_equal(weight_in(store, &query), weight_of(&batch, 1));
		const struct store_query event = {.service = names[i], .event = names[i]};
		assert_int_equal(weight_in(store, &event), weight_in(other, &event));
		fleet_batch_deinit(&batch);
	}
	check_same(store, other);
}

/** As if the server had died between the windows and what is written after them. */
static void test_windows_that_were_written_twice_count_once(void **state)
{
	struct fleet_batch batches[NUM_BATCHES];
	make_batches(batches);
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	for (int round = 0; round < 3; round++) {
		assert_int_equal(put(store, batches, NUM_BATCHES).num_stored, NUM_BATCHES);
		run("DROP TABLE $.batches;");
		run("CREATE TABLE $.batches(day UInt32, batch FixedString(16), start UInt64)"
		    " ENGINE = ReplacingMergeTree PARTITION BY day ORDER BY batch;");
		assert_int_equal(batches_in(store), NUM_BATCHES);
		assert_int_equal(weight_in(store, &(struct store_query){0}),
				 weight_of(batches, NUM_BATCHES));
	}
	assert_no_error(store->ops->retain(store, START + 60 * MINUTE, 0));
	assert_int_equal(weight_in(store, &(struct store_query){0}),
			 weight_of(batches, NUM_BATCHES));
	free_batches(batches, NUM_BATCHES);
}

/** Windows of two days are two parts: neither is there before both are. */
static void test_a_put_of_several_days_is_whole_or_none(void **state)
{
	struct fleet_batch batches[2];
	const uint64_t midnight = START - START % STORE_DAY_NS;
	make_batch(&batches[0], 1, "shop", midnight - MINUTE);
	make_batch(&batches[1], 2, "shop", midnight);
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	const struct fleet_batch *list[] = {&batches[1], &batches[0]};
	struct store_put_result result;
	run("DROP TABLE $.commits;");
	error_destroy(store->ops->put(store, list, 2, &result));
	run("CREATE TABLE $.commits(day UInt32, put UInt64) ENGINE = MergeTree PARTITION BY day"
	    " ORDER BY put;");
	assert_int_equal(weight_in(store, &(struct store_query){0}), 0);
	assert_int_equal(batches_in(store), 0);
	assert_no_error(store->ops->put(store, list, 2, &result));
	assert_int_equal(result.num_stored, 2);
	assert_int_equal(weight_in(store, &(struct store_query){0}), weight_of(batches, 2));
	assert_int_equal(batches_in(store), 2);
	// The first day goes, with the windows that did not count.
	assert_no_error(store->ops->retain(store, midnight, 0));
	assert_int_equal(weight_in(store, &(struct store_query){0}), weight_of(batches, 2));
	assert_int_equal(put(store, batches, 2).num_too_old, 1);
	free_batches(batches, 2);
}

/** Sends each batch until it is told that it is stored, as an agent does. */
static void put_all_until_stored(uint32_t first, uint32_t num)
{
	for (uint32_t i = first; i < first + num; i++) {
		struct fleet_batch batch;
		bool is_stored = false;
		make_batch(&batch, i, "shop", START + i * MINUTE / 10);
		while (!is_stored) {
			const struct fleet_batch *list[] = {&batch};
			struct store *store = NULL;
			struct store_put_result result;
			struct error *err = store_open(place, STORE_WRITE, &store);
			if (!err)
				err = store->ops->put(store, list, 1, &result);
			is_stored = !err && result.num_stored + result.num_known == 1;
			error_destroy(err);
			store_close(store);
			// An agent would wait longer before it tries again.
			usleep(is_stored ? 0 : 5000);
		}
		fleet_batch_deinit(&batch);
	}
}

/** Two programs send the same batches while the server is killed again and again. */
static void test_a_killed_server_has_each_batch_once(void **state)
{
	const unsigned num_rounds = kill_rounds(10);
	// So many that there are some left at the last kill.
	const uint32_t num_sent = 3 * num_rounds;
	struct fleet_batch *batches = calloc(num_sent, sizeof(*batches));
	pid_t children[2];
	assert_non_null(batches);
	store_close(open_store(STORE_CREATE));
	for (size_t i = 0; i < 2; i++) {
		children[i] = fork();
		if (!children[i]) {
			put_all_until_stored(1, num_sent);
			_exit(0);
		}
	}
	for (unsigned round = 0; round < num_rounds; round++) {
		// Not a wait for anything: the kill shall hit any step of a put.
		usleep(60000 + 37919 * round % 90000);
		clickhouse_fixture_kill(&server);
		clickhouse_fixture_start(&server);
	}
	for (size_t i = 0; i < 2; i++) {
		int status;
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	for (uint32_t i = 0; i < num_sent; i++)
		make_batch(&batches[i], i + 1, "shop", START + (i + 1) * MINUTE / 10);
	_cleanup_(store_closep) struct store *store = open_store(STORE_READ);
	assert_int_equal(batches_in(store), num_sent);
	assert_int_equal(weight_in(store, &(struct store_query){0}), weight_of(batches, num_sent));
	print_message("%u kills, %u batches stored once\n", num_rounds, num_sent);
	free_batches(batches, num_sent);
	free(batches);
}

static void check_refused(const char *address, enum store_access access, const char *message,
			  const char *hint)
{
	struct store *store;
	struct error *err = store_open(address, access, &store);
	assert_non_null(err);
	if (!strstr(err->message, message) || !err->hint || !strstr(err->hint, hint))
		fail_msg("%s\nhint: %s", err->message, err->hint);
	error_destroy(err);
}

static void test_errors_say_what_to_do(void **state)
{
	char address[120];
	check_refused(place, STORE_READ, "Code: 81", "'wperf serve --init --store PLACE' makes it");
	run("CREATE DATABASE $;");
	check_refused(place, STORE_READ, "Code: 60",
		      "'wperf serve --init --store PLACE' makes its tables");
	for (int round = 0; round < 2; round++) {
		struct store *store = open_store(STORE_INIT);
		assert_int_equal(store->versions.before, round ? store->versions.now : 0);
		assert_true(store->versions.now > 0);
		store_close(store);
	}
	snprintf(address, sizeof(address), "clickhouse://nobody:x@127.0.0.1:%u/%s", server.port,
		 database);
	check_refused(address, STORE_READ, "Code: 192", "give user and password");
	snprintf(address, sizeof(address), "clickhouse://reader:wrong@127.0.0.1:%u/%s", server.port,
		 database);
	check_refused(address, STORE_READ, "Code: 193", "give user and password");
	check_refused("clickhouse://127.0.0.1:1/db", STORE_READ,
		      "cannot reach the store 'clickhouse://127.0.0.1:1/db'",
		      "check that clickhouse-server runs");
	run("INSERT INTO $.facts VALUES ('version', 99);");
	check_refused(place, STORE_CREATE, "has version 99 of the tables", "newer wperf");
}

/** Late windows, also twice, while others sum up: at every moment the answer has all of them. */
static void test_sums_of_hours_are_exact_whatever_comes_late(void **state)
{
	enum { HALF = NUM_BATCHES / 2 };
	struct fleet_batch batches[NUM_BATCHES];
	pid_t children[2];
	make_batches(batches);
	// The second half comes late: it is of the same hours.
	for (size_t i = 0; i < HALF; i++)
		batches[HALF + i].start_ns = batches[i].start_ns + MINUTE;
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	_cleanup_(store_closep) struct store *other = NULL;
	assert_no_error(store_open("sqlite:other.db", STORE_CREATE, &other));
	for (size_t i = 0; i < ARRAY_SIZE(children); i++) {
		children[i] = fork();
		if (children[i])
			continue;
		struct store *own = open_store(STORE_WRITE);
		for (;; usleep(20000))
			error_destroy(own->ops->roll_up(own, UINT64_MAX));
	}
	for (size_t first = 0; first < NUM_BATCHES; first += HALF) {
		put(store, &batches[first], HALF);
		put(other, &batches[first], HALF);
		run("DROP TABLE $.batches;");
		run("CREATE TABLE $.batches(day UInt32, batch FixedString(16), start UInt64)"
		    " ENGINE = ReplacingMergeTree PARTITION BY day ORDER BY batch;");
		put(store, &batches[first], HALF);
		check_same(store, other);
	}
	for (size_t i = 0; i < ARRAY_SIZE(children); i++) {
		kill(children[i], SIGKILL);
		waitpid(children[i], NULL, 0);
	}
	assert_no_error(store->ops->roll_up(store, UINT64_MAX));
	assert_no_error(other->ops->roll_up(other, UINT64_MAX));
	check_same(store, other);
	// The answer is that of the sums, and not of windows.
	run("ALTER TABLE $.windows CLEAR COLUMN stacks IN PARTITION 19675;"
	    "ALTER TABLE $.windows CLEAR COLUMN counts IN PARTITION 19675;"
	    "ALTER TABLE $.windows CLEAR COLUMN extras IN PARTITION 19675;");
	assert_int_equal(weight_in(store, &(struct store_query){0}),
			 weight_in(other, &(struct store_query){0}));
	free_batches(batches, NUM_BATCHES);
}

static bool is_gone(void *data)
{
	return ++*(unsigned *)data > 2;
}

/** Not only its answer is given up: the server is told to end it. */
static void test_a_query_ends_with_the_patience(void **state)
{
	_cleanup_(string_builder_deinit) struct string_builder endless = STRING_BUILDER_INIT;
	_cleanup_(clickhouse_place_deinit) struct clickhouse_place parsed = {0};
	struct clickhouse_server asked;
	struct clickhouse_answer answer;
	unsigned num_calls = 0;
	char *found = NULL;
	string_builder_append(&endless, "SELECT count() FROM system.numbers WHERE number < 0");
	assert_no_error(clickhouse_place_parse(strchr(place, ':') + 1, false, &parsed));
	run("CREATE DATABASE $;");
	assert_no_error(clickhouse_server_open(&asked, &parsed));
	asked.patience = (struct store_patience){
		.limit_ns = 300000000,
		.until_ns = clock_ns(CLOCK_MONOTONIC) + 300000000,
	};
	assert_error(clickhouse_server_ask(&asked, &endless, &answer), ERROR_LATE,
		     "the query took longer than 0.3 s");
	asked.patience = (struct store_patience){.is_gone = is_gone, .data = &num_calls};
	assert_error(clickhouse_server_ask(&asked, &endless, &answer), ERROR_CANCELLED,
		     "nobody waits for the answer any more");
	for (unsigned i = 0; !found || strcmp(found, "0\n") != 0; i++) {
		assert_true(i < 1000);
		free(found);
		usleep(10000);
		clickhouse_fixture_ask(&server, "",
				       "SELECT count() FROM system.processes WHERE"
				       " query LIKE '%system.numbers%' AND query"
				       " NOT LIKE '%processes%'",
				       &found);
	}
	free(found);
	clickhouse_server_deinit(&asked);
}

static void test_a_reader_may_read_and_not_write(void **state)
{
	char address[120];
	struct fleet_batch batch;
	struct store *reader;
	struct store_put_result result;
	make_batch(&batch, 1, "shop", START);
	struct store *store = open_store(STORE_CREATE);
	put(store, &batch, 1);
	store_close(store);
	snprintf(address, sizeof(address), "clickhouse://reader:a%%20b:c%%40d@127.0.0.1:%u/%s",
		 server.port, database);
	assert_no_error(store_open(address, STORE_READ, &reader));
	assert_int_equal(weight_in(reader, &(struct store_query){0}), weight_of(&batch, 1));
	const struct fleet_batch *list[] = {&batch};
	assert_no_error(fleet_batch_set_id(&batch, "another"));
	struct error *err = reader->ops->put(reader, list, 1, &result);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "Code: 164"));
	assert_non_null(strstr(err->hint, "may only read"));
	error_destroy(err);
	store_close(reader);
	fleet_batch_deinit(&batch);
}

static void check_damage(const char *damage, const char *message)
{
	struct fleet_batch batch;
	struct named_profile profile;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	make_batch(&batch, 1, "shop", START);
	_cleanup_(store_closep) struct store *store = open_store(STORE_CREATE);
	put(store, &batch, 1);
	run(damage);
	string_builder_appendf(&text, "the store '%s' is damaged: %s", place, message);
	assert_error(store->ops->query(store, &(struct store_query){0}, &profile), ERROR_FAILED,
		     string_builder_peek(&text));
	run("DROP DATABASE $;");
	fleet_batch_deinit(&batch);
}

static void test_damage_is_an_error(void **state)
{
	check_damage("ALTER TABLE $.stacks DROP PARTITION tuple();", "a stack is missing");
	check_damage("ALTER TABLE $.frames DROP PARTITION tuple();", "a frame is missing");
	check_damage("CREATE TABLE $.others AS $.frames; INSERT INTO $.others SELECT frame, name,"
		     " linkage_name, has_module, module_name, module_path, build_id,"
		     " function_file, function_line, toUInt8(9), file, line, flags, address"
		     " FROM $.frames; DROP TABLE $.frames; RENAME TABLE $.others TO $.frames;",
		     "a function's kind is out of range");
	check_damage("CREATE TABLE $.others AS $.stacks; INSERT INTO $.others SELECT service,"
		     " stack, toUInt8(200), frames FROM $.stacks; DROP TABLE $.stacks;"
		     " RENAME TABLE $.others TO $.stacks;",
		     "a stack's traits are out of range");
}

static void test_addresses(void **state)
{
	static const struct {
		const char *text, *url, *user, *password, *name, *cluster;
	} right[] = {
		{"//host/db", "http://host:8123/", NULL, NULL, "clickhouse://host:8123/db", NULL},
		{"//u:p?@host/db?cluster=c-1_x", "http://host:8123/", "u", "p?",
		 "clickhouse://host:8123/db?cluster=c-1_x", "c-1_x"},
		{"//u:p@h-1.x:9/db_2", "http://h-1.x:9/", "u", "p", "clickhouse://h-1.x:9/db_2",
		 NULL},
		{"//u%40:%3A%2f@[::1]:9/db", "http://[::1]:9/", "u@", ":/",
		 "clickhouse://[::1]:9/db", NULL},
	};
	static const char *const wrong[] = {
		"",
		"host/db",
		"//host",
		"//host/",
		"//host/a b",
		"//host/db?x",
		"//a b/db",
		"///db",
		"//h/1db",
		"//u%0d%0aX:p@h/db",
		"//u%zz@h/db",
		"//h/db;DROP",
		"//h/d'b",
		"//u:%1@h/d",
		"//h/d?cluster=",
		"//h/d?cluster=a'b",
		"//h/d?",
		"//h/?cluster=c",
		"//h/d?cluster=c&x=1",
		"//h/d?clust",
	};
	struct clickhouse_place parsed;
	for (size_t i = 0; i < ARRAY_SIZE(right); i++) {
		assert_no_error(clickhouse_place_parse(right[i].text, false, &parsed));
		assert_string_equal(parsed.url, right[i].url);
		assert_string_equal(parsed.name, right[i].name);
		assert_string_equal(parsed.user ? parsed.user : "-",
				    right[i].user ? right[i].user : "-");
		assert_string_equal(parsed.password ? parsed.password : "-",
				    right[i].password ? right[i].password : "-");
		assert_string_equal(parsed.cluster ? parsed.cluster : "-",
				    right[i].cluster ? right[i].cluster : "-");
		clickhouse_place_deinit(&parsed);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct error *err = clickhouse_place_parse(wrong[i], false, &parsed);
		if (!err)
			fail_msg("'%s' is an address", wrong[i]);
		assert_int_equal(err->code, ERROR_USAGE);
		error_destroy(err);
	}
	assert_no_error(clickhouse_place_parse("//h/db", true, &parsed));
	assert_string_equal(parsed.url, "https://h:8443/");
	clickhouse_place_deinit(&parsed);
}

static void test_what_a_server_says_is_quoted(void **state)
{
	static const struct {
		const char *text, *message, *hint;
	} answers[] = {
		{"Code: 243, e.displayText() = DB::Exception: Cannot reserve 1.00 MiB,\x1b[31m x\n",
		 "cannot use the store 'n': Code: 243, e.displayText() = DB::Exception: Cannot "
		 "reserve 1.00 MiB, [31m x (HTTP status 500)",
		 "the server's disk is full: drop old windows with 'wperf store trim'"},
		// As 18.16 says it of a file system without room.
		{"Code: 75, e.displayText() = DB::ErrnoException: Cannot write to file counts.bin,"
		 " errno: 28, strerror: No space left on device",
		 NULL,
		 "the server cannot write to its disk; if it is full, 'wperf store trim' drops old "
		 "windows"},
		{"Code: 242, x", "cannot use the store 'n': Code: 242, x (HTTP status 500)",
		 "the replica has no connection to ZooKeeper: see the server's log"},
		{"", "cannot use the store 'n':  (HTTP status 500)", NULL},
		{"Code: 99999999999999999999", NULL, NULL},
	};
	const struct clickhouse_server named = {.place = {.name = (char *)"n"}};
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		struct error *err = clickhouse_server_error(&named, 500, answers[i].text,
							    strlen(answers[i].text));
		if (answers[i].message)
			assert_string_equal(err->message, answers[i].message);
		assert_string_equal(err->hint ? err->hint : "-",
				    answers[i].hint ? answers[i].hint : "-");
		error_destroy(err);
	}
}

static int enter(void **state)
{
	static unsigned number;
	snprintf(database, sizeof(database), "test_%u", ++number);
	snprintf(place, sizeof(place), "clickhouse://127.0.0.1:%u/%s", server.port, database);
	return scratch_folder_enter(state);
}

static int start(void **state)
{
	clickhouse_fixture_create(&server);
	return 0;
}

static int end(void **state)
{
	clickhouse_fixture_destroy(&server);
	return 0;
}

int clickhouse_tests(void)
{
#define LIVE_TEST(test) cmocka_unit_test_setup_teardown(test, enter, scratch_folder_leave)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_what_a_server_says_is_quoted),
	};
	const struct CMUnitTest missing[] = {cmocka_unit_test(clickhouse_fixture_is_missing)};
	const struct CMUnitTest live[] = {
		LIVE_TEST(test_both_engines_answer_alike_to_the_byte),
		LIVE_TEST(test_a_second_key_changes_no_answer),
		LIVE_TEST(test_sums_that_do_not_fit_are_the_largest_number),
		LIVE_TEST(test_names_may_be_any_bytes),
		LIVE_TEST(test_windows_that_were_written_twice_count_once),
		LIVE_TEST(test_a_put_of_several_days_is_whole_or_none),
		LIVE_TEST(test_a_killed_server_has_each_batch_once),
		LIVE_TEST(test_sums_of_hours_are_exact_whatever_comes_late),
		LIVE_TEST(test_a_query_ends_with_the_patience),
		LIVE_TEST(test_errors_say_what_to_do),
		LIVE_TEST(test_a_reader_may_read_and_not_write),
		LIVE_TEST(test_damage_is_an_error),
	};
	int num_failed = cmocka_run_group_tests_name("clickhouse", tests, NULL, NULL);
	if (!clickhouse_fixture_is_possible())
		return num_failed +
		       cmocka_run_group_tests_name("clickhouse server", missing, NULL, NULL);
	return num_failed + cmocka_run_group_tests_name("clickhouse server", live, start, end);
}
