// SPDX-License-Identifier: Apache-2.0

#include "symbols/module_file.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/object_fixture.h"

static int write_programs(void **state)
{
	if (object_fixture_create(state))
		return -1;
	write_in(state, "a.c",
		 "int first(void) { return 1; }\n#include <unistd.h>\n"
		 "int main(void) { write(1, \"x\", 1); return pause(); }\n");
	write_in(state, "b.c", "int second(void) { return 2; }\nint main(void) { return 0; }\n");
	free(run_in(state, "gcc -Wl,--build-id a.c -o a && gcc -Wl,--build-id b.c -o b && "
			   "gcc -Wl,--build-id=none a.c -o none"));
	return 0;
}

/** The module as it would be recorded now. */
static struct module module_of(const char *path, bool with_build_id)
{
	struct module module = {.kind = MODULE_FILE, .path = path, .pid = (uint32_t)getpid()};
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	module.inode = status.st_ino;
	if (with_build_id) {
		_cleanup_(object_destroyp) struct object *object = NULL;
		assert_no_error(object_open(path, "", &object));
		module.build_id.size = (uint8_t)object_build_id(object, module.build_id.bytes);
	}
	return module;
}

static void assert_has(const struct module *module, const struct module_file_search *search,
		       const char *function)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(module_file_open(search, module, &object));
	const struct object_symbol *symbols;
	size_t num_symbols;
	assert_no_error(object_symbols(object, &symbols, &num_symbols));
	for (size_t i = 0; i < num_symbols; i++)
		if (!strcmp(symbols[i].name, function))
			return;
	fail_msg("no function %s", function);
}

static void assert_refused(const struct module *module, const struct module_file_search *search,
			   const char *message)
{
	struct object *object;
	assert_error(module_file_open(search, module, &object), ERROR_FAILED, message);
}

static void test_a_file_at_its_path(void **state)
{
	struct module_file_search search = {0};
	struct module module = module_of(path_in(state, "a"), false);
	assert_has(&module, &search, "first");
	module = module_of(path_in(state, "a"), true);
	assert_has(&module, &search, "first");
	search.are_processes_here = true;
	assert_has(&module, &search, "first");
	module.inode = 0;
	module.build_id.size = 0; // nothing is known: the name has to do
	assert_has(&module, &search, "first");
}

static void test_a_file_that_has_changed(void **state)
{
	struct module_file_search search = {0};
	free(run_in(state, "cp a changed"));
	char *path = strdup(path_in(state, "changed"));
	struct module by_inode = module_of(path, false);
	struct module by_build_id = module_of(path, true);
	free(run_in(state, "cp b changed.new && mv changed.new changed"));
	assert_refused(&by_inode, &search, "the file has changed since the recording");
	assert_refused(&by_build_id, &search, "the file has changed since the recording");
	free(run_in(state, "cat none > changed")); // without any build id
	assert_refused(&by_build_id, &search, "the file has changed since the recording");
	free(path);
}

static void test_sysroots_come_first(void **state)
{
	free(run_in(state, "mkdir -p root/usr/bin other && cp a root/usr/bin/thing"));
	struct module module = module_of(path_in(state, "a"), true);
	module.path = "/usr/bin/thing";
	char roots[400];
	snprintf(roots, sizeof(roots), "%s/other::%s/root", (char *)*state, (char *)*state);
	struct module_file_search search = {.sysroots = roots};
	assert_has(&module, &search, "first");
	module.build_id.size = 0;
	module.inode++; // of the machine where it was recorded
	assert_has(&module, &search, "first");
}

/** Recorded on Windows; a sysroot is a copy of its drive, or a folder with all files. */
static void test_paths_of_windows(void **state)
{
	char root[256];
	free(run_in(state,
		    "mkdir -p drive/Tools flat && cp a drive/Tools/x.exe && cp a flat/y.exe && "
		    "cp b 'C:\\b.exe'"));
	struct module_file_search search = {.sysroots = root};
	snprintf(root, sizeof(root), "%s", path_in(state, "drive"));
	assert_has(&(struct module){.path = "C:\\Tools\\x.exe"}, &search, "first");
	snprintf(root, sizeof(root), "%s", path_in(state, "flat"));
	assert_has(&(struct module){.path = "d:\\far\\away\\y.exe"}, &search, "first");
	assert_refused(&(struct module){.path = "C:\\b.exe"}, &search,
		       "cannot open: No such file or directory");
	assert_refused(&(struct module){.path = "\\\\server\\b.exe"}, &search,
		       "cannot open: not an absolute path");
}

