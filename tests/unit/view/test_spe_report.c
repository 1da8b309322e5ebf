// SPDX-License-Identifier: Apache-2.0

#include "view/spe_report.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/capture.h"
#include "tests/unit/spe_fixture.h"
#include "view/text/spe_margin.h"

enum { NUM = 1500 };

struct fixture {
	struct spe_sample samples[NUM];
	struct named_profile profile;
	struct spe_report report;
};

static void set_up(struct fixture *fixture, enum spe_topic topic, unsigned by)
{
	fixture->report = (struct spe_report){.profile = &fixture->profile, .topic = topic};
	struct spe_report *report = &fixture->report;
	const struct named_profile *profile = &fixture->profile;
	spe_fixture_profile(&fixture->profile, fixture->samples, NUM);
	assert_no_error(
		spe_list_create(profile, by, spe_topic_order(topic), NULL, &report->places));
	assert_no_error(
		spe_list_create(profile, SPE_BY_ORIGIN, SPE_ORDER_COUNT, NULL, &report->origins));
	assert_no_error(spe_list_create(profile, SPE_BY_OPERATION, SPE_ORDER_COUNT, NULL,
					&report->operations));
	assert_no_error(spe_target_list_create(profile, NULL, &report->targets));
	assert_no_error(line_sharing_create(profile, NULL, &report->sharing));
}

static void tear_down(struct fixture *fixture)
{
	spe_list_deinit(&fixture->report.places);
	spe_list_deinit(&fixture->report.origins);
	spe_list_deinit(&fixture->report.operations);
	spe_target_list_deinit(&fixture->report.targets);
	line_sharing_deinit(&fixture->report.sharing);
	named_profile_deinit(&fixture->profile);
}

static char *print(const struct fixture *fixture, size_t max_rows)
{
	FILE *stream = capture_begin();
	assert_no_error(spe_report_print(&fixture->report, max_rows, stream));
	return capture_end(stream);
}

static void assert_says(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("'%s' is not in:\n%s", wanted, text);
}

static void test_topics_say_what_they_are_about(void **state)
{
	static const char *const words[SPE_NUM_TOPICS][3] = {
		[SPE_TOPIC_SUMMARY] = {"Latency in cycles", "Branches and their targets",
				       "true sharing"},
		[SPE_TOPIC_LATENCY] = {"translation", "256 - 511", "cycles %"},
		[SPE_TOPIC_SOURCE] = {"peer core", "memory (DRAM)", "L1 (L1D)"},
		[SPE_TOPIC_MISS] = {"TLB walk %", "L1 data cache miss", "misaligned"},
		[SPE_TOPIC_BRANCH] = {"mispredicted %", "target in", "did not retire"},
		[SPE_TOPIC_OPERATION] = {"LD GP-REG", "B COND", "stores"},
		[SPE_TOPIC_SHARING] = {"Cache lines shared by threads: 40 of 40", "write",
				       "other core %"},
	};
	for (unsigned topic = 0; topic < SPE_NUM_TOPICS; topic++) {
		static struct fixture storage;
		set_up(&storage, topic, HOT_FUNCTION);
		_cleanup_free_ char *text = print(&storage, 5);
		assert_says(text, "Arm SPE, 1,500 samples: ");
		for (size_t i = 0; i < ARRAY_SIZE(words[topic]); i++)
			assert_says(text, words[topic][i]);
		tear_down(&storage);
	}
}

static void test_what_is_not_shown_is_said(void **state)
{
	static struct fixture fixture;
	set_up(&fixture, SPE_TOPIC_LATENCY, HOT_FUNCTION);
	_cleanup_free_ char *some = print(&fixture, 3);
	assert_says(some, "... and 5 more");
	_cleanup_free_ char *all = print(&fixture, 0);
	assert_null(strstr(all, "more"));
	assert_says(all, "function_7");
	tear_down(&fixture);
}

static void test_lines_have_places(void **state)
{
	static struct fixture fixture;
	set_up(&fixture, SPE_TOPIC_MISS, HOT_LINE);
	_cleanup_free_ char *text = print(&fixture, 0);
	assert_says(text, "app.c:11");
	tear_down(&fixture);
}

static void test_topics_are_found_by_their_names(void **state)
{
	for (unsigned i = 0; i < SPE_NUM_TOPICS; i++)
		assert_int_equal(spe_topic_find(spe_topic_name(i)), i);
	assert_int_equal(spe_topic_find("latencies"), SPE_NUM_TOPICS);
}

static void test_margins_have_one_width(void **state)
{
	static struct fixture fixture;
	set_up(&fixture, SPE_TOPIC_LATENCY, HOT_FUNCTION);
	for (size_t i = 0; i < fixture.report.places.num_rows; i++) {
		FILE *stream = capture_begin();
		spe_margin_print(&fixture.report.places.rows[i].stats, stream);
		_cleanup_free_ char *text = capture_end(stream);
		assert_int_equal(strlen(text), SPE_MARGIN_COLUMNS);
	}
	FILE *stream = capture_begin();
	spe_margin_print(NULL, stream);
	spe_margin_print_head(stream);
	_cleanup_free_ char *text = capture_end(stream);
	assert_int_equal(strlen(text), 2 * (SPE_MARGIN_COLUMNS));
	tear_down(&fixture);
}

int spe_report_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_topics_say_what_they_are_about),
		cmocka_unit_test(test_what_is_not_shown_is_said),
		cmocka_unit_test(test_lines_have_places),
		cmocka_unit_test(test_topics_are_found_by_their_names),
		cmocka_unit_test(test_margins_have_one_width),
	};
	return cmocka_run_group_tests_name("spe_report", tests, NULL, NULL);
}
