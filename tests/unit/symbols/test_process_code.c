// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/process_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "process/process_roots.h"
#include "process/process_users.h"
#include "symbols/jit/process_identity.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/jitdump_bytes.h"
#include "tests/unit/object_fixture.h"

enum { MAX_BYTES = 1 << 20 };

static const struct process_code_place here = {.may_be_here = true};

/** More than any system has, and another one for each run: these maps are in the /tmp of all. */
static uint32_t no_process(void)
{
	return 4200000000U + (uint32_t)getpid();
}

static void write_file(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fwrite(bytes, size, 1, file);
	assert_int_equal(fclose(file), 0);
}

static const char *perf_map_path(uint32_t pid)
{
	static char path[100];
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
	return path;
}

static const char *name_at(const struct process_code *code, uint64_t address)
{
	const struct code_map *map;
	const struct code_range *range = process_code_find(code, address, &map);
	return range ? range->name : "-";
}

static void test_a_perf_map(void **state)
{
	static const char text[] = "1000 10 f\n";
	write_file(perf_map_path(no_process()), text, strlen(text));
	_cleanup_(process_code_deinit) struct process_code code = {0};
	assert_no_error(process_code_load(&code, no_process(), &here, MAX_BYTES));
	unlink(perf_map_path(no_process()));
	assert_null(code.refusal);
	assert_string_equal(name_at(&code, 0x1005), "f");
	assert_string_equal(name_at(&code, 0x1010), "-");
}

static void test_a_jitdump_goes_before_a_perf_map(void **state)
{
	static const char text[] = "1000 10 f\n2000 10 g\n";
	write_file(perf_map_path(no_process()), text, strlen(text));
	struct jitdump_bytes bytes = {0};
	jitdump_put_header(&bytes);
	jitdump_put_load(&bytes, 0x1000, 0x10, 1, "better");
	char *path = strdup(path_in(state, "jit-4100000000.dump"));
	write_file(path, bytes.data, bytes.size);
	const struct process_code_place place = {.jitdump = path};
	_cleanup_(process_code_deinit) struct process_code code = {0};
	assert_no_error(process_code_load(&code, no_process(), &place, MAX_BYTES));
	unlink(perf_map_path(no_process()));
	assert_string_equal(name_at(&code, 0x1005), "better");
	assert_string_equal(name_at(&code, 0x2005), "g");
	free(path);
}

static void test_no_files_are_no_error(void **state)
{
	_cleanup_(process_code_deinit) struct process_code code = {0};
	const struct process_code_place place = {.may_be_here = true,
						 .jitdump = "/nowhere/jit-1.dump"};
	assert_no_error(process_code_load(&code, no_process(), &place, MAX_BYTES));
	assert_null(code.refusal);
	assert_string_equal(name_at(&code, 0x1000), "-");
}

static void assert_refused(const char *part)
{
	_cleanup_(process_code_deinit) struct process_code code = {0};
	assert_no_error(process_code_load(&code, no_process(), &here, MAX_BYTES));
	assert_non_null(code.refusal);
	assert_non_null(strstr(code.refusal->message, part));
	unlink(perf_map_path(no_process()));
}

/** A file of holes has any size at no cost. */
static void test_large_files_are_refused(void **state)
{
	static const char text[] = "1000 10 f\n";
	write_file(perf_map_path(no_process()), text, strlen(text));
	assert_int_equal(truncate(perf_map_path(no_process()), (off_t)1 << 40), 0);
	assert_refused("has more than");
}

static void test_both_files_share_the_room(void **state)
{
	static char text[MAX_BYTES / 2] = "1000 10 f\n";
	write_file(perf_map_path(no_process()), text, sizeof(text));
	struct jitdump_bytes bytes = {0};
	jitdump_put_header(&bytes);
	jitdump_put_load(&bytes, 0x2000, 0x10, 1, "g");
	char *path = strdup(path_in(state, "jit-4100000000.dump"));
	write_file(path, bytes.data, bytes.size);
	const struct process_code_place place = {.jitdump = path};
	_cleanup_(process_code_deinit) struct process_code code = {0};
	assert_no_error(process_code_load(&code, no_process(), &place, MAX_BYTES / 2));
	unlink(perf_map_path(no_process()));
	assert_string_equal(name_at(&code, 0x2000), "g");
	assert_string_equal(name_at(&code, 0x1000), "-");
	assert_non_null(strstr(code.refusal->message, "has more than"));
	assert_true(process_code_size(&code) >= bytes.size);
	assert_true(process_code_size(&code) < MAX_BYTES / 2);
	free(path);
}

static void test_files_of_strangers_are_refused(void **state)
{
	static const char text[] = "1000 10 f\n";
	write_file(perf_map_path(no_process()), text, strlen(text));
	if (chown(perf_map_path(no_process()), 12345, 12345) < 0)
		skip();
	assert_refused("belongs to another user");
}

