// SPDX-License-Identifier: Apache-2.0

#include "session/trigger/trigger_gate.h"
#include "session/trigger/trigger_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_error.h"

static struct trigger_words parse(const char *text)
{
	struct trigger_words words = {0};
	assert_no_error(trigger_words_parse(text, &words));
	return words;
}

static void conditions(void **state)
{
	struct trigger_words words = parse("page-faults>10000/s");
	assert_int_equal(words.kind, TRIGGER_EVENT);
	assert_string_equal(words.name, "page-faults");
	assert_int_equal(words.limit, 10000);
	trigger_words_deinit(&words);
	words = parse("cpu>90%");
	assert_int_equal(words.kind, TRIGGER_CPU);
	assert_int_equal(words.limit, 90);
	trigger_words_deinit(&words);
	words = parse("line:a@b > 5/s@/tmp/fifo");
	assert_int_equal(words.kind, TRIGGER_LINE);
	assert_string_equal(words.name, "a@b > 5/s");
	assert_string_equal(words.from, "/tmp/fifo");
	trigger_words_deinit(&words);
	words = parse("latency>50ms@u:/lib/libx.so:function");
	assert_int_equal(words.kind, TRIGGER_LATENCY);
	assert_string_equal(words.name, "u:/lib/libx.so:function");
	assert_int_equal(words.limit, 50000000);
	trigger_words_deinit(&words);
	words = parse("line:ERROR@3");
	assert_null(words.from);
	assert_int_equal(words.fd, 3);
	trigger_words_deinit(&words);
}

static void what_is_no_condition(void **state)
{
	static const char *const texts[] = {
		"",
		"cpu",
		"cpu>",
		"cpu>90",
		"cpu>90/s",
		"faults>9%",
		">9/s",
		"a>/s",
		"a,b>9/s",
		"{a>9/s",
		"latency>5ms",
		"latency>5ms@",
		"latency>5ms@k:read",
		"latency>0ms@u:/a:b",
		"latency>5x@u:/a:b",
		"latency>@u:/a:b",
		"line:",
		"line:@x",
		"line:text",
		"line:text@",
		"a>-1/s",
		"a>99999999999999999999/s",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct trigger_words words;
		struct error *err = trigger_words_parse(texts[i], &words);
		if (!err)
			print_error("'%s' is one\n", texts[i]);
		assert_non_null(err);
		assert_int_equal(err->code, ERROR_USAGE);
		error_destroy(err);
	}
}

static void once_for_each_crossing(void **state)
{
	struct trigger_gate gate = {0};
	assert_false(trigger_gate_pass(&gate, false, 10, 100));
	assert_true(trigger_gate_pass(&gate, true, 20, 100));
	assert_false(trigger_gate_pass(&gate, true, 500, 100));
	assert_false(trigger_gate_pass(&gate, false, 510, 100));
	assert_true(trigger_gate_pass(&gate, true, 520, 100));
	// Within the pause: fires when that is over, if it is still true then.
	assert_false(trigger_gate_pass(&gate, false, 530, 100));
	assert_false(trigger_gate_pass(&gate, true, 540, 100));
	assert_true(trigger_gate_pass(&gate, true, 620, 100));
	assert_false(trigger_gate_pass(&gate, true, 900, 100));
}

static void a_rate_is_of_the_last_second(void **state)
{
	struct trigger_rate rate = {0};
	double found;
	for (uint64_t i = 0; i < 10; i++)
		assert_false(trigger_rate_add(&rate, i * TRIGGER_RATE_STEP_NS, i * 50, &found));
	for (uint64_t i = 10; i < 50; i++) {
		assert_true(trigger_rate_add(&rate, i * TRIGGER_RATE_STEP_NS, i * 50, &found));
		assert_true(found > 499 && found < 501);
	}
	// A pause of ten seconds: over these.
	assert_true(trigger_rate_add(&rate, 149 * TRIGGER_RATE_STEP_NS, 49 * 50, &found));
	assert_true(found < 1);
	// A scaled count that shrank is no rate beyond all limits.
	assert_true(trigger_rate_add(&rate, 160 * TRIGGER_RATE_STEP_NS, 48 * 50, &found));
	assert_true(found == 0);
}

int trigger_words_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions),
		cmocka_unit_test(what_is_no_condition),
		cmocka_unit_test(once_for_each_crossing),
		cmocka_unit_test(a_rate_is_of_the_last_second),
	};
	return cmocka_run_group_tests_name("trigger_words", tests, NULL, NULL);
}
