// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "shared_data.h"

// 6,320 samples are those of PerfView's baseline; 2,583 stacks are of other events.
static void test_samples_and_stacks_of_a_real_file(void **state)
{
	const char *path = WPERF_SHARED_DIR "/data/etl/net.4.5.2.x64.etl.zip";
	skip_without(path);
	struct etl_stream *stream;
	_cleanup_(etl_reader_destroyp) struct etl_reader *reader = NULL;
	assert_no_error(etl_stream_open(path, false, &stream));
	assert_no_error(etl_reader_create(stream, false, &reader));
	struct record record;
	bool more;
	size_t samples = 0, stacks = 0, begin_with_ip = 0;
	for (;;) {
		assert_no_error(etl_reader_next(reader, &record, &more));
		if (!more)
			break;
		bool has_stack = record.kind == RECORD_SAMPLE && record.sample.chain_length > 1;
		samples += record.kind == RECORD_SAMPLE;
		stacks += has_stack;
		begin_with_ip += has_stack && record.sample.chain[1] == record.sample.ip;
	}
	struct etl_reader_notes notes = etl_reader_notes(reader);
	assert_int_equal(samples, 6320);
	assert_int_equal(stacks, 6318);
	assert_true(begin_with_ip >= 6316);
	assert_int_equal(notes.num_stacks_unmatched, 2583);
	assert_int_equal(notes.num_idle, 79528 - 6320);
	assert_int_equal(notes.bad_payloads, 0);
}

int etl_reader_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_and_stacks_of_a_real_file),
	};
	return cmocka_run_group_tests_name("etl_reader", tests, NULL, NULL);
}
