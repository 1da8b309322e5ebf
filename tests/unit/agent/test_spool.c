// SPDX-License-Identifier: Apache-2.0

#include "agent/spool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/folder.h"
#include "base/file/memory_stream.h"
#include "view/export/gzip_writer.h"

#include "tests/unit/assert_error.h"
#include "tests/unit/scratch_folder.h"

enum { LARGE = 1 << 20 };

/** Requests are compressed by gzip; these have a number inside. */
static void seal(struct spool *spool, int number, uint32_t num_batches)
{
	_cleanup_(memory_stream_deinit) struct memory_stream stream = MEMORY_STREAM_INIT;
	_cleanup_(gzip_writer_destroyp) struct gzip_writer *writer = NULL;
	assert_no_error(memory_stream_open(&stream));
	assert_no_error(gzip_writer_create(stream.stream, &writer));
	gzip_writer_add(writer, &number, sizeof(number));
	assert_no_error(gzip_writer_finish(writer, "x"));
	assert_no_error(memory_stream_close(&stream));
	assert_no_error(spool_seal(spool, stream.text, stream.size, num_batches));
}

static struct spool *opened(const char *folder, uint64_t max_bytes)
{
	struct spool *spool = NULL;
	assert_no_error(spool_open(folder, max_bytes, &spool));
	return spool;
}

static bool is_there(const char *path)
{
	return file_path_kind(path) == FILE_PATH_FILE;
}

static bool take(struct spool *spool, enum spool_verdict verdict)
{
	void *bytes = NULL;
	size_t size = 0;
	assert_no_error(spool_begin_sending(spool, &bytes, &size));
	if (!bytes)
		return false;
	free(bytes);
	spool_end_sending(spool, verdict);
	return true;
}

static void test_the_oldest_is_sent_first(void **state)
{
	_cleanup_(spool_closep) struct spool *spool = opened("order/deep", LARGE);
	assert_false(take(spool, SPOOL_SENT));
	assert_int_equal(spool_next_sequence(spool), 1);
	seal(spool, 1, 5);
	seal(spool, 2, 3);
	assert_true(is_there("order/deep/000000000001-5.otlp.gz"));
	assert_true(take(spool, SPOOL_KEPT));
	assert_int_equal(spool_totals(spool).num_waiting, 2);
	assert_true(take(spool, SPOOL_SENT));
	assert_false(is_there("order/deep/000000000001-5.otlp.gz"));
	assert_true(is_there("order/deep/000000000002-3.otlp.gz"));
	assert_int_equal(spool_totals(spool).num_waiting, 1);
}

static void test_the_next_agent_goes_on(void **state)
{
	char id[SPOOL_AGENT_ID_SIZE];
	struct spool *spool = opened("again", LARGE);
	strcpy(id, spool_agent_id(spool));
	assert_int_equal(strspn(id, "0123456789abcdef"), SPOOL_AGENT_ID_SIZE - 1);
	seal(spool, 1, 5);
	seal(spool, 2, 5);
	spool_close(spool);
	spool = opened("again", LARGE);
	assert_string_equal(spool_agent_id(spool), id);
	assert_int_equal(spool_totals(spool).num_waiting, 2);
	assert_int_equal(spool_next_sequence(spool), 3);
	assert_true(spool_totals(spool).num_bytes > 0);
	// Also when nothing is left.
	assert_true(take(spool, SPOOL_SENT));
	assert_true(take(spool, SPOOL_SENT));
	assert_true(is_there("again/000000000002.sent"));
	seal(spool, 3, 1);
	assert_true(take(spool, SPOOL_SENT));
	assert_false(is_there("again/000000000002.sent"));
	spool_close(spool);
	spool = opened("again", LARGE);
	assert_int_equal(spool_next_sequence(spool), 4);
	spool_close(spool);
}

static void test_one_agent_has_it(void **state)
{
	_cleanup_(spool_closep) struct spool *spool = opened("locked", LARGE);
	struct spool *second = NULL;
	assert_error(spool_open("locked", LARGE, &second), ERROR_FAILED,
		     "another agent has locked 'locked/lock'");
}

static void test_the_oldest_are_dropped_and_counted(void **state)
{
	struct spool *spool = opened("full", LARGE);
	seal(spool, 1, 5);
	uint64_t size = spool_totals(spool).num_bytes;
	spool_close(spool);
	spool = opened("full", 2 * size);
	seal(spool, 2, 3);
	assert_int_equal(spool_num_dropped(spool), 0);
	seal(spool, 3, 1);
	assert_int_equal(spool_totals(spool).num_waiting, 2);
	assert_int_equal(spool_num_dropped(spool), 5);
	assert_true(is_there("full/000000000001-5.dropped"));
	// It is counted although nobody is there for a while.
	spool_close(spool);
	spool = opened("full", 2 * size);
	assert_int_equal(spool_num_dropped(spool), 5);
	// The fourth says so: with it, they would be lost as well.
	seal(spool, 4, 2);
	assert_false(is_there("full/000000000001-5.dropped"));
	assert_true(is_there("full/000000000004-7.otlp.gz"));
	assert_int_equal(spool_num_dropped(spool), 3);
	seal(spool, 5, 1); // with the 3
	seal(spool, 6, 1); // with the 1 of the third
	assert_int_equal(spool_num_dropped(spool), 7);
	assert_true(is_there("full/000000000005-4.otlp.gz"));
	assert_true(is_there("full/000000000006-2.otlp.gz"));
	spool_close(spool);
}

