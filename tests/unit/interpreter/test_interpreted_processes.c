// SPDX-License-Identifier: Apache-2.0

#include "interpreter/interpreted_processes.h"

#include "base/cleanup.h"
#include "interpreter/python/python_interpreter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

// A made-up interpreter, whose processes have code at the first few addresses, as many as the test
// says: "code 3" at 3. As code is freed, or the process ends, less of it can be read.

enum { LISP_ROW = 1, LISP_BIAS = 0x5000 };

struct lisp_process {
	struct interpreted_process base;
	uint64_t num_codes;
	bool is_on_trial, has_failed;
};

static size_t num_lisp_processes; // that are not destroyed

static bool lisp_may_be_in(const char *path)
{
	return strncmp(path, "/bin/lisp", strlen("/bin/lisp")) == 0;
}

static bool lisp_is_loop_name(const char *symbol)
{
	return strcmp(symbol, "lisp_run") == 0;
}

static struct error *lisp_create(uint64_t num_codes, struct interpreted_process **ret)
{
	struct lisp_process *lisp = calloc(1, sizeof(*lisp));
	assert_non_null(lisp);
	lisp->num_codes = num_codes;
	num_lisp_processes++;
	*ret = &lisp->base;
	return NULL;
}

static struct error *lisp_attach(struct interpreter_context *context, const struct process *process,
				 const struct mapping *mapping, const struct module *module,
				 struct interpreted_process **ret)
{
	(void)context, (void)process;
	if (strstr(module->path, "absent"))
		return error_create(ERROR_ABSENT, "no Lisp in '%s'", module->path);
	if (strstr(module->path, "newer"))
		return error_create(ERROR_FAILED, "this Lisp is too new");
	struct error *err = lisp_create(0, ret);
	(*ret)->loops = 3;
	(*ret)->bias = mapping->start;
	return err;
}

static struct error *lisp_fork(const struct interpreted_process *parent, uint32_t pid,
			       struct interpreted_process **ret)
{
	(void)pid;
	return lisp_create(((const struct lisp_process *)parent)->num_codes, ret);
}

static void lisp_destroy(struct interpreted_process *process)
{
	num_lisp_processes--;
	free(process);
}

static struct error *lisp_check(struct interpreted_process *process, bool *ret_is_decided)
{
	struct lisp_process *lisp = (struct lisp_process *)process;
	*ret_is_decided = lisp->is_on_trial;
	lisp->is_on_trial = false;
	return lisp->has_failed ? error_create(ERROR_FAILED, "its memory is another's") : NULL;
}

static bool lisp_is_trusted(const struct interpreted_process *process)
{
	const struct lisp_process *lisp = (const struct lisp_process *)process;
	return !lisp->is_on_trial && !lisp->has_failed;
}

static struct error *lisp_find(struct interpreted_process *process,
			       const struct interpreted_frame *frames, size_t num_frames,
			       uint64_t *ret)
{
	const struct lisp_process *lisp = (const struct lisp_process *)process;
	for (size_t i = 0; i < num_frames; i++) {
		char name[32];
		snprintf(name, sizeof(name), "code %d", (int)frames[i].code);
		const struct line_image_line line = {.function = name, .file = "a.lisp"};
		ret[i] = CODE_PLACE_NONE;
		if (frames[i].code < lisp->num_codes)
			assert_no_error(code_places_add(process->context->places, &line, &ret[i]));
	}
	return NULL;
}

static const char *const no_folders[] = {NULL};
static const struct language lisp_language = {.name = "Lisp", .package_folders = no_folders};

static const struct interpreter_ops lisp_ops = {
	.language = &lisp_language,
	.is_program = lisp_may_be_in,
	.is_mapped_as = lisp_may_be_in,
	.may_be_in = lisp_may_be_in,
	.is_named_in = lisp_may_be_in,
	.is_loop_name = lisp_is_loop_name,
	.attach = lisp_attach,
	.fork = lisp_fork,
	.destroy = lisp_destroy,
	.check = lisp_check,
	.is_trusted = lisp_is_trusted,
	.find = lisp_find,
};

// In the place of interpreters.c, for all tests of this program.
const struct interpreter_ops *const all_interpreters[] = {
	&python_interpreter_ops,
	[LISP_ROW] = &lisp_ops,
	NULL,
};

struct fixture {
	struct process_table table;
	struct eval_loops loops;
	struct interpreted_processes *processes;
	struct interpreter_change change; // by the last record
};

static void set_up(struct fixture *fixture)
{
	*fixture = (struct fixture){.table = PROCESS_TABLE_INIT, .loops = EVAL_LOOPS_INIT};
	assert_no_error(interpreted_processes_create(&(struct interpreted_extras){.by_task = false},
						     &fixture->loops, &fixture->processes));
	num_lisp_processes = 0;
}

