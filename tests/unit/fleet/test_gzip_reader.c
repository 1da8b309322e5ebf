// SPDX-License-Identifier: Apache-2.0

#include "fleet/gzip_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file/memory_stream.h"
#include "view/export/gzip_writer.h"

#include "tests/unit/assert_error.h"

#include <stdlib.h>
#include <string.h>

/** @size zeros, packed. */
static struct memory_stream packed_zeros(size_t size)
{
	struct memory_stream packed;
	struct gzip_writer *gzip;
	char *zeros = calloc(1, size + 1);
	assert_non_null(zeros);
	assert_no_error(memory_stream_open(&packed));
	assert_no_error(gzip_writer_create(packed.stream, &gzip));
	gzip_writer_add(gzip, zeros, size);
	assert_no_error(gzip_writer_finish(gzip, "zeros"));
	gzip_writer_destroy(gzip);
	assert_no_error(memory_stream_close(&packed));
	free(zeros);
	return packed;
}

static void test_all_bytes_come_back(void **state)
{
	static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300000};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		_cleanup_(memory_stream_deinit) struct memory_stream packed =
			packed_zeros(sizes[i]);
		_cleanup_free_ uint8_t *bytes = NULL;
		size_t size = 1;
		assert_true(gzip_reader_is_gzip(packed.text, packed.size));
		assert_no_error(
			gzip_reader_unpack(packed.text, packed.size, sizes[i], &bytes, &size));
		assert_int_equal(size, sizes[i]);
		for (size_t j = 0; j < size; j++)
			assert_int_equal(bytes[j], 0);
	}
}

static void test_a_bomb_is_refused(void **state)
{
	_cleanup_(memory_stream_deinit) struct memory_stream packed = packed_zeros(300000);
	uint8_t *bytes;
	size_t size;
	assert_error(gzip_reader_unpack(packed.text, packed.size, 100000, &bytes, &size),
		     ERROR_FAILED, "the gzip data has more than 100000 bytes unpacked");
	assert_error(gzip_reader_unpack(packed.text, packed.size, 299999, &bytes, &size),
		     ERROR_FAILED, "the gzip data has more than 299999 bytes unpacked");
}

static void test_damage_is_refused(void **state)
{
	_cleanup_(memory_stream_deinit) struct memory_stream packed = packed_zeros(1000);
	uint8_t *bytes;
	size_t size;
	for (size_t i = 0; i < packed.size; i++)
		assert_error(gzip_reader_unpack(packed.text, i, 1000, &bytes, &size), ERROR_FAILED,
			     "the gzip data is damaged");
	packed.text[packed.size - 8] ^= 1; // of the sum
	assert_error(gzip_reader_unpack(packed.text, packed.size, 1000, &bytes, &size),
		     ERROR_FAILED, "the gzip data is damaged");
	assert_false(gzip_reader_is_gzip("\x1f", 1));
}

int gzip_reader_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_bytes_come_back),
		cmocka_unit_test(test_a_bomb_is_refused),
		cmocka_unit_test(test_damage_is_refused),
	};
	return cmocka_run_group_tests_name("gzip_reader", tests, NULL, NULL);
}