static void test_sysroots_by_build_id(void **state)
{
	struct module module = module_of(path_in(state, "b"), true);
	char digits[3 * RECORD_BUILD_ID_MAX] = "";
	for (size_t i = 1; i < module.build_id.size; i++)
		sprintf(digits + 2 * (i - 1), "%02x", module.build_id.bytes[i]);
	unsigned first = module.build_id.bytes[0];
	module.path = "/nowhere/thing";
	char root[200];
	struct module_file_search search = {.sysroots = root};
	snprintf(root, sizeof(root), "%s/ids", (char *)*state);
	free(run_in(state, "mkdir -p ids/.build-id/%02x && cp b ids/.build-id/%02x/%s", first,
		    first, digits));
	assert_has(&module, &search, "second");
	snprintf(root, sizeof(root), "%s/cache", (char *)*state);
	free(run_in(state, "mkdir -p cache/.build-id/%02x/%s && cp b cache/.build-id/%02x/%s/elf",
		    first, digits, first, digits));
	assert_has(&module, &search, "second");
}

/** As a program of another architecture is run: in the folder of its system, not in a changed root.
 */
static void test_debug_files_of_the_system_it_is_in(void **state)
{
	free(run_in(state, "mkdir -p system/usr/lib/debug/.build-id system/usr/bin && "
			   "id=$(readelf -n b | sed -n 's/.*Build ID: //p') && "
			   "folder=system/usr/lib/debug/.build-id/$(echo $id | cut -c 1-2) && "
			   "mkdir -p $folder && objcopy --only-keep-debug b "
			   "$folder/$(echo $id | cut -c 3-).debug && strip -o system/usr/bin/b b"));
	struct module module = module_of(path_in(state, "system/usr/bin/b"), true);
	struct module_file_search search = {0};
	assert_has(&module, &search, "second");
}

static void test_what_cannot_be_opened(void **state)
{
	struct module_file_search search = {.are_processes_here = true};
	struct module module = {
		.kind = MODULE_FILE, .path = "/nowhere/x", .pid = (uint32_t)getpid()};
	assert_refused(&module, &search, "cannot open: No such file or directory");
	module.path = "a";
	assert_refused(&module, &search, "cannot open: not an absolute path");
	module.path = "/tmp";
	assert_refused(&module, &search, "'/tmp' is not a regular file");
	free(run_in(state, "mkfifo fifo")); // opening it would wait for ever
	module.path = path_in(state, "fifo");
	char message[300];
	snprintf(message, sizeof(message), "'%s' is not a regular file", module.path);
	assert_refused(&module, &search, message);
}

/** Runs a command of the shell until the program in it says "x". */
static pid_t start(void **state, const char *command)
{
	int pipes[2];
	assert_int_equal(pipe(pipes), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		dup2(pipes[1], STDOUT_FILENO);
		if (!chdir(*state))
			execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(1);
	}
	close(pipes[1]);
	char said;
	bool has_started = read(pipes[0], &said, 1) == 1;
	close(pipes[0]);
	if (has_started)
		return pid;
	waitpid(pid, NULL, 0);
	return -1;
}

