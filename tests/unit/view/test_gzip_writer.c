// SPDX-License-Identifier: Apache-2.0

#include "view/export/gzip_writer.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { MAX_SIZE = 1 << 20 };

static unsigned char written[MAX_SIZE];

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

// What repeats, and how far back, is drawn anew for each piece; 0 is noise.
static void fill(size_t size, unsigned num_letters, uint32_t seed)
{
	for (size_t i = 0; i < size;) {
		size_t length = 1 + next_random(&seed) % 600;
		size_t distance = 1 + next_random(&seed) % 70000;
		bool copies = num_letters && i >= distance && next_random(&seed) % 2;
		for (; length && i < size; length--, i++) {
			uint32_t letter = next_random(&seed);
			written[i] =
				(unsigned char)(num_letters ? 'a' + letter % num_letters : letter);
			if (copies)
				written[i] = written[i - distance];
		}
	}
}

/** What zlib reads of the compressed file is what was written. */
static void assert_round_trip(size_t size, size_t piece)
{
	static unsigned char read[MAX_SIZE + 1];
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
	assert_false(gzdirect(file));
	// It also compares the checksum and the size that stand at the end.
	assert_int_equal(gzclose(file), Z_OK);
	assert_memory_equal(read, written, size);
	fclose(stream);
}

static void test_what_is_written_can_be_read(void **state)
{
	static const size_t sizes[] = {0,   1,     2,     3,     4,      5,
				       258, 65534, 65535, 65536, 131070, MAX_SIZE};
	static const unsigned num_letters[] = {0, 1, 2, 26};
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(num_letters); j++) {
			fill(sizes[i], num_letters[j], (uint32_t)i);
			assert_round_trip(sizes[i], sizes[i] / 3 + 1);
		}
	}
	fill(300001, 26, 7);
	assert_round_trip(300001, 7);
}

static void test_sizes_by_chance(void **state)
{
	uint32_t seed = 20261121;
	for (int i = 0; i < 200; i++) {
		size_t size = next_random(&seed) % (1 << next_random(&seed) % 18);
		fill(size, next_random(&seed) % 40, seed);
		assert_round_trip(size, 1 + next_random(&seed) % 5000);
	}
}

// RFC 1952: no name, no time, the fastest level, an unknown system.
static void test_nothing_of_the_machine_is_in_the_file(void **state)
{
	static const unsigned char expected[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255};
	unsigned char header[sizeof(expected)];
	FILE *stream = tmpfile();
	assert_non_null(stream);
	_cleanup_(gzip_writer_destroyp) struct gzip_writer *writer = NULL;
	assert_no_error(gzip_writer_create(stream, &writer));
	gzip_writer_add(writer, "text", 4);
	assert_no_error(gzip_writer_finish(writer, "test.gz"));
	rewind(stream);
	assert_int_equal(fread(header, 1, sizeof(header), stream), sizeof(header));
	assert_memory_equal(header, expected, sizeof(header));
	fclose(stream);
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

int gzip_writer_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_written_can_be_read),
		cmocka_unit_test(test_sizes_by_chance),
		cmocka_unit_test(test_nothing_of_the_machine_is_in_the_file),
		cmocka_unit_test(test_a_full_disk_is_said),
	};
	return cmocka_run_group_tests_name("gzip_writer", tests, NULL, NULL);
}
