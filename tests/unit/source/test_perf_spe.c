// SPDX-License-Identifier: Apache-2.0
// SPE out of an AUX area that this test makes, as the kernel and the hardware fill it; and the file
// that is written of it.

#include "source/perf/perf_spe.h"

#include "base/container/array.h"
#include "record/perf_data/perf_data_reader.h"
#include "record/perf_data/perf_data_writer.h"
#include "record/spe/spe_core.h"
#include "record/spe/spe_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/spe_bytes.h"

enum { AREA_BYTES = 4096, CORE = 3, EVENT = 0, PERIOD = 1024, PMU_TYPE = 9 };

struct fixture {
	struct perf_event_mmap_page page;
	uint8_t area[AREA_BYTES];
	struct perf_spe spe;
	struct running_threads threads;
	struct perf_spe_context context;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	perf_spe_init(&fixture->spe, CORE, SPE_CORE_NEOVERSE_N1);
	fixture->spe.aux =
		(struct perf_aux){.page = &fixture->page, .data = fixture->area, AREA_BYTES};
	fixture->context = (struct perf_spe_context){
		.threads = &fixture->threads,
		.conversion = time_conversion_of_timer(100000000, 0, 5000), // a tick is 10 ns
		.event = EVENT,
		.period = PERIOD,
	};
	assert_no_error(running_threads_add(&fixture->threads, (struct running_thread){70, 71}));
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	running_threads_deinit(&fixture->threads);
	perf_spe_deinit(&fixture->spe);
	free(fixture);
	return 0;
}

// 64 bytes, with a context packet.
static void put_store(struct spe_bytes *to, uint64_t pc, uint32_t tid, uint64_t ticks)
{
	size_t start = to->size;
	put_address(to, SPE_ADDRESS_PC, pc);
	put(to, 0x64, tid, 4);
	put_operation(to, 1, 1);
	put_address(to, SPE_ADDRESS_VIRTUAL, pc * 2);
	while (to->size < start + 55)
		put(to, 0, 0, 0);
	put_timestamp(to, ticks);
}

static void note_aux(struct fixture *fixture, uint64_t position, uint64_t size, uint64_t flags)
{
	const uint64_t words[] = {PERF_ABI_AUX | UINT64_C(32) << 48, position, size, flags};
	const struct record record = {.kind = RECORD_OTHER,
				      .pid = 80,
				      .tid = 81,
				      .raw = (const uint8_t *)words,
				      .raw_size = sizeof(words)};
	assert_no_error(perf_spe_note(&fixture->spe, &record));
}

/** As the hardware does, round and round. */
static void write_area(struct fixture *fixture, const void *bytes, size_t size)
{
	uint64_t head = fixture->page.aux_head;
	for (size_t i = 0; i < size; i++)
		fixture->area[(head + i) % AREA_BYTES] = ((const uint8_t *)bytes)[i];
	fixture->page.aux_head = head + size;
	note_aux(fixture, head, size, 0);
	assert_true(fixture->page.aux_head - fixture->page.aux_tail <= AREA_BYTES);
}

static void write_stores(struct fixture *fixture, uint64_t first, size_t num)
{
	struct spe_bytes bytes = {};
	for (size_t i = 0; i < num; i++)
		put_store(&bytes, first + i, 71, first + i);
	write_area(fixture, bytes.bytes, bytes.size);
}

static bool take(struct fixture *fixture, struct record *ret)
{
	return perf_spe_next(&fixture->spe, &fixture->context, ret);
}

/** Pieces are passed over. Returns how many samples there were, of ascending addresses. */
static size_t take_all(struct fixture *fixture, uint64_t first)
{
	struct record record;
	size_t num = 0;
	perf_spe_look(&fixture->spe);
	while (take(fixture, &record)) {
		if (record.kind != RECORD_SAMPLE)
			continue;
		assert_int_equal(record.sample.ip, first + num);
		num++;
	}
	assert_int_equal(fixture->page.aux_tail, fixture->page.aux_head);
	return num;
}

