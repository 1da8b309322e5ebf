// SPDX-License-Identifier: Apache-2.0

#include "source/source_settings.h"

#include "source/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static const struct setting_rule rules[] = {
	{"cores", SETTING_NUMBER, 1, 128, ""},
	{"cpu", SETTING_TEXT, 0, 0, ""},
	{NULL, SETTING_TEXT, 0, 0, NULL},
};
static const struct source_ops ops = {.traits = {.name = "toy", .settings = rules}};

static void settings_are_taken_apart(void **state)
{
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	assert_no_error(source_settings_parse("cpu=a,cores=0x10,cpu=b", &ops, &settings));
	assert_int_equal(source_settings_number(&settings, "cores", 8), 16);
	assert_string_equal(source_settings_text(&settings, "cpu", "z"), "b"); // the last counts
}

static void defaults_are_the_askers(void **state)
{
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	assert_no_error(source_settings_parse("", &ops, &settings));
	assert_int_equal(source_settings_number(&settings, "cores", 8), 8);
	assert_string_equal(source_settings_text(&settings, "cpu", "z"), "z");
}

static void wrong_settings_are_explained(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"cors=1", "source 'toy' has no setting 'cors'"},
		{"cores", "setting 'cores' of source 'toy' has no value"},
		{"cores=0", "invalid setting cores=0"},
		{"cores=129", "invalid setting cores=129"},
		{"cores=-1", "invalid setting cores=-1"},
		{"cores=1x,cpu=a", "invalid setting cores=1x"},
		{"cpu=a,,cores=1", "setting '' of source 'toy' has no value"},
		{"=1", "source 'toy' has no setting ''"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct source_settings settings = SOURCE_SETTINGS_INIT;
		assert_error(source_settings_parse(cases[i].text, &ops, &settings), ERROR_USAGE,
			     cases[i].message);
		assert_int_equal(settings.num_items, 0);
	}
}

static void sources_are_selected_by_name(void **state)
{
	const struct source_ops *selected;
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	assert_no_error(source_select("sim,cores=2", &selected, &settings));
	assert_string_equal(selected->traits.name, "sim");
	assert_int_equal(source_settings_number(&settings, "cores", 0), 2);

	struct source_settings none = SOURCE_SETTINGS_INIT;
	assert_no_error(source_select(NULL, &selected, &none));
	assert_ptr_equal(selected, all_sources[0]);
	assert_no_error(source_select("", &selected, &none));
	assert_ptr_equal(selected, all_sources[0]);

	_cleanup_(error_destroyp) struct error *err = source_select("simm", &selected, &none);
	assert_string_equal(err->message, "unknown source 'simm'");
	assert_non_null(strstr(err->hint, "'sim'"));
}

int source_settings_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_are_taken_apart),
		cmocka_unit_test(defaults_are_the_askers),
		cmocka_unit_test(wrong_settings_are_explained),
		cmocka_unit_test(sources_are_selected_by_name),
	};
	return cmocka_run_group_tests_name("source_settings", tests, NULL, NULL);
}
