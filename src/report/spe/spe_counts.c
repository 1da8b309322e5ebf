// SPDX-License-Identifier: Apache-2.0
// While SPE samples, WindowsPerf counts four events of the PMU on the same core, and prints them
// beside the samples as `stat` would. They say how good the statistics are: of the operations that
// could be sampled (SAMPLE_POP), how many were chosen (SAMPLE_FEED), passed the filters
// (SAMPLE_FILTRATE), or were lost because the one before was still under way (SAMPLE_COLLISION).
// They are common events 0x4000 to 0x4003 of the Arm ARM.

#include "report/spe/spe_counts.h"

#include <string.h>

static const struct stat_event events[SPE_COUNTS_NUM_EVENTS] = {
	{.name = "cycle", .note = "e", .is_fixed = true, .scale = 1},
	{.name = "sample_pop", .note = "e", .code = 0x4000, .scale = 1},
	{.name = "sample_feed", .note = "e", .code = 0x4001, .scale = 1},
	{.name = "sample_filtrate", .note = "e", .code = 0x4002, .scale = 1},
	{.name = "sample_collision", .note = "e", .code = 0x4003, .scale = 1},
};

static void set_counts(struct count_set *set, const struct sample_spe_counts *counted)
{
	const uint64_t values[SPE_COUNTS_NUM_EVENTS] = {counted->cycles, counted->population,
							counted->feed, counted->filtrate,
							counted->collisions};
	set->units[0] = counted->core;
	for (size_t i = 0; i < SPE_COUNTS_NUM_EVENTS; i++)
		*count_set_at(set, 0, i) =
			// These counters had their events all the time: nothing is scaled.
			(struct count){.value = values[i], .scheduled = 1, .total = 1};
}

struct error *spe_counts_init(struct spe_counts *counts, const struct sample_spe_counts *counted,
			      bool with_kernel, const char *vendor)
{
	*counts = (struct spe_counts)SPE_COUNTS_INIT;
	counts->report = (struct stat_report){
		.kernel_mode = with_kernel,
		.vendor_name = vendor,
		.sections = &counts->section,
	};
	// Only sources behind the driver contract have these counts; else there is no section.
	if (!counted->is_known)
		return NULL;
	struct error *err =
		count_set_create(COUNT_UNIT_CORE, 1, SPE_COUNTS_NUM_EVENTS, &counts->counts);
	if (err)
		return err;
	set_counts(&counts->counts, counted);
	memcpy(counts->events, events, sizeof(events));
	counts->section = (struct stat_section){
		.event_class = EVENT_CORE,
		.events = counts->events,
		.num_events = SPE_COUNTS_NUM_EVENTS,
		.counts = &counts->counts,
	};
	counts->report.num_sections = 1;
	return NULL;
}

void spe_counts_deinit(struct spe_counts *counts)
{
	count_set_deinit(&counts->counts);
}