static void a_piece_comes_before_its_samples(void **state)
{
	struct fixture *fixture = *state;
	struct record record;
	perf_spe_look(&fixture->spe);
	assert_false(take(fixture, &record));
	write_stores(fixture, 0x1000, 2);
	assert_false(take(fixture, &record)); // not before the next look
	perf_spe_look(&fixture->spe);
	assert_true(take(fixture, &record));
	assert_int_equal(record.kind, RECORD_OTHER);
	assert_int_equal(record.payload_size, 128);
	assert_ptr_equal(record.payload, fixture->area);
	const struct aux_piece_record *piece = (const struct aux_piece_record *)record.raw;
	assert_int_equal(record.raw_size, 48);
	assert_int_equal(piece->header.type, PERF_ABI_AUXTRACE);
	assert_int_equal(piece->size, 128);
	assert_int_equal(piece->cpu, CORE);
	assert_true(take(fixture, &record));
	assert_int_equal(record.kind, RECORD_SAMPLE);
	assert_int_equal(record.mode, RECORD_MODE_USER);
	assert_int_equal(record.pid, 70);
	assert_int_equal(record.tid, 71);
	assert_int_equal(record.cpu, CORE);
	assert_int_equal(record.event, EVENT);
	assert_int_equal(record.time_ns, 5000 + 10 * 0x1000);
	assert_int_equal(record.sample.ip, 0x1000);
	assert_int_equal(record.sample.address, 0x2000);
	assert_int_equal(record.sample.period, PERIOD);
	assert_int_equal(record.sample.spe_midr, SPE_CORE_NEOVERSE_N1);
	assert_non_null(record.sample.spe);
	// Its room is the hardware's again only when all of it was taken.
	assert_int_equal(fixture->page.aux_tail, 0);
	assert_true(take(fixture, &record));
	assert_int_equal(record.sample.ip, 0x1001);
	assert_false(take(fixture, &record));
	assert_int_equal(fixture->page.aux_tail, 128);
}

// The area goes round in the midst of a record, and of a packet.
static void an_area_goes_round(void **state)
{
	struct fixture *fixture = *state;
	static const uint8_t zeros[27];
	uint64_t next = 0x1000;
	write_area(fixture, zeros, sizeof(zeros));
	for (size_t i = 0; i < 50; i++) {
		size_t num = 1 + i % 60;
		write_stores(fixture, next, num);
		assert_int_equal(take_all(fixture, next), num);
		next += num;
	}
	assert_true(fixture->page.aux_head > 10 * AREA_BYTES);
	assert_int_equal(fixture->spe.stream.num_bad_bytes, 0);
}

// Behind a part that was cut something is missing: what was begun there is given up.
static void cut_parts(void **state)
{
	struct fixture *fixture = *state;
	struct spe_bytes bytes = {};
	put_store(&bytes, 0x1000, 71, 1);
	put_address(&bytes, SPE_ADDRESS_VIRTUAL, 77); // of a record without a PC
	size_t cut = bytes.size;
	note_aux(fixture, 0, cut, PERF_ABI_AUX_TRUNCATED | PERF_ABI_AUX_COLLISION);
	put_store(&bytes, 0x1001, 71, 2);
	write_area(fixture, bytes.bytes, bytes.size);
	assert_int_equal(take_all(fixture, 0x1000), 2);
	assert_int_equal(fixture->spe.stream.num_bad_bytes, 9);
	assert_int_equal(fixture->spe.num_truncations, 1);
	assert_int_equal(fixture->spe.num_collisions, 1);
	assert_int_equal(fixture->spe.num_gaps, 0);
	// A gap without anything in front of it.
	note_aux(fixture, bytes.size, 0, PERF_ABI_AUX_PARTIAL);
	write_stores(fixture, 0x2000, 20);
	assert_int_equal(take_all(fixture, 0x2000), 20);
	assert_int_equal(fixture->spe.num_gaps, 1);
	assert_int_equal(fixture->spe.stream.num_bad_bytes, 9);
}

