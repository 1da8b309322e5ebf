// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/hardware_counters.h"

// Counters are asked for one by one: a list with one that is taken would be refused as a whole. The
// list is PHYSICAL_COUNTER_RESOURCE_LIST (WDK, HalAllocateHardwareCounters()).

// As the HAL of every Windows on Arm64 reads it: that of the headers is older, when there was no
// pointer in the union, which moves all of it.
struct counter_list {
	ULONG count;
	struct {
		ULONG type; // PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE
		ULONG flags;
		union {
			ULONG index;
			void *handler;
			uint64_t unused[2];
		} u;
	} descriptor;
};

_Static_assert(offsetof(struct counter_list, descriptor) == 0x8, "offset of descriptor");
_Static_assert(offsetof(struct counter_list, descriptor.u) == 0x10, "offset of u");
_Static_assert(sizeof(struct counter_list) == 0x20, "size of struct counter_list");

void hardware_counters_take(struct hardware_counters *counters)
{
	PAGED_CODE();
	counters->ours = 0;
	for (unsigned i = 0; i < DRIVER_MAX_EVENT_COUNTERS; i++) {
		struct counter_list list = {
			.count = 1,
			.descriptor = {.type = ResourceTypeSingle, .u.index = i},
		};
		NTSTATUS status =
			HalAllocateHardwareCounters(NULL, 0, (void *)&list, &counters->handles[i]);
		if (NT_SUCCESS(status))
			counters->ours |= UINT32_C(1) << i;
	}
}

void hardware_counters_give_back(struct hardware_counters *counters)
{
	PAGED_CODE();
	for (unsigned i = 0; i < DRIVER_MAX_EVENT_COUNTERS; i++) {
		if (counters->ours & UINT32_C(1) << i)
			HalFreeHardwareCounters(counters->handles[i]);
	}
	counters->ours = 0;
}
