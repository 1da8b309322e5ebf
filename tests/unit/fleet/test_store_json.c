// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/store_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/file/memory_stream.h"

#include "tests/unit/assert_error.h"

static struct error *read_listing(const char *text, struct store_listing *ret)
{
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	assert_no_error(json_document_parse(&document, "a", text, strlen(text)));
	return store_json_read_listing(document.root, ret);
}

static struct error *read_heat(const char *text, struct store_heat *ret)
{
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	assert_no_error(json_document_parse(&document, "a", text, strlen(text)));
	return store_json_read_heat(document.root, ret);
}

/** Names of a fleet may have any bytes but zeros. */
static void test_a_listing_comes_back(void **state)
{
	_cleanup_(store_listing_deinit) struct store_listing listing = {0}, found = {0};
	_cleanup_(memory_stream_deinit) struct memory_stream stream = MEMORY_STREAM_INIT;
	assert_no_error(store_listing_add_service(
		&listing, &(struct store_listed_service){"a \"b\"\n", 1, 2, UINT64_MAX}));
	assert_no_error(store_listing_add_event(
		&listing, &(struct store_listed_event){"", "cycles:u", "events", 5, 1ull << 62}));
	assert_no_error(
		store_listing_add_label(&listing, &(struct store_listed_label){"", "host.name",
									       "w\xc3\xa9"
									       "b"}));
	assert_no_error(memory_stream_open(&stream));
	struct json_writer json = json_writer_create(stream.stream);
	store_json_write_listing(&listing, &json);
	assert_no_error(json_finish(&json, "a"));
	assert_no_error(memory_stream_close(&stream));
	assert_no_error(read_listing(stream.text, &found));
	assert_string_equal(found.services[0].service, "a \"b\"\n");
	assert_int_equal(found.services[0].num_batches, 1);
	assert_int_equal(found.services[0].num_dropped, 2);
	assert_int_equal(found.services[0].num_lost, INT64_MAX);
	assert_string_equal(found.events[0].event, "cycles:u");
	assert_int_equal(found.events[0].end_ns, 1ull << 62);
	assert_string_equal(found.labels[0].value, "w\xc3\xa9"
						   "b");
}

static void test_what_is_missing_is_an_error(void **state)
{
	struct store_listing listing;
	struct store_heat heat;
	assert_error(read_listing("[]", &listing), ERROR_FAILED, "it has no list 'services'");
	assert_error(read_listing("{\"services\": [{\"service\": 7}]}", &listing), ERROR_FAILED,
		     "it has no text 'service'");
	assert_error(read_listing("{\"services\": [{\"service\": \"a\", \"batches\": -1}]}",
				  &listing),
		     ERROR_FAILED, "it has no number 'batches'");
	assert_error(read_heat("{\"start_ns\": 1.5}", &heat), ERROR_FAILED,
		     "it has no number 'start_ns'");
	assert_error(read_heat("{\"start_ns\": 0, \"step_ns\": 0}", &heat), ERROR_FAILED,
		     "its steps have no length");
	assert_error(read_heat("{\"start_ns\": 0, \"step_ns\": 1, \"counts\": [1], "
			       "\"weights\": []}",
			       &heat),
		     ERROR_FAILED, "it has no sums");
	assert_error(read_heat("{\"start_ns\": 0, \"step_ns\": 1, \"counts\": [1], "
			       "\"weights\": [null]}",
			       &heat),
		     ERROR_FAILED, "it has no number 'weights'");
}

int store_json_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_listing_comes_back),
		cmocka_unit_test(test_what_is_missing_is_an_error),
	};
	return cmocka_run_group_tests_name("store_json", tests, NULL, NULL);
}
