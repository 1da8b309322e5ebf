/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_STAT_SECTION_H
#define WPERF_VIEW_TEXT_STAT_SECTION_H

/** Questions that every view of a stat report asks of its sections. */

#include "view/stat_report.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	STAT_DECIMALS = 2,      /* of a value that has a scale, for people ... */
	STAT_FINE_DECIMALS = 6, /* ... and for programs: a nanosecond in milliseconds */
};

/** Are scaled values worth a column? */
bool stat_section_is_multiplexed(const struct stat_section *section);

/** Are its units cores? */
bool stat_section_is_of_cores(const struct stat_section *section);

/** Are its units CPUs that were added up by their place? */
bool stat_section_is_of_core_groups(const struct stat_section *section);

/** Are its units control groups? */
bool stat_section_is_of_cgroups(const struct stat_section *section);

/** Are its units processes or threads? */
bool stat_section_is_of_processes(const struct stat_section *section);

/** Is it one of the memory controllers' two? */
bool stat_section_is_dmc(const struct stat_section *section);

/** Is there something to show? */
bool stat_section_has_counts(const struct stat_section *section);

/** Was it asked for and never on a counter? Then its value says nothing. */
bool stat_count_is_missing(const struct count *count);

/** Is it that of a core which does not have the event's PMU? */
bool stat_count_is_elsewhere(const struct stat_event *event, const struct count *count);

/** What texts have in place of the value: the event never had a counter, or this machine cannot
 * count it. NULL: the value. */
const char *stat_missing_text(const struct stat_event *event, const struct count *count);

extern const char stat_not_counted[];

/** In percent of the time, how much of it the event was on a counter; 0 if there was no time. */
double stat_count_running(const struct count *count);

/** Is its value shown with decimals? */
bool stat_event_has_scale(const struct stat_event *event);

/** Several cores or clusters? The peer then shows sums, also of an only cluster. */
bool stat_report_has_several_units(const struct stat_report *report);

struct stat_unit_label {
	char text[96];
};

/**
 * "core 3", "dsu 0", "dmc_clk 1", or the name that the section has for the unit.
 * @buffer: the text may be in there.
 */
const char *stat_section_unit_label(const struct stat_section *section, size_t unit,
				    struct stat_unit_label *buffer);

#endif
