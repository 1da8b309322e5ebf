// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_session.h"

#include "source/etw/etw_rights.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/etw/fake_etw.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/source/etw_place.h"

struct machine {
	struct etw_place place;
	struct fake_etw fake, before;
	struct etw_calls calls;
};

static void machine_init(struct machine *machine)
{
	etw_place_init(&machine->place);
	fake_etw_init(&machine->fake);
	// What another profiler set.
	machine->fake.machine.sampled[0] = 8;
	machine->fake.machine.num_sampled = 1;
	machine->before = machine->fake;
	machine->calls = fake_etw_calls(&machine->fake);
}

static void machine_deinit(struct machine *machine)
{
	fake_etw_deinit(&machine->fake);
	etw_place_deinit(&machine->place);
}

/** Nothing tells that there was a session. */
static void assert_untouched(struct machine *machine)
{
	assert_memory_equal(machine->fake.machine.sources, machine->before.machine.sources,
			    sizeof(machine->before.machine.sources));
	assert_int_equal(machine->fake.machine.num_sampled, 1);
	assert_int_equal(machine->fake.machine.sampled[0], 8);
	assert_int_equal(fake_etw_num_sessions(&machine->fake), 0);
	assert_null(etw_place_journal(&machine->place));
	assert_int_equal(access(machine->place.trace, F_OK), -1);
}

static const struct etw_sampled timer_and_misses[] = {{ETW_SOURCE_TIMER, 1221}, {2, 4096}, {4, 0}};
static const uint32_t counted[] = {6};

static struct etw_session_plan full_plan(const struct machine *machine)
{
	return (struct etw_session_plan){.path = machine->place.trace,
					 .sampled = timer_and_misses,
					 .num_sampled = 3,
					 .counted = counted,
					 .num_counted = 1,
					 .has_switches = true,
					 .has_stacks = true,
					 .caches_stacks = true,
					 .buffer_kb = 128,
					 .num_buffers = 10};
}

static struct error *start(struct machine *machine, const struct etw_session_plan *plan,
			   struct etw_session **ret)
{
	*ret = NULL;
	return etw_session_start(&machine->calls, plan, ret);
}

static void assert_fails(struct error *err, const char *message)
{
	assert_non_null(err);
	if (!strstr(err->message, message))
		fail_msg("'%s' is not in '%s'", message, err->message);
	error_destroy(err);
}

// The order and the arguments of all calls that change something, as reference and documents have
// them: once wrong here, no test finds it before Windows does.
static void test_calls_of_a_session(void **state)
{
	struct machine machine;
	machine_init(&machine);
	struct etw_session_plan plan = full_plan(&machine);
	struct etw_session *session;
	struct etw_session_totals totals;
	assert_null(start(&machine, &plan, &session));
	assert_null(etw_session_flush(session));
	assert_int_equal(access(machine.place.trace, F_OK), 0);
	assert_int_equal(etw_session_interval(session, ETW_SOURCE_TIMER), 1221);
	assert_int_equal(etw_session_interval(session, 2), 4096);
	assert_int_equal(etw_session_interval(session, 4), 65536);
	machine.fake.events_lost = 5;
	assert_null(etw_session_stop(session, &totals));
	assert_int_equal(totals.events_lost, 5);
	assert_int_equal(access(machine.place.trace, F_OK), 0);
	etw_session_destroy(session);
	assert_string_equal(string_builder_peek(&machine.fake.log),
			    "privilege\n"
			    "start 978 1 20000 80 a 28 2000000 1\n"
			    "set 3: ce1dbfb4 4da6137e 593fb087 bc2c10aa 2e 0"
			    " ce1dbfb4 4da6137e 593fb087 bc2c10aa 2f 0"
			    " 3d6fa8d1 11d0fe05 c000da9d 7cbad74f 24 0\n"
			    "set 24: 1 100000 800\n"
			    "set 5: 0 4c5\n"
			    "set 5: 2 1000\n"
			    "set 6: 2 4\n"
			    "set 4: 1000817 400 0 0 0 0 0 0\n"
			    "set 9: 6\n"
			    "set 8: 3d6fa8d1 11d0fe05 c000da9d 7cbad74f 24 0\n"
			    "flush\n"
			    "stop\n"
			    "set 5: 2 10000\n"
			    "set 5: 0 2710\n"
			    "set 6: 8\n");
	assert_untouched(&machine);
	machine_deinit(&machine);
}

