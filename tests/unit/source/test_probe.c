// SPDX-License-Identifier: Apache-2.0

#include "source/probe.h"

#include "source/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void findings_are_kept_in_order(void **state)
{
	_cleanup_(probe_deinit) struct probe probe = PROBE_INIT;
	char detail[] = "six counters";
	assert_no_error(probe_add_finding(&probe, "hardware", PROBE_YES, detail, NULL));
	detail[0] = 'X'; // it is a copy
	assert_no_error(probe_add_finding(&probe, "kernel", PROBE_NO, "not permitted", "be root"));
	assert_no_error(probe_add_device(&probe, "msr", "type 9"));
	assert_int_equal(probe.num_findings, 2);
	assert_string_equal(probe.findings[0].detail, "six counters");
	assert_null(probe.findings[0].hint);
	assert_string_equal(probe.findings[1].hint, "be root");
	assert_string_equal(probe.devices[0].hardware, "type 9");
}

static void commands_are_copied_from_errors(void **state)
{
	_cleanup_(probe_deinit) struct probe probe = PROBE_INIT;
	_cleanup_(error_destroyp) struct error *err = error_with_command(
		error_with_hint(error_create(ERROR_FAILED, "no way"), "be root"), "sudo true");
	assert_no_error(probe_add_error(&probe, "kernel", err));
	assert_no_error(probe_add_missing(&probe, "cores", "none", "buy one", NULL));
	assert_int_equal(probe.findings[0].state, PROBE_NO);
	assert_string_equal(probe.findings[0].detail, "no way");
	assert_string_equal(probe.findings[0].hint, "be root");
	assert_string_equal(probe.findings[0].command, "sudo true");
	assert_int_equal(probe.findings[1].state, PROBE_NO);
	assert_null(probe.findings[1].command);
}

/** What cannot be done must come with a way out, or be none of the user's business. */
static void every_no_of_every_source_has_a_reason(void **state)
{
	static const struct source_settings none = SOURCE_SETTINGS_INIT;
	for (const struct source_ops *const *ops = all_sources; *ops; ops++) {
		_cleanup_(probe_deinit) struct probe probe = PROBE_INIT;
		assert_no_error((*ops)->probe(&none, &probe));
		assert_true(probe.num_findings > 0);
		for (size_t i = 0; i < probe.num_findings; i++) {
			assert_true(strlen(probe.findings[i].detail) > 0);
			if (probe.findings[i].state == PROBE_NO)
				assert_non_null(probe.findings[i].hint);
		}
	}
}

int probe_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_are_kept_in_order),
		cmocka_unit_test(commands_are_copied_from_errors),
		cmocka_unit_test(every_no_of_every_source_has_a_reason),
	};
	return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