// What the kernel did not speak of yet waits: whose it is is not known.
static void parts_that_were_not_told(void **state)
{
	struct fixture *fixture = *state;
	struct record record;
	struct spe_bytes bytes = {};
	for (uint64_t i = 0; i < 3; i++)
		put_load(&bytes, 0x1000 + i, 0x2000, i); // without a context packet
	memcpy(fixture->area, bytes.bytes, bytes.size);
	fixture->page.aux_head = bytes.size;
	fixture->context.is_of_threads = true;
	perf_spe_look(&fixture->spe);
	assert_false(take(fixture, &record));
	note_aux(fixture, 0, 64, 0);
	assert_true(take(fixture, &record));
	assert_int_equal(record.payload_size, 64);
	assert_true(take(fixture, &record));
	assert_int_equal(record.pid, 80);
	assert_int_equal(record.tid, 81);
	assert_false(take(fixture, &record));
	// Of a whole core, its switches say it; there were none.
	fixture->context.is_of_threads = false;
	note_aux(fixture, 64, bytes.size - 64, 0);
	assert_true(take(fixture, &record));
	assert_true(take(fixture, &record));
	assert_int_equal(record.tid, UINT32_MAX);
}

static void an_area_that_says_too_much(void **state)
{
	struct fixture *fixture = *state;
	struct record record;
	note_aux(fixture, 0, AREA_BYTES + 1, 0);
	fixture->page.aux_head = AREA_BYTES + 1;
	perf_spe_look(&fixture->spe);
	assert_false(take(fixture, &record));
}

static void write_all(struct fixture *fixture, struct perf_data_writer *writer)
{
	struct record record;
	perf_spe_look(&fixture->spe);
	while (take(fixture, &record))
		if (record.payload)
			assert_no_error(perf_data_writer_trace(writer, record.raw, record.raw_size,
							       record.payload,
							       record.payload_size));
}

static void write_introduction(struct perf_data_writer *writer, uint32_t other_midr)
{
	struct spe_machine_core cores[] = {{.cpu = CORE,
					    .midr = SPE_CORE_NEOVERSE_V1,
					    .pmu_type = PMU_TYPE,
					    .min_period = 1024},
					   {.cpu = 4, .midr = other_midr, .pmu_type = PMU_TYPE}};
	const struct spe_machine machine = {
		.pmu_type = PMU_TYPE, .cores = cores, .num_cores = ARRAY_SIZE(cores)};
	uint64_t *info;
	size_t size;
	assert_no_error(spe_machine_write(&machine, &info, &size));
	assert_no_error(perf_data_writer_raw(writer, info, size));
	free(info);
}

// What is read from the file is what came live, but for the conversion, which the file has not.
/** Samples that perf makes of it, if there is one here; else @expected. */
static size_t count_by_perf(const char *path, size_t expected)
{
	char command[128], line[256];
	size_t num = 0;
	snprintf(command, sizeof(command), "perf script --itrace=i1i -i %s 2>/dev/null", path);
	if (system("command -v perf >/dev/null"))
		return expected;
	FILE *perf = popen(command, "r");
	assert_non_null(perf);
	while (fgets(line, sizeof(line), perf))
		num++;
	assert_int_equal(pclose(perf), 0);
	return num;
}