// Windows' own intervals, and nothing but the timer: the machine is not changed at all.
static void test_calls_of_a_plain_session(void **state)
{
	struct machine machine;
	machine_init(&machine);
	const struct etw_sampled timer = {ETW_SOURCE_TIMER, 0};
	struct etw_session_plan plan = {.path = machine.place.trace,
					.keeps_file = true,
					.sampled = &timer,
					.num_sampled = 1,
					.buffer_kb = 64,
					.num_buffers = 8};
	struct etw_session *session;
	assert_null(start(&machine, &plan, &session));
	etw_session_destroy(session);
	assert_string_equal(string_builder_peek(&machine.fake.log),
			    "privilege\n"
			    "start 978 1 20000 40 8 20 2000000 1\n"
			    "set 4: 1000007 0 0 0 0 0 0 0\n"
			    "stop\n");
	assert_int_equal(access(machine.place.trace, F_OK), 0);
	unlink(machine.place.trace);
	assert_untouched(&machine);
	machine_deinit(&machine);
}

/** A whole session. Returns its first error. */
static struct error *run(struct machine *machine)
{
	struct etw_session_plan plan = full_plan(machine);
	struct etw_session *session;
	struct etw_session_totals totals;
	struct error *err = start(machine, &plan, &session);
	if (!err)
		err = etw_session_flush(session);
	if (!err)
		err = etw_session_stop(session, &totals);
	etw_session_destroy(session);
	return err;
}

// Each call fails once, with each kind of error: afterwards all is as it was.
static void test_each_call_fails(void **state)
{
	// Not INVALID_PARAMETER: it says that a question is not known.
	static const uint32_t codes[] = {ETW_ERROR_ACCESS_DENIED, ETW_ERROR_ALREADY_EXISTS,
					 ETW_ERROR_NO_RESOURCES, 31};
	struct machine machine;
	machine_init(&machine);
	assert_null(run(&machine));
	uint32_t num_calls = machine.fake.num_calls, num_errors = 0;
	machine_deinit(&machine);
	assert_true(num_calls > 20);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		for (uint32_t at = 1; at <= num_calls; at++) {
			machine_init(&machine);
			machine.fake.fail_at = at;
			machine.fake.fail_code = codes[i];
			struct error *err = run(&machine);
			num_errors += err != NULL;
			error_destroy(err);
			assert_untouched(&machine);
			machine_deinit(&machine);
		}
	}
	// All but what can be done without: the interval of a source that is only listed, owners...
	assert_true(num_errors > num_calls * 5 / 2);
}

// From some call on nothing works any more, not even setting things back: what is left is in the
// journal, and is undone when calls work again.
static void test_all_calls_fail(void **state)
{
	struct machine machine;
	machine_init(&machine);
	assert_null(run(&machine));
	uint32_t num_calls = machine.fake.num_calls, num_dirty = 0;
	machine_deinit(&machine);
	for (uint32_t at = 1; at <= num_calls; at++) {
		machine_init(&machine);
		machine.fake.fail_at = at;
		machine.fake.fail_code = ETW_ERROR_ACCESS_DENIED;
		machine.fake.fails_on = true;
		error_destroy(run(&machine));
		machine.fake.fail_at = 0;
		num_dirty += fake_etw_num_sessions(&machine.fake) > 0;
		_cleanup_(string_builder_deinit) struct string_builder lines = STRING_BUILDER_INIT;
		struct etw_calls calls = machine.calls;
		calls.pid = 77;
		machine.fake.is_dead = true;
		assert_null(etw_session_clean(&calls, &lines, &lines));
		assert_untouched(&machine);
		machine_deinit(&machine);
	}
	assert_true(num_dirty > 5);
}

