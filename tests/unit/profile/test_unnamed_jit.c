// SPDX-License-Identifier: Apache-2.0

#include "profile/unnamed_jit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "tests/unit/profile_fixture.h"

/** @count samples in a function of a module, by a thread of its own process. */
static void add(struct named_profile *profile, uint32_t pid, const char *process,
		const char *module, const char *function, uint32_t count)
{
	uint32_t frame =
		fixture_frame(profile,
			      fixture_function(profile, function, fixture_module(profile, module)),
			      0, 64);
	struct named_sample sample = {
		.weight = count,
		.count = count,
		.thread = fixture_thread(profile, pid, pid, process, process),
	};
	assert_no_error(stack_table_intern(&profile->stacks, &frame, 1, &sample.stack));
	assert_no_error(named_profile_add(profile, &sample));
}

static void nothing_is_unnamed_without_made_code(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	assert_true(unnamed_jit_find(&profile).percent == 0);
	add(&profile, 1, "app", "app", "main", 9);
	add(&profile, 1, "app", "app", "[unknown]", 9);
	add(&profile, 1, "node", "[memory]", "hot", 9); // a perf map named it
	assert_true(unnamed_jit_find(&profile).percent == 0);
}

static void runtimes_have_their_advice(void **state)
{
	static const struct {
		const char *process, *module, *memory, *advice;
	} rows[] = {
		{"node", "libc.so.6", "[memory]", "--perf-basic-prof"},
		{"MainThread", "node", "[anon:v8]", "--perf-basic-prof"},
		{"server", "libjvm.so", "[memory]", "DumpPerfMapAtExit"},
		{"dotnet", "app", "memfd:doublemapper", "DOTNET_PerfMapEnabled=1"},
		{"luajit", "app", "[memory]", "LUAJIT_USE_PERFTOOLS"},
		{"own", "own", "[memory]", "perf-PID.map"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(named_profile_deinit) struct named_profile profile;
		assert_no_error(named_profile_init(&profile));
		add(&profile, 7, rows[i].process, rows[i].memory, "[unknown]", 30);
		add(&profile, 7, rows[i].process, rows[i].module, "work", 10);
		// Another program says nothing of this one.
		add(&profile, 8, "java", "libjvm.so", "work", 80);
		struct unnamed_jit jit = unnamed_jit_find(&profile);
		assert_true(jit.percent == 25);
		assert_non_null(strstr(jit.advice, rows[i].advice));
	}
}

int unnamed_jit_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_unnamed_without_made_code),
		cmocka_unit_test(runtimes_have_their_advice),
	};
	return cmocka_run_group_tests_name("unnamed_jit", tests, NULL, NULL);
}
