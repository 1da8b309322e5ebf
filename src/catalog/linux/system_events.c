// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/system_events.h"

#include "catalog/linux/core_pmu_events.h"
#include "catalog/linux/core_pmus.h"
#include "catalog/linux/generic_events.h"
#include "catalog/linux/kernel_metrics.h"
#include "catalog/linux/pfm_events.h"
#include "catalog/linux/sysfs_events.h"

// The order decides what a name means, as the first event of a name is found: the kernel's generic
// events, then those of PMUs in sysfs, then those of libpfm4. The top-down metrics of the kernel
// are chosen when its events are known, and only where no table of an Arm CPU has metrics.

static struct error *system_events_append_all(struct catalog *catalog,
					      const struct system_event *events, size_t num_events)
{
	for (size_t i = 0; i < num_events; i++) {
		struct error *err = system_event_append(catalog, &events[i]);
		if (err)
			return err;
	}
	return NULL;
}

static void choose_metrics(struct catalog *catalog)
{
	for (size_t i = 0; i < catalog->num_core_pmus; i++)
		catalog->core_pmus[i].kernel_metrics =
			kernel_metrics_choose(catalog, &catalog->core_pmus[i]);
	if (!catalog->num_core_pmus)
		catalog->kernel_metrics = kernel_metrics_choose(catalog, NULL);
}

struct error *system_events_load(struct catalog *catalog, unsigned sets, const char *sysfs,
				 struct string_builder *notes)
{
	struct error *err = NULL;
	if (sets & SYSTEM_EVENTS_GENERIC)
		err = system_events_append_all(catalog, generic_hardware_events,
					       num_generic_hardware_events);
	if (!err && (sets & SYSTEM_EVENTS_SOFTWARE))
		err = system_events_append_all(catalog, generic_software_events,
					       num_generic_software_events);
	if (!err && (sets & SYSTEM_EVENTS_SYSFS))
		err = sysfs_events_load(catalog, sysfs, notes);
	if (!err)
		err = core_pmu_events_load(catalog, sets & SYSTEM_EVENTS_GENERIC);
	if (!err && !catalog->cpu)
		choose_metrics(catalog);
	if (!err && (sets & SYSTEM_EVENTS_PFM))
		err = pfm_events_load(catalog, sysfs, notes);
	return err;
}

const struct system_event *system_events_find_generic(const char *name)
{
	return generic_events_find(name);
}
