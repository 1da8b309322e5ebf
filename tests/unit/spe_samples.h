/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_SPE_SAMPLES_H
#define WPERF_TESTS_UNIT_SPE_SAMPLES_H

/** Records of SPE, made up. */

#include "record/spe/spe_event.h"
#include "record/spe/spe_operation.h"
#include "record/spe/spe_record.h"

#define SPE_TEST_EVENT(name) (UINT64_C(1) << SPE_EVENT_##name)

static inline void spe_test_set(struct spe_record *record, unsigned value, uint64_t payload)
{
	record->values[value] = payload;
	record->has |= spe_record_bit(value);
}

static inline void spe_test_latency(struct spe_record *record, enum spe_counter counter,
				    uint32_t cycles)
{
	spe_test_set(record, SPE_VALUE_COUNTER + counter, cycles);
}

static inline struct spe_record spe_test_record(unsigned class, uint8_t operation, uint64_t events)
{
	struct spe_record record = {};
	spe_test_set(&record, SPE_VALUE_EVENTS, events);
	spe_test_set(&record, SPE_VALUE_OPERATION,
		     (uint64_t)operation << SPE_RECORD_OPERATION_SHIFT | class);
	return record;
}

/** A load or store of general-purpose registers. */
static inline struct spe_record spe_test_access(bool is_store, uint64_t address, uint32_t latency)
{
	struct spe_record record =
		spe_test_record(SPE_CLASS_LOAD_STORE, is_store,
				SPE_TEST_EVENT(RETIRED) | SPE_TEST_EVENT(L1D_ACCESS));
	spe_test_set(&record, SPE_VALUE_ADDRESS + SPE_ADDRESS_VIRTUAL, address);
	spe_test_latency(&record, SPE_COUNTER_TOTAL, latency);
	return record;
}

static inline struct spe_record spe_test_branch(uint8_t operation, uint64_t events, uint64_t target)
{
	struct spe_record record = spe_test_record(SPE_CLASS_BRANCH, operation, events);
	spe_test_set(&record, SPE_VALUE_ADDRESS + SPE_ADDRESS_BRANCH_TARGET, target);
	return record;
}

#endif
