// SPDX-License-Identifier: Apache-2.0
// The numbers of the last read, straight out of the tables that `wperf stat` prints: their sections
// (of cores, clusters, channels, or one of processes) have a column for each event and a row for
// each unit. Items are numbered section by section, row by row, and then come the sums of the
// sections that have several units.

#include "library/library_counting.h"

#include "view/text/stat_section.h"

#include <math.h>
#include <string.h>

/** One number: a row and a column. */
struct value_place {
	const struct stat_section *section;
	const struct stat_event *event;
	size_t unit; /* their number: the sum */
};

/** Padding is not shown. */
static size_t num_visible(const struct stat_section *section)
{
	size_t num = 0;
	for (size_t i = 0; i < section->num_events; i++)
		num += !section->events[i].is_hidden;
	return num;
}

static const struct stat_event *visible_event(const struct stat_section *section, size_t number)
{
	const struct stat_event *event = section->events;
	while (event->is_hidden || number--)
		event++;
	return event;
}

static bool has_sum(const struct stat_section *section)
{
	return section->counts->num_units > 1;
}

static size_t num_sections(const struct wperf_count *count)
{
	return count->has_numbers ? count->tables.report.num_sections : 0;
}

size_t wperf_count_num_values(const struct wperf_count *count)
{
	size_t num = 0;
	for (size_t i = 0; i < num_sections(count); i++) {
		const struct stat_section *section = &count->tables.report.sections[i];
		num += num_visible(section) * (section->counts->num_units + has_sum(section));
	}
	return num;
}

static bool find_place(const struct wperf_count *count, size_t number, struct value_place *ret)
{
	const struct stat_section *sections = count->tables.report.sections;
	for (size_t pass = 0; pass < 2; pass++) {
		bool is_of_sums = pass == 1;
		for (size_t i = 0; i < num_sections(count); i++) {
			size_t num_units = sections[i].counts->num_units;
			size_t num_rows = is_of_sums ? has_sum(&sections[i]) : num_units;
			size_t num_events = num_visible(&sections[i]);
			if (number >= num_rows * num_events) {
				number -= num_rows * num_events;
				continue;
			}
			*ret = (struct value_place){
				.section = &sections[i],
				.event = visible_event(&sections[i], number % num_events),
				.unit = is_of_sums ? num_units : number / num_events,
			};
			return true;
		}
	}
	return false;
}

/** What a number is of: its member of the struct; none for a sum. */
static void name_unit(const struct count_set *set, size_t unit, struct wperf_value *value)
{
	value->core = value->cluster = value->channel = value->pid = WPERF_NONE;
	if (unit == set->num_units)
		return;
	uint32_t *const members[] = {
		[COUNT_UNIT_CORE] = &value->core,       [COUNT_UNIT_CLUSTER] = &value->cluster,
		[COUNT_UNIT_CHANNEL] = &value->channel, [COUNT_UNIT_PROCESS] = &value->pid,
		[COUNT_UNIT_THREAD] = &value->pid,
	};
	// The library asks neither for sums by topology nor for control groups.
	if (set->unit_kind >= sizeof(members) / sizeof(*members))
		return;
	*members[set->unit_kind] = set->units[unit];
}

/** The sum of what is shown for each unit. */
static double place_scaled(const struct value_place *place)
{
	const struct count_set *set = place->section->counts;
	size_t column = (size_t)(place->event - place->section->events);
	bool is_sum = place->unit == set->num_units;
	double value = 0;
	for (size_t i = is_sum ? 0 : place->unit; i < (is_sum ? set->num_units : place->unit + 1);
	     i++)
		value += (double)count_scaled(count_set_at(set, i, column));
	return value * place->event->scale;
}

static struct wperf_value value_of(const struct value_place *place)
{
	const struct count_set *set = place->section->counts;
	const struct stat_event *event = place->event;
	size_t column = (size_t)(event - place->section->events);
	struct count sum = place->unit == set->num_units ? count_set_sum(set, column)
							 : *count_set_at(set, place->unit, column);
	struct wperf_value value = {
		.event = event->name,
		.metric = event->metric,
		.unit = event->unit,
		.group = event->group == EVENT_UNGROUPED ? WPERF_NONE : (uint32_t)event->group,
		.is_counted = !stat_missing_text(event, &sum),
		.value = place_scaled(place),
		.raw = sum.value,
		.enabled = sum.total,
		.running = sum.scheduled,
	};
	name_unit(set, place->unit, &value);
	return value;
}

bool wperf_count_value_at(const struct wperf_count *count, size_t number, struct wperf_value *ret)
{
	struct value_place place;
	if (!find_place(count, number, &place))
		return false;
	*ret = value_of(&place);
	return true;
}

static const struct stat_event *find_event(const struct stat_section *section, const char *name)
{
	for (size_t i = 0; i < section->num_events; i++)
		if (!section->events[i].is_hidden && strcmp(section->events[i].name, name) == 0)
			return &section->events[i];
	return NULL;
}

// Cores that have events of their own are in sections of their own, which add up; those of clusters
// count something else under the same name.
bool wperf_count_value(const struct wperf_count *count, const char *event, double *ret)
{
	const struct stat_section *first = NULL;
	double sum = 0;
	bool is_counted = false;
	for (size_t i = 0; i < num_sections(count); i++) {
		const struct stat_section *section = &count->tables.report.sections[i];
		const struct stat_event *found = find_event(section, event);
		if (!found || (first && section->event_class != first->event_class))
			continue;
		first = section;
		const struct value_place place = {section, found, section->counts->num_units};
		struct wperf_value value = value_of(&place);
		is_counted = is_counted || value.is_counted;
		sum += value.value;
	}
	if (is_counted)
		*ret = sum;
	return is_counted;
}

static const struct count_set *metric_units(const struct wperf_count *count)
{
	return count->tables.report.sections[0].counts;
}

size_t wperf_count_num_metrics(const struct wperf_count *count)
{
	if (!num_sections(count))
		return 0;
	size_t num_units = metric_units(count)->num_units;
	return count->tables.plan.num_metrics * (num_units + (num_units > 1));
}

bool wperf_count_metric_at(const struct wperf_count *count, size_t number,
			   struct wperf_metric_value *ret)
{
	if (number >= wperf_count_num_metrics(count))
		return false;
	size_t num_planned = count->tables.plan.num_metrics;
	size_t unit = number / num_planned;
	const struct count_set *set = metric_units(count);
	const struct stat_metric metric =
		stat_tables_metric(&count->tables, unit, number % num_planned);
	struct wperf_value owner;
	name_unit(set, unit, &owner);
	bool is_known = isfinite(metric.value);
	*ret = (struct wperf_metric_value){
		.name = metric.metric_name,
		.unit = metric.unit,
		.core = owner.core,
		.pid = owner.pid,
		.is_known = is_known,
		.is_split = metric.is_split,
		.value = is_known ? metric.value : 0,
	};
	return true;
}
