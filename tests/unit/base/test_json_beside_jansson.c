// SPDX-License-Identifier: Apache-2.0
// Our JSON reader says of a text what jansson says of it: the same values, or that it is none.

#include "base/container/array.h"
#include "base/file/file_map.h"
#include "base/text/json_document.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/shared_data.h"

static const json_type types[] = {
	[JSON_VALUE_NULL] = JSON_NULL,   [JSON_VALUE_FALSE] = JSON_FALSE,
	[JSON_VALUE_TRUE] = JSON_TRUE,   [JSON_VALUE_INTEGER] = JSON_INTEGER,
	[JSON_VALUE_REAL] = JSON_REAL,   [JSON_VALUE_STRING] = JSON_STRING,
	[JSON_VALUE_ARRAY] = JSON_ARRAY, [JSON_VALUE_OBJECT] = JSON_OBJECT,
};

static bool is_equal(const struct json_value *ours, const json_t *theirs);

static bool is_equal_object(const struct json_value *ours, const json_t *theirs)
{
	if (ours->num_items != json_object_size(theirs))
		return false;
	for (uint32_t i = 0; i < ours->num_items; i++) {
		const struct json_member *member = &ours->members[i];
		const json_t *other = json_object_get(theirs, member->name);
		if (!other || !is_equal(&member->value, other) ||
		    json_value_member(ours, member->name) != &member->value)
			return false;
	}
	return true;
}

static bool is_equal_array(const struct json_value *ours, const json_t *theirs)
{
	if (ours->num_items != json_array_size(theirs))
		return false;
	for (uint32_t i = 0; i < ours->num_items; i++)
		if (!is_equal(&ours->items[i], json_array_get(theirs, i)))
			return false;
	return true;
}

static bool is_equal(const struct json_value *ours, const json_t *theirs)
{
	if (types[ours->type] != json_typeof(theirs))
		return false;
	switch (ours->type) {
	case JSON_VALUE_INTEGER:
		return ours->integer == json_integer_value(theirs);
	case JSON_VALUE_REAL:
		return ours->real == json_real_value(theirs);
	case JSON_VALUE_STRING:
		return !strcmp(ours->string, json_string_value(theirs));
	case JSON_VALUE_ARRAY:
		return is_equal_array(ours, theirs);
	case JSON_VALUE_OBJECT:
		return is_equal_object(ours, theirs);
	default:
		return true;
	}
}

/** Was the text taken? */
static bool compare(const char *text, size_t size)
{
	_cleanup_(json_document_deinit) struct json_document ours = JSON_DOCUMENT_INIT;
	_cleanup_(error_destroyp) struct error *err =
		json_document_parse(&ours, "a.json", text, size);
	json_error_t error;
	json_t *theirs = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	bool is_taken = theirs;
	if (is_taken != !err || (theirs && !is_equal(ours.root, theirs)))
		fail_msg("ours: %s, theirs: %s: %.*s", err ? err->message : "taken",
			 theirs ? "taken" : error.text, (int)size, text);
	json_decref(theirs);
	return is_taken;
}

static uint64_t next_random(uint64_t *random)
{
	*random ^= *random >> 12;
	*random ^= *random << 25;
	*random ^= *random >> 27;
	return (*random * 0x2545f4914f6cdd1d) >> 32;
}

// Half of the bytes that are put in have a meaning in JSON. None is NUL, which jansson passes over.
static char random_byte(uint64_t *random)
{
	static const char bytes[] = "{}[]\",:\\/-+.0123456789eEutrfn \n\xc3\xa9\xed\xa0";
	uint64_t number = next_random(random);
	return number & 1 ? bytes[(number >> 1) % (sizeof(bytes) - 1)]
			  : (char)(1 + (number >> 1) % 255);
}

static void mutate(char *text, size_t *size, uint64_t *random)
{
	size_t at = next_random(random) % *size;
	switch (next_random(random) % 3) {
	case 0:
		text[at] = random_byte(random);
		break;
	case 1:
		memmove(text + at, text + at + 1, *size - at - 1);
		--*size;
		break;
	default:
		memmove(text + at + 1, text + at, *size - at);
		text[at] = random_byte(random);
		++*size;
	}
}

/** How many of @count texts that differ from @text in up to @max_changes places are JSON? */
static unsigned compare_mutated(const char *text, size_t size, unsigned count, uint64_t *random)
{
	enum { MAX_CHANGES = 3 };
	_cleanup_free_ char *copy = malloc(size + MAX_CHANGES);
	assert_non_null(copy);
	unsigned taken = 0;
	for (unsigned i = 0; i < count; i++) {
		size_t length = size;
		memcpy(copy, text, size);
		for (uint64_t n = 1 + next_random(random) % MAX_CHANGES; n && length; n--)
			mutate(copy, &length, random);
		taken += compare(copy, length);
	}
	return taken;
}

/** The file as it is, and damaged. */
static void compare_file(const char *path, uint64_t *random)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_no_error(file_map_open(&map, path));
	assert_true(compare(map.data, map.size));
	compare_mutated(map.data, map.size, 20, random);
}

static void test_files(void **state)
{
	static const char *const names[] = {
		"pmu/telemetry-solution/neoverse-n1.json",
		"pmu/telemetry-solution/neoverse-n2.json",
		"pmu/telemetry-solution/neoverse-n3.json",
		"pmu/telemetry-solution/neoverse-v1.json",
		"pmu/telemetry-solution/neoverse-v2.json",
		"pmu/telemetry-solution/neoverse-v3.json",
		"pmu/telemetry-solution/mapping.json",
		"pmu/telemetry-solution/cpu-v1.0.schema.json",
		"spe/spe_parser-packet-vectors.json",
		"perfdata/arm64-simpleperf/perf_with_jit_symbol.gecko.json",
		"wperf/vs-extension/count_05.json",
		"wperf/vs-extension/sample_04.json",
		"wperf/vs-extension/spe_01.json",
	};
	uint64_t random = 20261121;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[512];
		snprintf(path, sizeof(path), "%s/data/%s", WPERF_SHARED_DIR, names[i]);
		skip_without(path);
		compare_file(path, &random);
	}
}

static void test_our_schemas(void **state)
{
	static const char *const names[] = {"dump", "spe"};
	uint64_t random = 20261122;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[512];
		snprintf(path, sizeof(path), "%s/docs/schemas/%s.schema.json", WPERF_SOURCE_DIR,
			 names[i]);
		compare_file(path, &random);
	}
}

static void test_small_texts(void **state)
{
	static const char *const texts[] = {
		"{\"a\": 1, \"b\": [true, false, null], \"c\": {\"d\": -12.5e+3}}",
		"[\"\\u00e9\\ud83d\\ude00\\n\\/\", \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"]",
		"[0, -0, 10, 1e5, 0.25, -9223372036854775808, 9223372036854775807, 1E308]",
		"{\"\": {}, \"x\": [], \"y\": [[[]], {\"z\": \"\"}]}",
		"  \"one\"\r\n\t",
		"-7",
	};
	uint64_t random = 8259;
	unsigned taken = 0;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_true(compare(texts[i], strlen(texts[i])));
		taken += compare_mutated(texts[i], strlen(texts[i]), 20000, &random);
	}
	// Both sides of the fence were seen.
	assert_in_range(taken, 1000, 110000);
}

int json_beside_jansson_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_our_schemas),
		cmocka_unit_test(test_small_texts),
	};
	return cmocka_run_group_tests_name("json_beside_jansson", tests, NULL, NULL);
}