static void tear_down(struct fixture *fixture)
{
	interpreted_processes_destroy(fixture->processes);
	eval_loops_deinit(&fixture->loops);
	process_table_deinit(&fixture->table);
	assert_int_equal(num_lisp_processes, 0);
}

static void note(struct fixture *fixture, const struct record *record)
{
	assert_no_error(process_table_apply(&fixture->table, record));
	assert_no_error(interpreted_processes_note(fixture->processes, &fixture->table, record,
						   &fixture->change));
}

static void map_file(struct fixture *fixture, uint32_t pid, const char *path)
{
	const struct record record = {
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_USER,
		.pid = pid,
		.tid = pid,
		.map = {.start = LISP_BIAS, .length = 0x1000, .path = path, .is_executable = true},
	};
	note(fixture, &record);
}

static void fork_process(struct fixture *fixture, uint32_t parent, uint32_t pid)
{
	const struct record record = {
		.kind = RECORD_FORK,
		.pid = pid,
		.tid = pid,
		.task = {.parent_pid = parent, .parent_tid = parent},
	};
	note(fixture, &record);
}

static void end_thread(struct fixture *fixture, uint32_t pid, uint32_t tid)
{
	const struct record record = {.kind = RECORD_EXIT, .pid = pid, .tid = tid};
	note(fixture, &record);
}

static void name_thread(struct fixture *fixture, uint32_t pid, bool is_exec)
{
	const struct record record = {
		.kind = RECORD_COMM,
		.pid = pid,
		.tid = pid,
		.comm = {.name = "true", .is_exec = is_exec},
	};
	note(fixture, &record);
}

static struct lisp_process *lisp_of(struct fixture *fixture, uint32_t pid)
{
	return (struct lisp_process *)interpreted_processes_find(fixture->processes, pid);
}

/** A process that has run so much code. */
static void start_lisp(struct fixture *fixture, uint32_t pid, uint64_t num_codes)
{
	map_file(fixture, pid, "/bin/lisp");
	lisp_of(fixture, pid)->num_codes = num_codes;
}

static const char *name_of(struct fixture *fixture, uint32_t pid, uint64_t code)
{
	static char name[64]; // until the next call
	const struct interpreted_frame frame = {.code = code};
	uint64_t place;
	uint32_t number;
	assert_no_error(interpreted_process_find(&lisp_of(fixture, pid)->base, &frame, 1, &place));
	struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	assert_no_error(code_places_name(interpreted_processes_places(fixture->processes), place,
					 &profile, &number));
	uint32_t function = profile.frames[number].function;
	snprintf(name, sizeof(name), "%s",
		 named_profile_text(&profile, profile.functions[function].name));
	named_profile_deinit(&profile);
	return name;
}

static void a_mapped_file_shows_the_interpreter(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	map_file(&fixture, 10, "/bin/true");
	assert_null(lisp_of(&fixture, 10));
	map_file(&fixture, 10, "/bin/lisp");
	struct lisp_process *lisp = lisp_of(&fixture, 10);
	assert_non_null(lisp);
	assert_ptr_equal(lisp->base.ops, &lisp_ops);
	assert_true(fixture.change.is_changed);
	assert_ptr_equal(fixture.change.process, lisp);
	map_file(&fixture, 10, "/bin/lisp-library"); // it has its interpreter
	assert_ptr_equal(lisp_of(&fixture, 10), lisp);
	assert_false(fixture.change.is_changed);
	assert_null(lisp_of(&fixture, 11));
}

static void a_child_has_the_interpreter_of_its_parent(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	start_lisp(&fixture, 10, 2);
	fork_process(&fixture, 10, 10); // a thread
	assert_int_equal(num_lisp_processes, 1);
	fork_process(&fixture, 10, 11);
	const struct lisp_process *child = lisp_of(&fixture, 11);
	assert_non_null(child);
	assert_ptr_not_equal(child, lisp_of(&fixture, 10));
	assert_int_equal(child->base.pid, 11);
	assert_int_equal(child->base.loops, 3);
	assert_int_equal(child->base.bias, LISP_BIAS);
	assert_string_equal(name_of(&fixture, 11, 1), "code 1");
	fork_process(&fixture, 99, 100); // its parent has none
	assert_null(lisp_of(&fixture, 100));
}

static void what_a_child_cannot_tell_its_parents_can(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	start_lisp(&fixture, 10, 4);
	fork_process(&fixture, 10, 11);
	fork_process(&fixture, 11, 12);
	lisp_of(&fixture, 11)->num_codes = 2;
	lisp_of(&fixture, 12)->num_codes = 1;
	end_thread(&fixture, 11, 11); // its child may still need it
	assert_null(lisp_of(&fixture, 11));
	assert_string_equal(name_of(&fixture, 12, 0), "code 0");
	assert_string_equal(name_of(&fixture, 12, 1), "code 1");
	assert_string_equal(name_of(&fixture, 12, 3), "code 3");
	assert_int_equal(interpreted_processes_num_unnamed(fixture.processes), 0);
	assert_int_equal(num_lisp_processes, 3);
	end_thread(&fixture, 12, 12);
	assert_int_equal(num_lisp_processes, 1);
}

