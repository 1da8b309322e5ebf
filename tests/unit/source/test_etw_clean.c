// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_mark.h"
#include "source/etw/etw_rights.h"
#include "source/etw/etw_session.h"
#include "source/etw/etw_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/etw/fake_etw.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/source/etw_place.h"

// Process 77, which began at 9, left something; this process cleans.

struct machine {
	struct etw_place place;
	struct fake_etw fake;
	struct etw_calls calls;
};

static void machine_init(struct machine *machine)
{
	etw_place_init(&machine->place);
	fake_etw_init(&machine->fake);
	machine->calls = fake_etw_calls(&machine->fake);
}

static void machine_deinit(struct machine *machine)
{
	fake_etw_deinit(&machine->fake);
	etw_place_deinit(&machine->place);
}

/** @text: of a journal of process 77. */
static void write_journal(const struct machine *machine, const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/wperf", machine->place.folder);
	mkdir(path, 0700);
	mkdir(machine->place.journals, 0700);
	snprintf(path, sizeof(path), "%s/%s", machine->place.journals, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void add_session(struct machine *machine, const char *name)
{
	struct etw_properties properties = {.mode = ETW_MODE_SYSTEM_LOGGER};
	uint16_t wide[ETW_SESSION_NAME_MAX];
	uint64_t handle;
	etw_text_widen(name, wide, ETW_SESSION_NAME_MAX);
	etw_text_widen(machine->place.trace, properties.file, ETW_PATH_MAX);
	properties.guid.a = (uint32_t)strlen(name);
	assert_int_equal(machine->calls.start(machine->calls.context, &handle, wide, &properties),
			 0);
}

static void assert_lines(struct machine *machine,
			 struct error *(*ask)(const struct etw_calls *, struct string_builder *),
			 const char *wanted)
{
	_cleanup_(string_builder_deinit) struct string_builder lines = STRING_BUILDER_INIT;
	assert_no_error(ask(&machine->calls, &lines));
	assert_string_equal(string_builder_peek(&lines), wanted);
}

/** Recordings that stay would be a line. */
static struct error *clean_all(const struct etw_calls *calls, struct string_builder *ret)
{
	return etw_session_clean(calls, ret, ret);
}

static void nothing_is_left_at_first(void **state)
{
	struct machine machine;
	machine_init(&machine);
	assert_lines(&machine, etw_session_ours, "");
	assert_lines(&machine, clean_all, "");
	machine_deinit(&machine);
}

static void all_that_is_left_goes(void **state)
{
	struct machine machine;
	machine_init(&machine);
	struct etw_calls killed = machine.calls;
	killed.pid = 77;
	killed.birth = machine.fake.other_birth = 9;
	struct etw_source source;
	assert_no_error(etw_sources_register(&killed, 0x81, "ld_spec", 100000, &source));
	add_session(&machine, "wperf-77-9-1234");
	add_session(&machine, "of somebody else");
	fake_etw_source(&machine.fake, 0)->interval = 1221;
	char text[512];
	snprintf(text, sizeof(text), "wperf etw 1\nfile %s\ninterval 0 10000\nsampled 2 8\n",
		 machine.place.trace);
	write_journal(&machine, "wperf-77-9-1234.journal", text);

	// As long as it runs, nothing is touched.
	assert_lines(&machine, etw_session_ours, "a session of process 77, which is running\n");
	assert_lines(&machine, clean_all, "");
	assert_int_equal(fake_etw_num_sessions(&machine.fake), 2);
	assert_int_equal(fake_etw_source(&machine.fake, 0)->interval, 1221);

	machine.fake.other_birth = 10; // another process has its number now
	char wanted[1024];
	snprintf(wanted, sizeof(wanted),
		 "a session of process 77, which has ended\n"
		 "the sampling interval of Timer, which was 10000\n"
		 "the list of 2 sampled sources\n"
		 "the file %s\n"
		 "the profile source ld_spec of process 77, which has ended\n",
		 machine.place.trace);
	assert_lines(&machine, etw_session_ours, wanted);
	assert_int_equal(fake_etw_num_sessions(&machine.fake), 2);
	assert_lines(&machine, clean_all, wanted);
	assert_int_equal(fake_etw_num_sessions(&machine.fake), 1);
	assert_int_equal(fake_etw_source(&machine.fake, 0)->interval, 10000);
	assert_int_equal(machine.fake.machine.num_sampled, 2);
	assert_null(fake_etw_source(&machine.fake, source.id));
	assert_int_equal(access(machine.place.trace, F_OK), -1);
	assert_null(etw_place_journal(&machine.place));
	assert_lines(&machine, clean_all, "");
	machine_deinit(&machine);
}

// What Windows has written of a recording is kept; one in which nothing is goes.
static void recordings_stay(void **state)
{
	struct machine machine;
	machine_init(&machine);
	char text[512], path[256], wanted[512];
	snprintf(path, sizeof(path), "%s/wperf-1.etl", machine.place.folder);
	for (int has_bytes = 0; has_bytes < 2; has_bytes++) {
		FILE *file = fopen(path, "w");
		for (int i = 0; has_bytes && i < 4096; i++)
			fputc('x', file);
		fclose(file);
		snprintf(text, sizeof(text), "wperf etw 1\nrecording %s\n", path);
		write_journal(&machine, "wperf-77-9-1.journal", text);
		snprintf(wanted, sizeof(wanted), "the %s %s\n", has_bytes ? "recording" : "file",
			 path);
		assert_lines(&machine, etw_session_ours, wanted);
		snprintf(wanted, sizeof(wanted), "%s%s\n", has_bytes ? "" : "the file ", path);
		assert_lines(&machine, clean_all, wanted);
		assert_int_equal(access(path, F_OK), has_bytes ? 0 : -1);
		assert_null(etw_place_journal(&machine.place));
	}
	unlink(path);
	machine_deinit(&machine);
}

// Whoever may write files of the user writes one for an administrator who cleans.
static void hostile_journals_are_data(void **state)
{
	struct machine machine;
	machine_init(&machine);
	char other[128], text[1024];
	snprintf(other, sizeof(other), "%s/precious.etl", machine.place.folder);
	fclose(fopen(other, "w"));
	snprintf(
		text, sizeof(text),
		"wperf etw 1\nfile %s\ninterval 0 1\ninterval 0 4294967295\ninterval 99 5000\n"
		"interval 0\ninterval x 1\ninterval 2 99999999999\nsampled 99 100000 x\nnothing\n\n"
		"interval 0 9999",
		other);
	write_journal(&machine, "wperf-77-9-1.journal", text);
	write_journal(&machine, "wperf-77-9-2.journal", "interval 0 5000\n");
	write_journal(&machine, "wperf-77-9-3.journal", "");
	write_journal(&machine, "wperf-77-9-4.journal",
		      "wperf etw 1\nfile \ninterval 0 5000\nrestored\n");
	write_journal(&machine, "wperf-77-9-5.journal",
		      "wperf etw 1\nfile //host/share/../wperf-x.etl\n");
	assert_lines(&machine, clean_all, "");
	assert_int_equal(fake_etw_source(&machine.fake, 0)->interval, 10000);
	assert_int_equal(machine.fake.machine.num_sampled, 0);
	assert_int_equal(access(other, F_OK), 0);
	assert_null(etw_place_journal(&machine.place));
	unlink(other);
	machine_deinit(&machine);
}

// More than the list of settings holds, and than is read of a journal.
static void long_journals_have_limits(void **state)
{
	struct machine machine;
	machine_init(&machine);
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append(&text, "wperf etw 1\nsampled");
	for (int i = 0; i < 1000; i++)
		string_builder_append(&text, " 2");
	string_builder_append(&text, "\n");
	for (int i = 0; i < 20000; i++)
		string_builder_append(&text, "interval 0 5000\n");
	write_journal(&machine, "wperf-77-9-1.journal", string_builder_peek(&text));
	_cleanup_(string_builder_deinit) struct string_builder lines = STRING_BUILDER_INIT;
	assert_no_error(clean_all(&machine.calls, &lines));
	assert_int_equal(fake_etw_source(&machine.fake, 0)->interval, 5000);
	assert_int_equal(machine.fake.machine.num_sampled, 64);
	machine_deinit(&machine);
}

static void what_cannot_be_undone_stays_noted(void **state)
{
	struct machine machine;
	machine_init(&machine);
	fake_etw_source(&machine.fake, 0)->interval = 1221;
	write_journal(&machine, "wperf-77-9-1.journal", "wperf etw 1\ninterval 0 10000\n");
	bool has_failed = false;
	for (uint32_t at = 1; at < 20; at++) {
		machine.fake.num_calls = 0;
		machine.fake.fail_at = at;
		machine.fake.fail_code = ETW_ERROR_ACCESS_DENIED;
		machine.fake.fails_on = true;
		_cleanup_(string_builder_deinit) struct string_builder lines = STRING_BUILDER_INIT;
		struct error *err = clean_all(&machine.calls, &lines);
		char *journal = etw_place_journal(&machine.place);
		assert_int_equal(journal == NULL,
				 fake_etw_source(&machine.fake, 0)->interval == 10000);
		has_failed |= err && journal;
		free(journal);
		error_destroy(err);
	}
	assert_true(has_failed);
	assert_int_equal(fake_etw_source(&machine.fake, 0)->interval, 10000);
	machine_deinit(&machine);
}

static void marks_are_read_strictly(void **state)
{
	static const char *const others[] = {"",
					     "wperf-",
					     "wperf-1",
					     "wperf-1-2",
					     "wperf-x-2-",
					     "wperf--2-",
					     "wperf-1--",
					     "wperf-1-g-",
					     "wperf-4294967296-1-",
					     "xwperf-1-2-",
					     "wperf-1-10000000000000000-"};
	struct etw_mark mark;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_null(etw_mark_read(others[i], &mark));
	char text[ETW_MARK_SIZE];
	etw_mark_write((struct etw_mark){UINT32_MAX, UINT64_MAX}, text);
	assert_string_equal(text, "wperf-4294967295-ffffffffffffffff-");
	assert_string_equal(etw_mark_read("wperf-12-ff-a-b", &mark), "a-b");
	assert_int_equal(mark.pid, 12);
	assert_int_equal(mark.birth, 255);
}

int etw_clean_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_left_at_first),
		cmocka_unit_test(all_that_is_left_goes),
		cmocka_unit_test(recordings_stay),
		cmocka_unit_test(hostile_journals_are_data),
		cmocka_unit_test(long_journals_have_limits),
		cmocka_unit_test(what_cannot_be_undone_stays_noted),
		cmocka_unit_test(marks_are_read_strictly),
	};
	return cmocka_run_group_tests_name("etw_clean", tests, NULL, NULL);
}