static void stop(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_a_deleted_file_that_still_runs(void **state)
{
	free(run_in(state, "cp a gone"));
	char *path = strdup(path_in(state, "gone"));
	struct module module = module_of(path, true);
	pid_t pid = start(state, "exec ./gone");
	assert_true(pid > 0);
	module.pid = (uint32_t)pid;
	free(run_in(state, "rm gone && cp b gone")); // and another one takes its name
	struct module_file_search search = {.are_processes_here = true};
	assert_has(&module, &search, "first");
	module.build_id.size = 0;
	assert_has(&module, &search, "first");
	char marked[200];
	snprintf(marked, sizeof(marked), "%s (deleted)", path);
	module.path = marked;
	assert_has(&module, &search, "first");
	stop(pid);
	assert_refused(&module, &search, "the file has changed since the recording");
	module.inode = 0; // a name alone is no proof
	assert_refused(&module, &search, "the file has changed since the recording");
	free(path);
}

static void test_a_deleted_library_that_is_still_mapped(void **state)
{
	if (access("/proc/1/map_files", X_OK) < 0)
		skip();
	write_in(state, "l.c", "int of_library(void) { return 1; }\n");
	free(run_in(state, "gcc -shared -fPIC -Wl,--build-id l.c -o l.so"));
	char *path = strdup(path_in(state, "l.so"));
	struct module module = module_of(path, true);
	pid_t pid = start(state, "LD_PRELOAD=./l.so exec ./a");
	assert_true(pid > 0);
	module.pid = (uint32_t)pid;
	free(run_in(state, "rm l.so"));
	struct module_file_search search = {.are_processes_here = true};
	assert_has(&module, &search, "of_library");
	stop(pid);
	assert_refused(&module, &search, "cannot open: No such file or directory");
	free(path);
}

static void test_a_file_that_only_a_container_has(void **state)
{
	free(run_in(state, "mkdir -p inside outside && cp a inside/thing"));
	struct module module = module_of(path_in(state, "inside/thing"), true);
	pid_t pid = start(state, "exec unshare -m sh -c 'mount --bind inside outside && "
				 "exec ./outside/thing' 2> refused");
	if (pid < 0) // needs rights that not everybody has
		skip();
	char *path = strdup(path_in(state, "outside/thing"));
	module.path = path;
	module.pid = (uint32_t)pid;
	assert_int_not_equal(access(path, F_OK), 0);
	_cleanup_(file_roots_deinit) struct file_roots roots = {0};
	_cleanup_(process_users_deinit) struct process_users users = {.roots = &roots};
	assert_no_error(process_users_add_running(&users, (uint32_t)pid));
	struct module_file_search search = {.users = &users};
	assert_has(&module, &search, "first");
	search.users = NULL;
	assert_refused(&module, &search, "cannot open: No such file or directory");
	stop(pid); // its root folder stays
	search.users = &users;
	assert_has(&module, &search, "first");
	free(path);
}

/** Another file at the same path here: neither is taken for the other. */
static void test_the_same_path_in_a_container(void **state)
{
	free(run_in(state, "mkdir -p inner same && cp a inner/thing && cp b same/thing"));
	struct module module = module_of(path_in(state, "inner/thing"), true);
	struct module ours = module_of(path_in(state, "same/thing"), true);
	pid_t pid = start(state, "exec unshare -m sh -c 'mount --bind inner same && "
				 "exec ./same/thing' 2> refused");
	if (pid < 0)
		skip();
	_cleanup_free_ char *path = strdup(path_in(state, "same/thing"));
	module.path = ours.path = path;
	module.pid = (uint32_t)pid;
	_cleanup_(file_roots_deinit) struct file_roots roots = {0};
	_cleanup_(process_users_deinit) struct process_users users = {.roots = &roots};
	assert_no_error(process_users_add_running(&users, (uint32_t)pid));
	assert_no_error(process_users_add_running(&users, (uint32_t)getpid()));
	struct module_file_search search = {.users = &users, .are_processes_here = true};
	assert_has(&module, &search, "first");
	assert_has(&ours, &search, "second");
	stop(pid);
}

/** Root would find it; nobody's program cannot have mapped it by its path. */
static void test_a_file_that_the_user_may_not_read(void **state)
{
	if (geteuid() != 0)
		skip();
	free(run_in(state, "chmod 711 . && cp a private && chmod 711 private"));
	_cleanup_free_ char *path = strdup(path_in(state, "private"));
	struct module module = module_of(path, true);
	const struct file_rights nobody = {.is_known = true, .user = 65534, .group = 65534};
	const struct file_rights group = {.is_known = true,
					  .user = 65534,
					  .group = 65534,
					  .groups = {54321},
					  .num_groups = 1};
	struct module_file_search search = {.rights = &nobody};
	char message[300];
	snprintf(message, sizeof(message),
		 "cannot open '%s': Permission denied (with the rights of the profiled program's "
		 "user)",
		 path);
	assert_refused(&module, &search, message);
	assert_int_equal(chown(path, 0, 54321), 0);
	assert_int_equal(chmod(path, 0750), 0);
	assert_refused(&module, &search, message);
	search.rights = &group;
	assert_has(&module, &search, "first");
	// What a process has mapped was read by the kernel.
	assert_int_equal(chmod(path, 0711), 0);
	pid_t pid = start(state, "exec ./private");
	assert_true(pid > 0);
	module.pid = (uint32_t)pid;
	search.rights = &nobody;
	search.are_processes_here = true;
	assert_has(&module, &search, "first");
	stop(pid);
}

int module_file_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file_at_its_path),
		cmocka_unit_test(test_a_file_that_has_changed),
		cmocka_unit_test(test_sysroots_come_first),
		cmocka_unit_test(test_paths_of_windows),
		cmocka_unit_test(test_sysroots_by_build_id),
		cmocka_unit_test(test_debug_files_of_the_system_it_is_in),
		cmocka_unit_test(test_what_cannot_be_opened),
		cmocka_unit_test(test_a_deleted_file_that_still_runs),
		cmocka_unit_test(test_a_deleted_library_that_is_still_mapped),
		cmocka_unit_test(test_a_file_that_only_a_container_has),
		cmocka_unit_test(test_the_same_path_in_a_container),
		cmocka_unit_test(test_a_file_that_the_user_may_not_read),
	};
	return cmocka_run_group_tests_name("module_file", tests, write_programs,
					   object_fixture_destroy);
}
