// SPDX-License-Identifier: Apache-2.0
#include "view/text/stat_section.h"

#include <inttypes.h>

// What can be asked of the counts of one class of events. A count has three states: it was on a
// counter all the time, some of the time (then its scaled value is an estimate), or never, although
// the event exists; the last one is no 0 but "<not counted>".
//
//	on a counter    value    scaled value    text
//	10/10           2250     2250            2,250
//	5/10            1125     2250            1,125, and 2,250 as the scaled value
//	0/10            0        0               <not counted>
//	no such event   0        0               <not supported>

bool stat_section_is_multiplexed(const struct stat_section *section)
{
	if (section->multiplexed)
		return true;
	if (section->event_class != EVENT_PERF)
		return false;
	// The kernel takes turns without having been asked.
	const struct count_set *set = section->counts;
	for (size_t i = 0; i < set->num_units * set->num_columns; i++)
		if (!count_is_whole(&set->counts[i]))
			return true;
	return false;
}

bool stat_section_is_of_cores(const struct stat_section *section)
{
	return section->counts->unit_kind == COUNT_UNIT_CORE;
}

bool stat_section_is_of_core_groups(const struct stat_section *section)
{
	return section->counts->unit_kind == COUNT_UNIT_CORE_GROUP;
}

bool stat_section_is_of_cgroups(const struct stat_section *section)
{
	return section->counts->unit_kind == COUNT_UNIT_CGROUP;
}

bool stat_section_is_of_processes(const struct stat_section *section)
{
	return section->counts->unit_kind == COUNT_UNIT_PROCESS ||
	       section->counts->unit_kind == COUNT_UNIT_THREAD;
}

bool stat_section_is_dmc(const struct stat_section *section)
{
	return section->event_class == EVENT_DMC_CLK || section->event_class == EVENT_DMC_CLKDIV2;
}

bool stat_section_has_counts(const struct stat_section *section)
{
	return section->counts->num_units > 0 && section->num_events > 0;
}

const char stat_not_counted[] = "<not counted>";

bool stat_count_is_missing(const struct count *count)
{
	return !count_is_measured(count) && count->total > 0;
}

const char *stat_missing_text(const struct stat_event *event, const struct count *count)
{
	if (event->is_absent)
		return "<not supported>";
	return stat_count_is_missing(count) || stat_count_is_elsewhere(event, count)
		       ? stat_not_counted
		       : NULL;
}

bool stat_count_is_elsewhere(const struct stat_event *event, const struct count *count)
{
	return event->is_of_some_cores && !count->total;
}

double stat_count_running(const struct count *count)
{
	return count->total ? 100.0 * (double)count->scheduled / (double)count->total : 0;
}

bool stat_event_has_scale(const struct stat_event *event)
{
	return event->unit && event->scale != 1;
}

bool stat_report_has_several_units(const struct stat_report *report)
{
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *section = &report->sections[i];
		if (!stat_section_is_dmc(section) && section->counts->num_units > 1)
			return true;
	}
	return false;
}

const char *stat_section_unit_label(const struct stat_section *section, size_t unit,
				    struct stat_unit_label *buffer)
{
	static const char *const words[] = {
		[COUNT_UNIT_CORE] = "core",       [COUNT_UNIT_CLUSTER] = "cluster",
		[COUNT_UNIT_CHANNEL] = "channel", [COUNT_UNIT_PROCESS] = "process",
		[COUNT_UNIT_THREAD] = "thread",   [COUNT_UNIT_CORE_GROUP] = "group",
		[COUNT_UNIT_CGROUP] = "cgroup",
	};
	if (section->unit_names && section->unit_sizes) {
		uint32_t size = section->unit_sizes[unit];
		snprintf(buffer->text, sizeof(buffer->text), "%s (%" PRIu32 " CPU%s)",
			 section->unit_names[unit], size, size == 1 ? "" : "s");
		return buffer->text;
	}
	if (section->unit_names)
		return section->unit_names[unit];
	const char *word = event_class_is_pmu(section->event_class)
				   ? event_class_name(section->event_class)
				   : words[section->counts->unit_kind];
	snprintf(buffer->text, sizeof(buffer->text), "%s %" PRIu32, word,
		 section->counts->units[unit]);
	return buffer->text;
}
