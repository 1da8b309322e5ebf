// SPDX-License-Identifier: Apache-2.0

#include "view/gzip_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { MAX_SIZE = 1 << 20 };

static void assert_round_trip(size_t size, size_t piece)
{
	static unsigned char written[MAX_SIZE], read[MAX_SIZE + 1];
	uint32_t seed = 1;
	for (size_t i = 0; i < size; i++) {
		seed = seed * 1664525 + 1013904223;
		// Half of it noise, which grows when it is compressed.
		written[i] = i < size / 2 ? (unsigned char)(seed >> 24) : 'a';
	}
	FILE *stream = tmpfile();
	assert_non_null(stream);
	_cleanup_(gzip_writer_destroyp) struct gzip_writer *writer = NULL;
	assert_no_error(gzip_writer_create(stream, &writer));
	for (size_t i = 0; i < size; i += piece)
		gzip_writer_add(writer, written + i, size - i < piece ? size - i : piece);
	assert_no_error(gzip_writer_finish(writer, "test.gz"));
	rewind(stream);
	gzFile file = gzdopen(dup(fileno(stream)), "rb");
	assert_non_null(file);
	assert_int_equal(gzread(file, read, sizeof(read)), size);
	assert_int_equal(gzclose(file), Z_OK);
	assert_memory_equal(read, written, size);
	fclose(stream);
}

static void test_what_is_written_can_be_read(void **state)
{
	assert_round_trip(0, 1);
	assert_round_trip(1, 1);
	assert_round_trip(1 << 16, 1 << 16);
	assert_round_trip(300001, 7);
	assert_round_trip(MAX_SIZE, 1 << 18);
}

static void test_a_full_disk_is_said(void **state)
{
	FILE *stream = fopen("/dev/full", "wb");
	if (!stream)
		skip();
	_cleanup_(gzip_writer_destroyp) struct gzip_writer *writer = NULL;
	assert_no_error(gzip_writer_create(stream, &writer));
	gzip_writer_add(writer, "text", 4);
	assert_error(gzip_writer_finish(writer, "p.gz"), ERROR_FAILED,
		     "cannot write p.gz: No space left on device");
	fclose(stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_written_can_be_read),
		cmocka_unit_test(test_a_full_disk_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
