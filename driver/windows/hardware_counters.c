// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/hardware_counters.h"

// HalAllocateHardwareCounters() takes a list of counters, PHYSICAL_COUNTER_RESOURCE_LIST of the
// WDK, and refuses it as a whole if one of them is taken, or does not exist. So all are asked for
// in one request; where that is refused, one by one.

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
	} descriptors[DRIVER_MAX_EVENT_COUNTERS];
};

_Static_assert(offsetof(struct counter_list, descriptors) == 0x8, "offset of descriptors");
_Static_assert(offsetof(struct counter_list, descriptors[0].u) == 0x10, "offset of u");
_Static_assert(offsetof(struct counter_list, descriptors[1]) == 0x20, "size of a descriptor, 0x18");

// Those from @first to before @end.
static bool hardware_counters_ask(struct hardware_counters *counters, unsigned first, unsigned end)
{
	struct counter_list list = {.count = end - first};
	for (unsigned i = first; i < end; i++) {
		list.descriptors[i - first].type = ResourceTypeSingle;
		list.descriptors[i - first].u.index = i;
	}
	NTSTATUS status = HalAllocateHardwareCounters(NULL, 0, (void *)&list,
						      &counters->handles[counters->num_handles]);
	if (!NT_SUCCESS(status))
		return false;
	counters->num_handles++;
	for (unsigned i = first; i < end; i++)
		counters->ours |= UINT32_C(1) << i;
	return true;
}

void hardware_counters_take(struct hardware_counters *counters, unsigned num)
{
	PAGED_CODE();
	counters->ours = 0;
	counters->num_handles = 0;
	if (num > DRIVER_MAX_EVENT_COUNTERS)
		num = DRIVER_MAX_EVENT_COUNTERS;
	if (num == 0 || hardware_counters_ask(counters, 0, num))
		return;
	for (unsigned i = 0; i < num; i++)
		hardware_counters_ask(counters, i, i + 1);
}

void hardware_counters_give_back(struct hardware_counters *counters)
{
	PAGED_CODE();
	for (unsigned i = 0; i < counters->num_handles; i++)
		HalFreeHardwareCounters(counters->handles[i]);
	counters->num_handles = 0;
	counters->ours = 0;
}