/** Files of an agent that was killed at each point of what it does. */
static void test_what_was_under_way_is_completed(void **state)
{
	struct spool *spool = opened("killed", LARGE);
	seal(spool, 1, 5);
	seal(spool, 2, 4);
	spool_close(spool);
	scratch_folder_write("killed/request.tmp", "half of a requ");
	// Dropped: the marker is there, the request not gone yet.
	scratch_folder_write("killed/000000000001-5.dropped", "");
	spool = opened("killed", LARGE);
	assert_int_equal(spool_num_dropped(spool), 5);
	assert_int_equal(spool_totals(spool).num_waiting, 1);
	assert_false(is_there("killed/000000000001-5.otlp.gz"));
	spool_close(spool);
	// The next request was about to count it, and was not sealed.
	assert_true(file_path_rename("killed/000000000001-5.dropped",
				     "killed/000000000001-5.dropped-000000000003"));
	spool = opened("killed", LARGE);
	assert_int_equal(spool_num_dropped(spool), 5);
	spool_close(spool);
	// It was sealed, and the marker is still there.
	assert_true(file_path_rename("killed/000000000001-5.dropped-000000000003",
				     "killed/000000000001-5.dropped-000000000002"));
	spool = opened("killed", LARGE);
	assert_int_equal(spool_num_dropped(spool), 0);
	assert_false(is_there("killed/000000000001-5.dropped-000000000002"));
	assert_int_equal(spool_totals(spool).num_waiting, 1);
	spool_close(spool);
}

static void test_refused_requests_are_set_aside(void **state)
{
	_cleanup_(spool_closep) struct spool *spool = opened("refused", LARGE);
	for (int i = 1; i <= SPOOL_MAX_REFUSED + 2; i++) {
		seal(spool, i, 1);
		assert_true(take(spool, SPOOL_REFUSED));
		assert_int_equal(spool_totals(spool).num_refused, i);
	}
	assert_int_equal(spool_totals(spool).num_waiting, 0);
	// The second says that the first was refused.
	assert_false(is_there("refused/refused/000000000002-2.otlp.gz"));
	assert_true(is_there("refused/refused/000000000003-3.otlp.gz"));
	assert_int_equal(spool_num_dropped(spool), SPOOL_MAX_REFUSED + 2);
}

static void test_damaged_files_are_set_aside(void **state)
{
	struct spool *spool = opened("damaged", LARGE);
	seal(spool, 1, 1);
	spool_close(spool);
	scratch_folder_write("damaged/000000000001-4.otlp.gz", "");
	scratch_folder_write("damaged/000000000002-4.otlp.gz", "garbage");
	scratch_folder_write("damaged/000000000003-99.otlp", "not ours");
	scratch_folder_write("damaged/3-1.otlp.gz", "not ours");
	assert_int_equal(truncate("damaged/000000000001-1.otlp.gz", 20), 0);
	spool = opened("damaged", LARGE);
	size_t num_damaged = 0;
	while (spool_totals(spool).num_waiting) {
		void *bytes = NULL;
		size_t size;
		struct error *err = spool_begin_sending(spool, &bytes, &size);
		assert_non_null(err);
		assert_non_null(strstr(err->message, "damaged file in the spool: '0000000"));
		error_destroy(err);
		num_damaged++;
	}
	assert_int_equal(num_damaged, 3);
	assert_int_equal(spool_num_dropped(spool), 1 + 4 + 4);
	assert_true(is_there("damaged/3-1.otlp.gz"));
	assert_true(is_there("damaged/refused/000000000002-4.otlp.gz"));
	spool_close(spool);
}

static void test_what_cannot_be_written_is_counted(void **state)
{
	struct spool *spool = opened("blocked", LARGE);
	_cleanup_(error_destroyp) struct error *err = NULL;
	// A folder in place of the file: also root cannot write it.
	assert_true(file_path_make_folders("blocked/request.tmp/x"));
	err = spool_seal(spool, "x", 1, 6);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "cannot write 'blocked/request.tmp'"));
	assert_int_equal(spool_num_dropped(spool), 6);
	assert_int_equal(rmdir("blocked/request.tmp"), 0);
	seal(spool, 2, 1);
	assert_true(is_there("blocked/000000000002-7.otlp.gz"));
	assert_int_equal(spool_num_dropped(spool), 0);
	spool_close(spool);
}

int spool_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_oldest_is_sent_first),
		cmocka_unit_test(test_the_next_agent_goes_on),
		cmocka_unit_test(test_one_agent_has_it),
		cmocka_unit_test(test_the_oldest_are_dropped_and_counted),
		cmocka_unit_test(test_what_was_under_way_is_completed),
		cmocka_unit_test(test_refused_requests_are_set_aside),
		cmocka_unit_test(test_damaged_files_are_set_aside),
		cmocka_unit_test(test_what_cannot_be_written_is_counted),
	};
	return cmocka_run_group_tests(tests, scratch_folder_enter, scratch_folder_leave);
}
