// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/core_pmu_events.h"

#include "base/container/array.h"
#include "catalog/linux/core_pmus.h"
#include "catalog/linux/generic_events.h"
#include "catalog/linux/system_event.h"

#include <linux/perf_event.h>
#include <strings.h>

// A generic event of one PMU has the type of the PMU in the upper half of its number
// (perf_event_open(2), PERF_TYPE_HARDWARE). The kernel knows that since 5.13 on x86 and 6.6 on Arm.
// On older ones an Arm event with the same meaning stands for it, if the PMU publishes it: those
// are the codes to which drivers/perf/arm_pmuv3.c of the kernel maps generic events.

/** What an Arm PMU counts for a generic event; the first code that it publishes. */
static const struct {
	uint64_t generic, code;
} arm_codes[] = {
	{PERF_COUNT_HW_CPU_CYCLES, 0x11},
	{PERF_COUNT_HW_INSTRUCTIONS, 0x08},
	{PERF_COUNT_HW_CACHE_REFERENCES, 0x04},
	{PERF_COUNT_HW_CACHE_MISSES, 0x03},
	{PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0x21},
	{PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0x0c},
	{PERF_COUNT_HW_BRANCH_MISSES, 0x10},
	{PERF_COUNT_HW_BUS_CYCLES, 0x1d},
	{PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x23},
	{PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x24},
};

static bool publishes(const struct catalog *catalog, const struct core_pmu *pmu, uint64_t code)
{
	for (size_t i = 0; i < catalog->num_system_events; i++) {
		const struct system_event *event = system_event_of(catalog->system_events[i]);
		if (event->type == pmu->type && event->event.code == code)
			return true;
	}
	return false;
}

/** Type and code of a generic event on this PMU; false if it has none. */
static bool encode(const struct catalog *catalog, const struct core_pmu *pmu,
		   const struct system_event *generic, uint32_t *ret_type, uint64_t *ret_code)
{
	*ret_type = generic->type;
	*ret_code = (uint64_t)pmu->type << PERF_PMU_TYPE_SHIFT | generic->event.code;
	if (pmu->takes_generic_events)
		return true;
	*ret_type = pmu->type;
	for (size_t i = 0; pmu->cpu && i < ARRAY_SIZE(arm_codes); i++) {
		*ret_code = arm_codes[i].code;
		if (generic->type == PERF_TYPE_HARDWARE &&
		    arm_codes[i].generic == generic->event.code &&
		    publishes(catalog, pmu, *ret_code))
			return true;
	}
	return false;
}

static bool is_there(const struct catalog *catalog, const char *name)
{
	for (size_t i = 0; i < catalog->num_system_events; i++)
		if (strcasecmp(catalog->system_events[i]->name, name) == 0)
			return true;
	return false;
}

/** @event: with the name, title and description that it has without a PMU. */
static struct error *core_pmu_events_add(struct catalog *catalog, const struct core_pmu *pmu,
					 const struct system_event *event)
{
	const char *name = core_pmu_name(pmu, &catalog->arena, event->event.name);
	struct system_event *copy = arena_alloc(&catalog->arena, sizeof(*copy));
	if (!name || !copy)
		return &error_no_memory;
	*copy = *event;
	copy->event.name = name;
	copy->event.event_class = EVENT_PERF;
	return is_there(catalog, name) ? NULL : system_event_append(catalog, copy);
}

static struct error *add_generic(struct catalog *catalog, const struct core_pmu *pmu)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_generic_hardware_events; i++) {
		struct system_event event = generic_hardware_events[i];
		if (!encode(catalog, pmu, &generic_hardware_events[i], &event.type,
			    &event.event.code))
			continue;
		event.alias = NULL;
		event.kind = arena_printf(&catalog->arena, "%s of %s", event.kind, pmu->name);
		err = event.kind ? core_pmu_events_add(catalog, pmu, &event) : &error_no_memory;
	}
	return err;
}

static struct error *add_table(struct catalog *catalog, const struct core_pmu *pmu)
{
	const char *kind = arena_printf(&catalog->arena, "%s PMU event", pmu->name);
	struct error *err = kind ? NULL : &error_no_memory;
	for (size_t i = 0; !err && pmu->cpu && i < pmu->cpu->num_events; i++) {
		const struct system_event event = {
			.event = *pmu->cpu->events[i],
			.type = pmu->type,
			.kind = kind,
			.scale = 1,
		};
		err = core_pmu_events_add(catalog, pmu, &event);
	}
	return err;
}

struct error *core_pmu_events_load(struct catalog *catalog, bool with_generic)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < catalog->num_core_pmus; i++) {
		const struct core_pmu *pmu = &catalog->core_pmus[i];
		if (with_generic)
			err = add_generic(catalog, pmu);
		if (!err)
			err = add_table(catalog, pmu);
	}
	return err;
}
