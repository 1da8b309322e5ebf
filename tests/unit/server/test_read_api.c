// SPDX-License-Identifier: Apache-2.0
// The handlers of the read API with a store of SQLite: what they answer is what the store says.

#include "base/container/array.h"
#include "base/text/json_document.h"
#include "fleet/otlp/otlp_decoder.h"
#include "fleet/store/store_json.h"
#include "server/query/query_arguments.h"
#include "server/server_answer.h"
#include "server/server_routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/fleet/otlp_fixture.h"
#include "tests/unit/scratch_folder.h"

#define START  (1700000040 * (uint64_t)STORE_SECOND_NS)
#define MINUTE (60 * (uint64_t)STORE_SECOND_NS)

enum { NUM_BATCHES = 6 };

static struct store *make_store(void)
{
	struct store *store;
	assert_no_error(store_open("sqlite:fleet.db", STORE_CREATE, &store));
	for (uint32_t i = 0; i < NUM_BATCHES; i++) {
		char id[32];
		struct fleet_batch batch;
		struct store_put_result result;
		const struct fleet_batch *const list[] = {&batch};
		otlp_fixture_random(&batch, i + 1, 80);
		snprintf(id, sizeof(id), "batch %u", i);
		assert_no_error(fleet_batch_set_id(&batch, id));
		assert_no_error(
			fleet_batch_set_label(&batch, "service.name", i % 2 ? "shop" : "mail"));
		assert_no_error(fleet_batch_set_label(&batch, "version", i < 3 ? "1" : "2 & 3"));
		batch.start_ns = START + i * MINUTE;
		batch.length_ns = MINUTE;
		assert_no_error(store->ops->put(store, list, 1, &result));
		assert_int_equal(result.num_stored, 1);
		fleet_batch_deinit(&batch);
	}
	return store;
}

static struct server_answer ask(struct store *store, server_handler_fn handler,
				const struct server_argument *arguments, size_t num_arguments)
{
	const struct server_call call = {
		.path = "/",
		.arguments = arguments,
		.num_arguments = num_arguments,
		.body_type = "",
		.tenant = "default",
		.store = store,
	};
	struct server_answer answer = {.status = HTTP_OK};
	assert_no_error(handler(&call, &answer));
	assert_false(answer.body.failed);
	return answer;
}

static void assert_refused(struct store *store, server_handler_fn handler, const char *key,
			   const char *value, const char *words)
{
	const struct server_argument argument = {key, value};
	struct server_answer answer = ask(store, handler, &argument, 1);
	assert_int_equal(answer.status, HTTP_BAD_REQUEST);
	assert_non_null(strstr(string_builder_peek(&answer.body), words));
	string_builder_deinit(&answer.body);
}

static struct json_document parse(const struct server_answer *answer)
{
	struct json_document document = JSON_DOCUMENT_INIT;
	assert_int_equal(answer->status, HTTP_OK);
	assert_string_equal(answer->type, "application/json");
	assert_true(answer->may_compress);
	assert_no_error(
		json_document_parse(&document, "answer", answer->body.text, answer->body.length));
	return document;
}

static void test_the_list_is_that_of_the_store(void **state)
{
	_cleanup_(store_closep) struct store *store = make_store();
	_cleanup_(store_listing_deinit) struct store_listing wanted = {0}, found = {0};
	struct server_answer answer = ask(store, answer_list, NULL, 0);
	_cleanup_(json_document_deinit) struct json_document document = parse(&answer);
	assert_no_error(store_json_read_listing(document.root, &found));
	assert_no_error(store->ops->list(store, &wanted));
	assert_int_equal(found.num_services, 2);
	assert_int_equal(found.num_services, wanted.num_services);
	for (size_t i = 0; i < wanted.num_services; i++) {
		assert_string_equal(found.services[i].service, wanted.services[i].service);
		assert_int_equal(found.services[i].num_batches, wanted.services[i].num_batches);
		assert_int_equal(found.services[i].num_dropped, wanted.services[i].num_dropped);
		assert_int_equal(found.services[i].num_lost, wanted.services[i].num_lost);
	}
	assert_int_equal(found.num_events, wanted.num_events);
	for (size_t i = 0; i < wanted.num_events; i++) {
		assert_string_equal(found.events[i].service, wanted.events[i].service);
		assert_string_equal(found.events[i].event, wanted.events[i].event);
		assert_string_equal(found.events[i].unit, wanted.events[i].unit);
		assert_int_equal(found.events[i].first_ns, wanted.events[i].first_ns);
		assert_int_equal(found.events[i].end_ns, wanted.events[i].end_ns);
	}
	assert_int_equal(found.num_labels, wanted.num_labels);
	for (size_t i = 0; i < wanted.num_labels; i++)
		assert_string_equal(found.labels[i].value, wanted.labels[i].value);
	string_builder_deinit(&answer.body);
	assert_refused(store, answer_list, "service", "shop", "takes no arguments");
}

static void test_the_heat_is_that_of_the_store(void **state)
{
	_cleanup_(store_closep) struct store *store = make_store();
	_cleanup_(store_heat_deinit) struct store_heat wanted = {0}, found = {0};
	static const struct server_argument arguments[] = {
		{"service", "shop"}, {"event", "cycles"}, {"step", "60000000000"}};
	struct server_answer answer = ask(store, answer_heat, arguments, ARRAY_SIZE(arguments));
	_cleanup_(json_document_deinit) struct json_document document = parse(&answer);
	const struct store_query query = {.service = "shop", .event = "cycles", .step_ns = MINUTE};
	assert_no_error(store_json_read_heat(document.root, &found));
	assert_no_error(store->ops->heat(store, &query, &wanted));
	assert_true(wanted.num_sums > 2);
	assert_int_equal(found.start_ns, wanted.start_ns);
	assert_int_equal(found.step_ns, wanted.step_ns);
	assert_int_equal(found.num_sums, wanted.num_sums);
	assert_memory_equal(found.sums, wanted.sums, wanted.num_sums * sizeof(*wanted.sums));
	string_builder_deinit(&answer.body);
	assert_refused(store, answer_heat, "service", "shop", "a heat map needs steps");
	assert_refused(store, answer_heat, "step", "1", "at most 527040 steps");
}