static void check_file(struct fixture *fixture, uint32_t other_midr)
{
	char path[64];
	snprintf(path, sizeof(path), "/tmp/wperf-perf-spe-%d-%u", (int)getpid(), other_midr);
	static const uint64_t ids[] = {5};
	struct perf_data_event event = {
		.name = "arm_spe_0//", .attr_size = 128, .ids = ids, .num_ids = 1};
	const uint64_t flags = PERF_ABI_ATTR_SAMPLE_ID_ALL;
	event.attr[PERF_ABI_ATTR_TYPE] = PMU_TYPE;
	memcpy(event.attr + PERF_ABI_ATTR_FLAGS, &flags, sizeof(flags));
	memcpy(event.attr + PERF_ABI_ATTR_SAMPLE_TYPE, &perf_data_writer_sample_type, 8);
	const struct perf_data_info info = {.machine = "aarch64", .cpu_id = "0x000000004100d400"};
	_cleanup_(perf_data_writer_destroyp) struct perf_data_writer *writer = NULL;
	assert_no_error(perf_data_writer_create(path, &event, 1, &writer));
	write_introduction(writer, other_midr);
	static const uint8_t zeros[27];
	write_area(fixture, zeros, sizeof(zeros)); // pieces are no multiples of 8
	for (uint64_t i = 0; i < 5; i++) {
		write_stores(fixture, 0x1000 + 50 * i, 50);
		write_all(fixture, writer);
	}
	assert_no_error(perf_data_writer_finish(writer, &info));

	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = NULL;
	assert_no_error(perf_data_reader_open(path, &reader));
	// perf reads the other layout from Linux 6.13 on.
	if (other_midr == SPE_CORE_NEOVERSE_V1)
		assert_int_equal(count_by_perf(path, 250), 250);
	unlink(path);
	size_t num = 0;
	for (bool more = true; more;) {
		struct record record;
		assert_no_error(perf_data_reader_next(reader, &record, &more));
		if (!more || record.kind != RECORD_SAMPLE)
			continue;
		assert_int_equal(record.sample.ip, 0x1000 + num);
		assert_int_equal(record.tid, 71);
		assert_int_equal(record.cpu, CORE);
		assert_int_equal(record.sample.spe_midr, SPE_CORE_NEOVERSE_V1);
		num++;
	}
	assert_int_equal(num, 250);
	struct perf_data_damage damage = perf_data_reader_damage(reader);
	assert_int_equal(damage.truncated_bytes + damage.bad_records + damage.spe.num_bad_bytes +
				 damage.spe.num_damages,
			 0);
}

static void a_file_has_the_traces(void **state)
{
	check_file(*state, SPE_CORE_NEOVERSE_V1);
}

// Then the description has another layout.
static void a_file_of_cores_that_differ(void **state)
{
	check_file(*state, 5);
}

static void ticks_of_timers(void **state)
{
	static const uint64_t frequencies[] = {1000000,   19200000,   24000000,
					       100000000, 1000000000, UINT64_C(3000000000)};
	for (size_t i = 0; i < ARRAY_SIZE(frequencies); i++) {
		uint64_t hz = frequencies[i], start = hz * 1000000;
		struct time_conversion conversion =
			time_conversion_of_timer(hz, start, UINT64_C(12345678901));
		assert_int_equal(time_conversion_ns(&conversion, start), UINT64_C(12345678901));
		// A second before and an hour later, to a hundred nanoseconds in a second.
		uint64_t before = time_conversion_ns(&conversion, start - hz);
		assert_in_range(before, UINT64_C(11345678801), UINT64_C(11345679001));
		uint64_t later = time_conversion_ns(&conversion, start + 3600 * hz);
		uint64_t expected = UINT64_C(12345678901) + UINT64_C(3600000000000);
		assert_in_range(later, expected - 360000, expected + 360000);
	}
	assert_false(time_conversion_of_timer(0, 0, 0).is_known);
}

int perf_spe_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_piece_comes_before_its_samples, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(an_area_goes_round, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cut_parts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(parts_that_were_not_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_area_that_says_too_much, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_has_the_traces, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_of_cores_that_differ, set_up, tear_down),
		cmocka_unit_test(ticks_of_timers),
	};
	return cmocka_run_group_tests_name("perf_spe", tests, NULL, NULL);
}