/** Of a process that has ended, as its recording tells. */
static void test_files_of_its_user(void **state)
{
	static const char text[] = "1000 10 f\n";
	const uint32_t user = 12345;
	const struct file_rights rights = {.is_known = true, .user = user, .group = user};
	const struct process_code_place place = {.rights = &rights};
	write_file(perf_map_path(no_process()), text, strlen(text));
	if (chown(perf_map_path(no_process()), user, user) < 0)
		skip();
	_cleanup_(process_code_deinit) struct process_code code = {0}, refused = {0};
	assert_no_error(process_code_load(&code, no_process(), &place, MAX_BYTES));
	assert_null(code.refusal);
	assert_string_equal(name_at(&code, 0x1005), "f");
	// What only root can read is not shown although root owns it.
	assert_int_equal(chown(perf_map_path(no_process()), 0, 0), 0);
	assert_int_equal(chmod(perf_map_path(no_process()), 0600), 0);
	assert_no_error(process_code_load(&refused, no_process(), &place, MAX_BYTES));
	unlink(perf_map_path(no_process()));
	assert_string_equal(name_at(&refused, 0x1005), "-");
	assert_non_null(strstr(refused.refusal->message, "the profiled program's user"));
}

static void test_links_and_pipes_are_refused(void **state)
{
	assert_int_equal(symlink("/etc/hostname", perf_map_path(no_process())), 0);
	assert_refused("is not a regular file");
	assert_int_equal(mkfifo(perf_map_path(no_process()), 0600), 0);
	assert_refused("is not a regular file");
}

static void test_a_file_without_end_is_refused(void **state)
{
	write_file(perf_map_path(no_process()), "", 0);
	assert_int_equal(truncate(perf_map_path(no_process()), (off_t)1 << 42), 0);
	assert_refused("has more than");
}

static void test_paths_of_jitdumps(void **state)
{
	assert_true(process_code_is_jitdump("/home/x/.debug/jit/a.b/jit-12.dump"));
	assert_true(process_code_is_jitdump("jit-12.dump"));
	assert_false(process_code_is_jitdump("/tmp/jit-.dump"));
	assert_false(process_code_is_jitdump("/tmp/jit-1x.dump"));
	assert_false(process_code_is_jitdump("/tmp/jit-12.dump2"));
	assert_false(process_code_is_jitdump("/tmp/bit-12.dump"));
}

static void test_who_we_are(void **state)
{
	struct process_identity identity = process_identity_of((uint32_t)getpid(), true);
	assert_true(identity.is_here);
	assert_int_equal(identity.user, geteuid());
	identity = process_identity_of(no_process(), true);
	assert_false(identity.is_here);
	assert_int_equal(identity.inner_pid, no_process());
	assert_int_equal(identity.user, geteuid());
}

/** A process that is number 1 in its own namespace, with a /tmp of its own. */
static void test_a_container(void **state)
{
	free(run_in(state,
		    "mkdir -p tmp && echo '1000 10 inner' > tmp/perf-1.map; "
		    "{ unshare -m -p -f sh -c 'mount --bind tmp /tmp && echo x && exec sleep 60' "
		    "> started 2>&1 & echo $! > outer; }; "
		    "for i in $(seq 50); do grep -q x started && break; sleep 0.1; done; "
		    "cat /proc/$(cat outer)/task/*/children > pid 2> refused || true"));
	char *started = run_in(state, "cat started");
	if (strcmp(started, "x\n") != 0) // needs rights that not everybody has
		skip();
	free(started);
	char *text = run_in(state, "cat pid");
	uint32_t pid = (uint32_t)strtoul(text, NULL, 10);
	free(text);
	assert_int_not_equal(pid, 0);
	_cleanup_(process_code_deinit) struct process_code code = {0};
	_cleanup_(file_roots_deinit) struct file_roots roots = {0};
	struct file_rights rights = process_rights_read(pid);
	bool is_seen;
	assert_no_error(process_root_read(&roots, pid, &rights.root, &is_seen));
	assert_true(is_seen && rights.root);
	const struct process_code_place place = {.may_be_here = true, .rights = &rights};
	assert_no_error(process_code_load(&code, pid, &place, MAX_BYTES));
	free(run_in(state, "kill -9 %u", pid));
	assert_null(code.refusal);
	assert_string_equal(name_at(&code, 0x1005), "inner");
}

int process_code_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_perf_map),
		cmocka_unit_test(test_a_jitdump_goes_before_a_perf_map),
		cmocka_unit_test(test_no_files_are_no_error),
		cmocka_unit_test(test_files_of_strangers_are_refused),
		cmocka_unit_test(test_files_of_its_user),
		cmocka_unit_test(test_large_files_are_refused),
		cmocka_unit_test(test_both_files_share_the_room),
		cmocka_unit_test(test_links_and_pipes_are_refused),
		cmocka_unit_test(test_a_file_without_end_is_refused),
		cmocka_unit_test(test_paths_of_jitdumps),
		cmocka_unit_test(test_who_we_are),
		cmocka_unit_test(test_a_container),
	};
	return cmocka_run_group_tests_name("process_code", tests, object_fixture_create,
					   object_fixture_destroy);
}