static void code_that_nobody_can_tell_is_counted(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	start_lisp(&fixture, 10, 1);
	fork_process(&fixture, 10, 11);
	assert_string_equal(name_of(&fixture, 11, 7), "[unknown Lisp]");
	assert_string_equal(name_of(&fixture, 10, 8), "[unknown Lisp]");
	assert_int_equal(interpreted_processes_num_unnamed(fixture.processes), 2);
}

static void a_daemon_that_forks_and_ends_for_ever_is_forgotten(void **state)
{
	enum { FIRST = 10, LAST = 50, MOST_GENERATIONS = 5 };
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	start_lisp(&fixture, FIRST, 1);
	for (uint32_t pid = FIRST; pid < LAST; pid++) {
		fork_process(&fixture, pid, pid + 1);
		end_thread(&fixture, pid, pid);
		assert_in_range(num_lisp_processes, 1, MOST_GENERATIONS);
	}
	assert_string_equal(name_of(&fixture, LAST, 0), "code 0");
	end_thread(&fixture, LAST, LAST);
	assert_int_equal(num_lisp_processes, 0);
}

static void another_program_ends_the_interpreter(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	start_lisp(&fixture, 10, 3);
	fork_process(&fixture, 10, 11);
	name_thread(&fixture, 11, false);
	end_thread(&fixture, 11, 12); // a thread
	assert_non_null(lisp_of(&fixture, 11));
	name_thread(&fixture, 11, true);
	assert_null(lisp_of(&fixture, 11));
	assert_true(fixture.change.is_changed);
	assert_int_equal(fixture.change.pid, 11);
	assert_null(fixture.change.process);
	assert_non_null(lisp_of(&fixture, 10));
	// Lisp once more, but none of the code of before.
	start_lisp(&fixture, 11, 0);
	assert_string_equal(name_of(&fixture, 11, 1), "[unknown Lisp]");
}

static void frames_are_trusted_after_the_check(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	start_lisp(&fixture, 10, 1);
	struct lisp_process *lisp = lisp_of(&fixture, 10);
	lisp->is_on_trial = true;
	assert_false(interpreted_process_is_trusted(&lisp->base));
	struct interpreter_change change = {.is_changed = false};
	assert_no_error(interpreted_process_check(&lisp->base, &change));
	assert_true(change.is_changed);
	assert_ptr_equal(change.process, lisp);
	assert_true(interpreted_process_is_trusted(&lisp->base));
	lisp->has_failed = true;
	assert_no_error(interpreted_process_check(&lisp->base, &change));
	assert_null(change.process);
	assert_string_equal(interpreted_processes_notes(fixture.processes),
			    "note: no Lisp lines: its memory is another's\n");
}

static void what_cannot_be_read_is_told_once(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	map_file(&fixture, 10, "/bin/lisp-absent");
	assert_string_equal(interpreted_processes_notes(fixture.processes), "");
	map_file(&fixture, 10, "/bin/lisp-newer");
	map_file(&fixture, 11, "/bin/lisp-newer");
	assert_null(lisp_of(&fixture, 10));
	assert_string_equal(interpreted_processes_notes(fixture.processes),
			    "note: no Lisp lines: this Lisp is too new\n");
}

static void a_program_cannot_make_wperf_open_files_for_ever(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	for (int i = 0; i < 257; i++) {
		char path[64];
		snprintf(path, sizeof(path), "/bin/lisp-absent-%d", i);
		map_file(&fixture, 10, path);
	}
	assert_string_equal(interpreted_processes_notes(fixture.processes),
			    "note: no Lisp lines of some processes: more than 256 files have an "
			    "interpreter's name, but no interpreter that wperf can read\n");
	map_file(&fixture, 10, "/bin/lisp");
	assert_null(lisp_of(&fixture, 10));
}

int interpreted_processes_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mapped_file_shows_the_interpreter),
		cmocka_unit_test(a_child_has_the_interpreter_of_its_parent),
		cmocka_unit_test(what_a_child_cannot_tell_its_parents_can),
		cmocka_unit_test(code_that_nobody_can_tell_is_counted),
		cmocka_unit_test(a_daemon_that_forks_and_ends_for_ever_is_forgotten),
		cmocka_unit_test(another_program_ends_the_interpreter),
		cmocka_unit_test(frames_are_trusted_after_the_check),
		cmocka_unit_test(what_cannot_be_read_is_told_once),
		cmocka_unit_test(a_program_cannot_make_wperf_open_files_for_ever),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
