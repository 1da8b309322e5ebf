// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_level.h"

#include "base/container/array.h"
#include "record/spe/spe_event.h"
#include "record/spe/spe_operation.h"

#include <stddef.h>

// The data source packet says where data came from, by codes that each CPU defines
// (spe_data_source). Without it, the level follows from the event bits, by the first rule that
// fits. A miss alone says only where data was not, which is not a level.

#define EVENT(name) (UINT64_C(1) << SPE_EVENT_##name)

// The first whose events are there, and others not. A miss alone says only where it was not.
static const struct {
	uint64_t with, without;
	uint8_t level;
} rules[] = {
	{EVENT(REMOTE_ACCESS), 0, SPE_DISTANCE_REMOTE},
	{EVENT(LLC_MISS), 0, SPE_DISTANCE_MEMORY},
	{EVENT(LLC_ACCESS), 0, SPE_DISTANCE_SYSTEM_CACHE},
	{EVENT(L2D_ACCESS), EVENT(L2D_MISS), SPE_DISTANCE_L2},
	{EVENT(L1D_ACCESS), EVENT(L1D_REFILL) | EVENT(L2D_ACCESS) | EVENT(L2D_MISS),
	 SPE_DISTANCE_L1},
};

static bool is_load(const struct spe_record *record)
{
	if (!spe_record_has(record, SPE_VALUE_OPERATION) ||
	    spe_record_class(record) != SPE_CLASS_LOAD_STORE)
		return false;
	uint8_t payload = spe_record_operation(record);
	struct spe_operation operation = spe_operation_of(SPE_CLASS_LOAD_STORE, payload);
	return !(operation.flags & SPE_OPERATION_IS_STORE) ||
	       operation.flags & SPE_OPERATION_IS_ATOMIC;
}

struct spe_origin spe_origin_of(const struct spe_record *record, uint32_t midr)
{
	struct spe_origin origin = {.level = SPE_LEVEL_NONE};
	if (spe_record_has(record, SPE_VALUE_DATA_SOURCE)) {
		origin.source = spe_data_source_find(midr, record->values[SPE_VALUE_DATA_SOURCE]);
		origin.level = origin.source ? origin.source->distance : SPE_LEVEL_NONE;
	}
	if (origin.source || !is_load(record))
		return origin;
	uint64_t events = record->values[SPE_VALUE_EVENTS];
	size_t i = 0;
	while (i < ARRAY_SIZE(rules) && (!(events & rules[i].with) || events & rules[i].without))
		i++;
	origin.is_by_events = i < ARRAY_SIZE(rules);
	origin.level = origin.is_by_events ? rules[i].level : SPE_LEVEL_UNKNOWN;
	return origin;
}

const char *spe_level_name(unsigned level)
{
	if (level < SPE_NUM_DISTANCES)
		return spe_distance_name(level);
	return level == SPE_LEVEL_UNKNOWN ? "not known" : "no load";
}
