// SPDX-License-Identifier: Apache-2.0

#include "base/cleanup.h"
#include "base/file/file_draft.h"
#include "base/file/file_path.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "scratch_folder.h"
#include "tests/unit/assert_error.h"

static void assert_text(const char *path, const char *expected)
{
	char text[32] = "";
	FILE *stream = file_path_open(path, "r");
	assert_non_null(stream);
	text[fread(text, 1, sizeof(text) - 1, stream)] = '\0';
	fclose(stream);
	assert_string_equal(text, expected);
}

static int count_files(void)
{
	int count = 0;
	DIR *folder = opendir(".");
	assert_non_null(folder);
	for (struct dirent *entry; (entry = readdir(folder));)
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

static void test_old_file_stays_until_the_draft_is_closed(void **state)
{
	struct file_draft draft;
	scratch_folder_write("a", "old");
	assert_true(file_draft_open(&draft, "a"));
	fputs("new", draft.stream);
	fflush(draft.stream);
	assert_text("a", "old");
	assert_no_error(file_draft_close(&draft, "it"));
	file_draft_deinit(&draft);
	assert_text("a", "new");
	assert_int_equal(count_files(), 1);
}

static void test_writing_goes_on_in_its_place(void **state)
{
	struct file_draft draft;
	assert_true(file_draft_open(&draft, "a"));
	assert_int_equal(file_path_kind("a"), FILE_PATH_ABSENT);
	fputs("one", draft.stream);
	assert_true(file_draft_place(&draft));
	assert_int_equal(file_path_kind("a"), FILE_PATH_FILE);
	fputs(" two", draft.stream);
	assert_no_error(file_draft_close(&draft, "it"));
	file_draft_deinit(&draft);
	assert_text("a", "one two");
}

static void test_what_is_not_closed_was_never_there(void **state)
{
	struct file_draft draft;
	scratch_folder_write("a", "old");
	assert_true(file_draft_open(&draft, "a"));
	fputs("new", draft.stream);
	file_draft_deinit(&draft);
	assert_text("a", "old");
	assert_int_equal(count_files(), 1);
}

/** Where the file system can do it, as this one may not. */
static void test_nothing_is_left_of_a_killed_process(void **state)
{
	struct file_draft draft;
	assert_true(file_draft_open(&draft, "a"));
	bool is_nameless = draft.is_nameless;
	file_draft_deinit(&draft);
	if (!is_nameless)
		skip();
	pid_t pid = fork();
	if (pid == 0) {
		if (file_draft_open(&draft, "a"))
			fputs("new", draft.stream);
		fflush(draft.stream);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(count_files(), 0);
}

static void test_path_is_whole_before_there_is_a_file(void **state)
{
	struct file_draft draft;
	assert_true(file_draft_open(&draft, "a"));
	_cleanup_free_ char *folder = file_path_whole(".");
	char expected[200];
	snprintf(expected, sizeof(expected), "%s/a", folder);
	assert_string_equal(draft.path, expected);
	file_draft_deinit(&draft);
}

static void test_links_stay(void **state)
{
	struct file_draft draft;
	scratch_folder_write("a", "old");
	assert_int_equal(symlink("a", "link"), 0);
	assert_true(file_draft_open(&draft, "link"));
	fputs("new", draft.stream);
	assert_no_error(file_draft_close(&draft, "it"));
	file_draft_deinit(&draft);
	assert_text("a", "new");
	char target[8] = "";
	assert_int_equal(readlink("link", target, sizeof(target) - 1), 1);
}

static void test_devices_are_written_in_place(void **state)
{
	struct file_draft draft;
	assert_true(file_draft_open(&draft, "/dev/null"));
	fputs("text", draft.stream);
	assert_no_error(file_draft_close(&draft, "it"));
	file_draft_deinit(&draft);
	assert_int_equal(file_path_kind("/dev/null"), FILE_PATH_OTHER);
}

static void test_full_disk_keeps_the_old_file(void **state)
{
	struct file_draft draft;
	assert_true(file_draft_open(&draft, "/dev/full"));
	fputs("text", draft.stream);
	assert_error(file_draft_close(&draft, "it"), ERROR_FAILED,
		     "cannot write 'it': No space left on device");
	file_draft_deinit(&draft);
}

/** A folder takes no file's place, even for root. */
static void test_draft_stays_if_its_place_cannot_be_taken(void **state)
{
	struct file_draft draft;
	assert_true(file_draft_open(&draft, "a"));
	fputs("one", draft.stream);
	assert_int_equal(mkdir("a", 0777), 0);
	assert_false(file_draft_place(&draft));
	fputs(" two", draft.stream);
	_cleanup_free_ char *name = strdup(draft.draft);
	_cleanup_(error_destroyp) struct error *err = file_draft_close(&draft, "my/a");
	file_draft_deinit(&draft);
	assert_non_null(err);
	assert_string_equal(err->message, "cannot replace 'my/a': Is a directory");
	assert_non_null(strstr(err->hint, name));
	assert_text(name, "one two");
}

static void test_draft_takes_its_place_at_the_second_try(void **state)
{
	struct file_draft draft;
	assert_true(file_draft_open(&draft, "a"));
	fputs("text", draft.stream);
	assert_int_equal(mkdir("a", 0777), 0);
	assert_false(file_draft_place(&draft));
	assert_int_equal(rmdir("a"), 0);
	assert_no_error(file_draft_close(&draft, "a"));
	file_draft_deinit(&draft);
	assert_text("a", "text");
	assert_int_equal(count_files(), 1);
}

static void write_and_keep_old(const char *text)
{
	struct file_draft draft;
	assert_true(file_draft_open(&draft, "a"));
	draft.keeps_old = true;
	fputs(text, draft.stream);
	assert_no_error(file_draft_close(&draft, "a"));
	file_draft_deinit(&draft);
}

static void test_old_file_gets_another_name(void **state)
{
	write_and_keep_old("first");
	assert_text("a", "first");
	assert_int_equal(count_files(), 1);
	write_and_keep_old("second");
	write_and_keep_old("third");
	assert_text("a", "third");
	assert_text("a.old", "second");
	assert_int_equal(count_files(), 2);
}

static void test_old_file_that_cannot_be_renamed_stays(void **state)
{
	struct file_draft draft;
	scratch_folder_write("a", "old");
	assert_int_equal(mkdir("a.old", 0777), 0);
	assert_true(file_draft_open(&draft, "a"));
	draft.keeps_old = true;
	fputs("new", draft.stream);
	_cleanup_free_ char *name = strdup(draft.draft);
	assert_error(file_draft_close(&draft, "a"), ERROR_FAILED,
		     "cannot rename 'a' to 'a.old': Is a directory");
	file_draft_deinit(&draft);
	assert_text("a", "old");
	assert_text(name, "new");
}

static void test_no_folder(void **state)
{
	struct file_draft draft;
	assert_false(file_draft_open(&draft, "no/such/folder"));
	assert_int_equal(errno, ENOENT);
	file_draft_deinit(&draft);
	assert_false(file_draft_open(&draft, "."));
	assert_int_equal(errno, EISDIR);
	file_draft_deinit(&draft);
}

int file_draft_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_old_file_stays_until_the_draft_is_closed,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_writing_goes_on_in_its_place,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_what_is_not_closed_was_never_there,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_nothing_is_left_of_a_killed_process,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_path_is_whole_before_there_is_a_file,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_links_stay, scratch_folder_enter,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_devices_are_written_in_place,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_full_disk_keeps_the_old_file,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_draft_stays_if_its_place_cannot_be_taken,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_draft_takes_its_place_at_the_second_try,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_old_file_gets_another_name,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_old_file_that_cannot_be_renamed_stays,
						scratch_folder_enter, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_no_folder, scratch_folder_enter,
						scratch_folder_leave),
	};
	return cmocka_run_group_tests_name("file_draft", tests, NULL, NULL);
}