static void check_profile(struct store *store, const struct server_argument *arguments,
			  size_t num_arguments, const struct store_query *query)
{
	struct server_answer answer = ask(store, answer_profile, arguments, num_arguments);
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	struct fleet_batch wanted = {.id = (char *)"", .has_times = true};
	assert_int_equal(answer.status, HTTP_OK);
	assert_string_equal(answer.type, "application/x-protobuf");
	assert_no_error(otlp_decoder_decode(answer.body.text, answer.body.length, OTLP_BATCH_ALL,
					    &batches));
	assert_no_error(store->ops->query(store, query, &wanted.profile));
	assert_true(wanted.profile.num_samples > 10);
	wanted.start_ns = wanted.profile.start_wall_ns;
	wanted.length_ns = wanted.profile.duration_ns;
	_cleanup_free_ char *wanted_text = otlp_fixture_describe_text(&wanted);
	_cleanup_free_ char *found_text = otlp_fixture_describe_text(batches.batches);
	assert_string_equal(found_text, wanted_text);
	named_profile_deinit(&wanted.profile);
	string_builder_deinit(&answer.body);
}

static void test_the_profile_is_that_of_the_store(void **state)
{
	_cleanup_(store_closep) struct store *store = make_store();
	const struct fleet_label label = {(char *)"version", (char *)"2 & 3"};
	static const struct server_argument some[] = {
		{"label", "version=2 & 3"},
		{"since", "1700000040000000000"},
		{"until", "@1700000280"},
		{"step", "120000000000"},
	};
	check_profile(store, NULL, 0, &(struct store_query){0});
	check_profile(store, some, ARRAY_SIZE(some),
		      &(struct store_query){.labels = &label,
					    .num_labels = 1,
					    .from_ns = START,
					    .until_ns = START + 4 * MINUTE,
					    .step_ns = 2 * MINUTE});
}

static void test_bad_arguments_are_refused_in_words(void **state)
{
	_cleanup_(store_closep) struct store *store = make_store();
	static const struct {
		const char *key, *value, *words;
	} rows[] = {
		{"sevice", "shop", "unknown argument 'sevice'"},
		{"label", "version", "write KEY=VALUE"},
		{"label", "=1", "write KEY=VALUE"},
		{"since", "noon", "give nanoseconds since 1970"},
		{"since", "", "give nanoseconds since 1970"},
		{"until", "99999999999999999999", "argument 'until': not understood"},
		{"until", "-1", "argument 'until': not understood"},
		{"step", "1m", "60000000000 is a minute"},
		{"step", "0", "60000000000 is a minute"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_refused(store, answer_profile, rows[i].key, rows[i].value, rows[i].words);
	static const struct server_argument twice[] = {{"service", "a"}, {"service", "b"}};
	struct server_answer answer = ask(store, answer_profile, twice, 2);
	assert_int_equal(answer.status, HTTP_BAD_REQUEST);
	assert_string_equal(answer.body.text, "the argument 'service' is there twice\n");
	string_builder_deinit(&answer.body);
}

static void test_arguments_become_a_query(void **state)
{
	static const struct server_argument arguments[] = {
		{"service", ""},         {"event", "cpu-clock"}, {"label", "a=b=c"},
		{"label", "host.name="}, {"since", "2h"},        {"until", "2026-03-01"},
		{"step", "5"},
	};
	struct query_arguments parsed;
	assert_no_error(
		query_arguments_read(arguments, ARRAY_SIZE(arguments), 3 * STORE_HOUR_NS, &parsed));
	assert_string_equal(parsed.query.service, "");
	assert_string_equal(parsed.query.event, "cpu-clock");
	assert_int_equal(parsed.query.num_labels, 2);
	assert_string_equal(parsed.query.labels[0].key, "a");
	assert_string_equal(parsed.query.labels[0].value, "b=c");
	assert_string_equal(parsed.query.labels[1].value, "");
	assert_int_equal(parsed.query.from_ns, STORE_HOUR_NS);
	assert_int_equal(parsed.query.until_ns, 1772323200 * (uint64_t)STORE_SECOND_NS);
	assert_int_equal(parsed.query.step_ns, 5);
	query_arguments_deinit(&parsed);
	assert_no_error(query_arguments_read(NULL, 0, 0, &parsed));
	assert_null(parsed.query.service);
	query_arguments_deinit(&parsed);
}

int read_api_tests(void)
{
#define STORE_TEST(test) \
	cmocka_unit_test_setup_teardown(test, scratch_folder_enter, scratch_folder_leave)
	const struct CMUnitTest tests[] = {
		STORE_TEST(test_the_list_is_that_of_the_store),
		STORE_TEST(test_the_heat_is_that_of_the_store),
		STORE_TEST(test_the_profile_is_that_of_the_store),
		STORE_TEST(test_bad_arguments_are_refused_in_words),
		cmocka_unit_test(test_arguments_become_a_query),
	};
	return cmocka_run_group_tests_name("read_api", tests, NULL, NULL);
}