static void test_refusals(void **state)
{
	struct machine machine;
	machine_init(&machine);
	struct etw_session_plan plan = full_plan(&machine);
	struct etw_session *session;

	machine.fake.has_no_privilege = true;
	struct error *err = start(&machine, &plan, &session);
	assert_non_null(err);
	assert_string_equal(err->message, "cannot record kernel events: this user lacks the "
					  "privilege to profile system performance (error 1300)");
	assert_non_null(strstr(err->hint, "as administrator"));
	error_destroy(err);
	machine.fake.has_no_privilege = false;

	machine.fake.machine.max_counters = 2; // three sources of the CPU are asked for
	assert_fails(start(&machine, &plan, &session),
		     "3 events at once, but Windows counts at most 2 here");
	machine.fake.is_old = true; // Windows does not say
	assert_null(start(&machine, &plan, &session));
	etw_session_destroy(session);
	machine.fake.is_old = false;
	machine.fake.machine.max_counters = 4;

	const struct etw_sampled fast = {ETW_SOURCE_TIMER, 1220}, unknown = {5, 0};
	plan.num_sampled = 1;
	plan.sampled = &fast;
	assert_fails(start(&machine, &plan, &session),
		     "'Timer' accepts intervals from 1221 to 1000000, not 1220");
	plan.sampled = &unknown;
	assert_fails(start(&machine, &plan, &session), "no profile source 5 here");
	assert_untouched(&machine);

	plan = full_plan(&machine);
	machine.fake.machine.owners[1] = (struct etw_counter_owner){ETW_OWNER_SOURCE, 4, 0};
	machine.fake.machine.num_owners = 2;
	assert_fails(start(&machine, &plan, &session),
		     "another program counts or samples 'LoadInstructions'");
	assert_untouched(&machine);
	machine_deinit(&machine);
}

static void test_file_that_exists(void **state)
{
	struct machine machine;
	machine_init(&machine);
	struct etw_session_plan plan = full_plan(&machine);
	struct etw_session *session;
	fclose(fopen(machine.place.trace, "w"));
	assert_fails(start(&machine, &plan, &session), "exists already");
	assert_int_equal(access(machine.place.trace, F_OK), 0);
	unlink(machine.place.trace);
	assert_untouched(&machine);
	machine_deinit(&machine);
}

// Two at the same time: the second one's session has another GUID, and an interval that the first
// one changed is not to be had.
static void test_two_sessions(void **state)
{
	struct machine machine;
	machine_init(&machine);
	struct etw_session_plan plan = full_plan(&machine);
	struct etw_session *first, *second;
	assert_null(start(&machine, &plan, &first));

	struct etw_calls other = machine.calls;
	other.pid = 77;
	other.birth = machine.fake.other_birth = 9;
	char path[128];
	snprintf(path, sizeof(path), "%s/wperf-2.etl", machine.place.folder);
	plan.path = path;
	assert_fails(etw_session_start(&other, &plan, &second), "another wperf");
	const struct etw_sampled free_one = {9, 5000};
	plan.sampled = &free_one;
	plan.num_sampled = 1;
	assert_null(etw_session_start(&other, &plan, &second));
	assert_int_equal(fake_etw_num_sessions(&machine.fake), 2);
	etw_session_destroy(second);
	etw_session_destroy(first);
	assert_untouched(&machine);
	machine_deinit(&machine);
}

// Somebody else ended it: that is told, and all the same everything is set back.
static void test_ended_from_outside(void **state)
{
	struct machine machine;
	machine_init(&machine);
	struct etw_session_plan plan = full_plan(&machine);
	struct etw_session *session;
	struct etw_session_totals totals;
	assert_null(start(&machine, &plan, &session));
	memset(machine.fake.machine.sessions, 0, sizeof(machine.fake.machine.sessions));
	assert_fails(etw_session_flush(session), "another program ended the session");
	assert_fails(etw_session_stop(session, &totals), "another program ended the session");
	etw_session_destroy(session);
	assert_untouched(&machine);
	machine_deinit(&machine);
}

int etw_session_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls_of_a_session),
		cmocka_unit_test(test_calls_of_a_plain_session),
		cmocka_unit_test(test_each_call_fails),
		cmocka_unit_test(test_all_calls_fail),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_file_that_exists),
		cmocka_unit_test(test_two_sessions),
		cmocka_unit_test(test_ended_from_outside),
	};
	return cmocka_run_group_tests_name("etw_session", tests, NULL, NULL);
}
