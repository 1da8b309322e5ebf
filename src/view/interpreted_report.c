// SPDX-License-Identifier: Apache-2.0

#include "view/interpreted_report.h"

bool interpreted_report_has_any(const struct hot_table *table)
{
	for (size_t i = 0; i < table->num_rows; i++)
		if (table->rows[i].item != NAMED_NONE)
			return true;
	return false;
}

bool interpreted_report_ratio(const struct interpreted_report *report, size_t event,
			      struct event_ratio *ret, size_t *ret_instructions)
{
	struct event_ratio ratio;
	if (!event_ratio_find(report->profile, report->events[event], &ratio))
		return false;
	for (size_t i = 0; i < report->lines.num_events; i++) {
		if (report->events[i] != ratio.instructions)
			continue;
		*ret = ratio;
		*ret_instructions = i;
		return true;
	}
	return false;
}
