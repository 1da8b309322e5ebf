// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/perf_access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "record/spe/spe_event.h"
#include "record/spe/spe_operation.h"

// Fields of perf_mem_data_src.
#define OPERATION(bits) ((uint64_t)(bits))
#define LEVEL(bits)     ((uint64_t)(bits) << 5)
#define SNOOP(bits)     ((uint64_t)(bits) << 19)
#define LOCK(bits)      ((uint64_t)(bits) << 24)
#define TLB(bits)       ((uint64_t)(bits) << 26)
#define NUMBER(number)  ((uint64_t)(number) << 33)
#define REMOTE          (UINT64_C(1) << 37)
#define FORWARD         (UINT64_C(1) << 38)
#define HOPS(number)    ((uint64_t)(number) << 43)

enum { NO_ACCESS = 1, LOAD = 2, STORE = 4, PREFETCH = 8, EXECUTION = 16 };
enum { HIT = 2, MISS = 4, L1 = 8, L3 = 64, REMOTE_CACHE = 1 << 10, MODIFIED = 16 };

static struct spe_record operation_of(uint64_t source)
{
	const struct record_sample sample = {.data_source = source, .ip = 0x400000};
	struct spe_record record;
	assert_true(perf_access_operation(&sample, &record));
	return record;
}

static void data_come_from_where_it_says(void **state)
{
	static const struct {
		uint64_t source;
		enum perf_access_source expected;
	} cases[] = {
		{LEVEL(HIT | L1), PERF_ACCESS_L1},
		{LEVEL(HIT | 0x10), PERF_ACCESS_FILL_BUFFER},
		{LEVEL(HIT | 0x20), PERF_ACCESS_L2},
		{LEVEL(HIT | L3) | SNOOP(2), PERF_ACCESS_L3},
		{LEVEL(HIT | L3) | SNOOP(4), PERF_ACCESS_L3},
		{LEVEL(HIT | L3) | SNOOP(MODIFIED), PERF_ACCESS_PEER_MODIFIED},
		{LEVEL(HIT | L3) | FORWARD, PERF_ACCESS_PEER},
		{LEVEL(HIT | 0x80), PERF_ACCESS_MEMORY},
		{LEVEL(HIT | 0x100), PERF_ACCESS_REMOTE_MEMORY},
		{LEVEL(HIT | REMOTE_CACHE) | SNOOP(4), PERF_ACCESS_REMOTE_CACHE},
		{LEVEL(HIT | REMOTE_CACHE) | SNOOP(MODIFIED), PERF_ACCESS_REMOTE_MODIFIED},
		{LEVEL(HIT | 0x2000), PERF_ACCESS_DEVICE},
		// By numbers, as newer kernels say it; without a level that is a bit.
		{LEVEL(HIT) | NUMBER(1), PERF_ACCESS_L1},
		{LEVEL(HIT) | NUMBER(4), PERF_ACCESS_L4},
		{LEVEL(HIT) | NUMBER(9), PERF_ACCESS_CXL},
		{LEVEL(HIT) | NUMBER(12), PERF_ACCESS_FILL_BUFFER},
		{LEVEL(HIT) | NUMBER(13), PERF_ACCESS_MEMORY},
		{LEVEL(HIT) | NUMBER(13) | REMOTE, PERF_ACCESS_REMOTE_MEMORY},
		{LEVEL(HIT) | NUMBER(14), PERF_ACCESS_PERSISTENT},
		{LEVEL(HIT) | NUMBER(11) | REMOTE | SNOOP(MODIFIED), PERF_ACCESS_REMOTE_MODIFIED},
		// The number of hops says that it is the same chip.
		{LEVEL(HIT) | NUMBER(11) | REMOTE | HOPS(1), PERF_ACCESS_PEER},
		{LEVEL(HIT | REMOTE_CACHE) | NUMBER(11) | REMOTE | HOPS(2) | SNOOP(MODIFIED),
		 PERF_ACCESS_PEER_MODIFIED},
		{LEVEL(HIT) | NUMBER(11) | REMOTE | HOPS(3), PERF_ACCESS_REMOTE_CACHE},
		// Where it was not is beside where it was.
		{LEVEL(MISS | L1) | NUMBER(3), PERF_ACCESS_L3},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct spe_record record = operation_of(OPERATION(LOAD) | cases[i].source);
		assert_true(spe_record_has(&record, SPE_VALUE_DATA_SOURCE));
		assert_int_equal(record.values[SPE_VALUE_DATA_SOURCE], cases[i].expected);
	}
}

static void nothing_is_guessed(void **state)
{
	static const uint64_t unknown[] = {0,          LEVEL(1),
					   LEVEL(HIT), LEVEL(MISS | L1),
					   NUMBER(15), NUMBER(11),
					   NUMBER(7),  LEVEL(MISS) | NUMBER(3)};
	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++) {
		struct spe_record record = operation_of(OPERATION(LOAD) | unknown[i]);
		assert_false(spe_record_has(&record, SPE_VALUE_DATA_SOURCE));
		assert_false(spe_record_has_latency(&record, SPE_COUNTER_TOTAL));
		assert_false(spe_record_has_address(&record, SPE_ADDRESS_VIRTUAL));
	}
	struct spe_record record;
	static const uint64_t none[] = {0, NO_ACCESS | LEVEL(HIT | L1), PREFETCH, EXECUTION};
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		assert_false(perf_access_operation(
			&(struct record_sample){.data_source = none[i], .address = 8}, &record));
}

static void what_was_missed_is_a_miss(void **state)
{
	struct spe_record record = operation_of(OPERATION(LOAD) | LEVEL(MISS) | NUMBER(3));
	assert_true(spe_record_has_event(&record, SPE_EVENT_L1D_REFILL));
	assert_true(spe_record_has_event(&record, SPE_EVENT_LLC_MISS));
	record = operation_of(OPERATION(LOAD) | LEVEL(MISS) | NUMBER(2));
	assert_true(spe_record_has_event(&record, SPE_EVENT_L1D_REFILL));
	assert_false(spe_record_has_event(&record, SPE_EVENT_LLC_ACCESS));
}

static void operations_are_told_apart(void **state)
{
	struct spe_record store = operation_of(STORE | LEVEL(MISS | L1) | TLB(4 | 32));
	struct spe_record locked = operation_of(LOAD | LEVEL(HIT | L1) | LOCK(2) | TLB(2 | 8));
	struct spe_operation kind =
		spe_operation_of(spe_record_class(&store), spe_record_operation(&store));
	assert_int_equal(kind.flags, SPE_OPERATION_IS_STORE);
	assert_false(spe_record_has(&store, SPE_VALUE_DATA_SOURCE));
	assert_true(spe_record_has_event(&store, SPE_EVENT_L1D_REFILL));
	assert_true(spe_record_has_event(&store, SPE_EVENT_TLB_WALK));
	kind = spe_operation_of(spe_record_class(&locked), spe_record_operation(&locked));
	assert_int_equal(kind.flags, SPE_OPERATION_IS_ATOMIC);
	assert_false(spe_record_has_event(&locked, SPE_EVENT_L1D_REFILL));
	assert_false(spe_record_has_event(&locked, SPE_EVENT_TLB_WALK));
	assert_true(spe_record_has_event(&locked, SPE_EVENT_TLB_ACCESS));
}

int perf_access_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_come_from_where_it_says),
		cmocka_unit_test(nothing_is_guessed),
		cmocka_unit_test(what_was_missed_is_a_miss),
		cmocka_unit_test(operations_are_told_apart),
	};
	return cmocka_run_group_tests_name("perf_access", tests, NULL, NULL);
}
