// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/etl_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "etl_bytes.h"

enum { PERFINFO = ETL_CLASS_PERFINFO, SAMPLE = 46, START = 1000 };

static void put_sample(struct etl_bytes *file, uint64_t ticks, uint32_t tid)
{
	etl_bytes_begin_perfinfo(file, PERFINFO, SAMPLE, 2, ticks, NULL, 0);
	etl_bytes_pointer(file, UINT64_C(0xfffff80012345678));
	etl_bytes_u32(file, tid);
	etl_bytes_u32(file, 1);
	etl_bytes_end_event(file);
}

static void put_buffer(struct etl_bytes *file, uint16_t cpu, uint64_t sequence,
		       const uint64_t *ticks, size_t count)
{
	etl_bytes_begin_buffer(file, cpu, sequence);
	for (size_t i = 0; i < count; i++)
		put_sample(file, ticks[i], cpu * 1000u + (uint32_t)i);
	etl_bytes_end_buffer(file);
}

static struct etl_stream *open_bytes(const struct etl_bytes *file)
{
	struct etl_stream *stream = NULL;
	assert_no_error(etl_stream_open_memory("test.etl", file->data, file->size, &stream));
	return stream;
}

// The header event, and then samples at these ticks.
static void assert_ticks(struct etl_stream *stream, const uint64_t *ticks, size_t count)
{
	struct etl_event event;
	bool more;
	for (size_t i = 0; i < count; i++) {
		assert_no_error(etl_stream_next(stream, &event, &more));
		assert_true(more);
		assert_int_equal(event.time_ns, ticks[i] * 100);
	}
	assert_no_error(etl_stream_next(stream, &event, &more));
	assert_false(more);
}

// Buffers of a CPU are in any order in a circular file.
static void test_cpus_are_merged_by_time(void **state)
{
	static const uint64_t first[] = {2000, 5000}, second[] = {6000, 9000},
			      other[] = {3000, 7000};
	static const uint64_t all[] = {START, 2000, 3000, 5000, 6000, 7000, 9000};
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	etl_bytes_first_buffer(&file, &(struct etl_bytes_log){.start_ticks = START});
	put_buffer(&file, 2, 3, second, 2);
	put_buffer(&file, 300, 2, other, 2);
	put_buffer(&file, 2, 1, first, 2);
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = open_bytes(&file);
	assert_ticks(stream, all, 7);
	assert_no_error(etl_stream_restart(stream));
	assert_ticks(stream, all, 7);
}

int etl_stream_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpus_are_merged_by_time),
	};
	return cmocka_run_group_tests_name("etl_stream", tests, NULL, NULL);
}
