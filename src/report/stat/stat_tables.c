// SPDX-License-Identifier: Apache-2.0
// A source counts either a list of events, as they were asked for (Linux), or what placement.c put
// on counters (the driver, sim), where the cycle counter comes first and padding may stand between.
// In `columns` each request has the column that its count is in, whichever it is; all that is
// computed from counts goes by it. What does not change from count to count is made once, in
// `arena`; names, metrics and rows of a count are in `per_count`, which each fill begins anew.
//
// For `-e instructions,l1d_cache,/dsu/l3d_cache` on the driver, `columns` is {1, 2, 1}:
//
//   section of the cores     cycle, instructions, l1d_cache
//   section of the clusters  cycle, l3d_cache

#include "report/stat/stat_tables.h"

#include "base/text/string_builder.h"
#include "catalog/linux/core_pmus.h"
#include "catalog/linux/system_events.h"
#include "catalog/midr.h"
#include "report/stat/derived.h"
#include "report/stat/stat_trace.h"
#include "report/stat/topdown_rows.h"
#include "report/stat/uncore_metrics.h"
#include "view/text/stat_section.h"

#include <math.h>
#include <string.h>

/** Classes number their groups apart; here they are all different. */
static int stat_tables_group(const struct event_list *list, const struct event_request *asked)
{
	if (!asked || asked->group == EVENT_UNGROUPED)
		return EVENT_UNGROUPED;
	int group = asked->group;
	for (size_t i = 0; i < asked->event->event_class; i++)
		group += list->num_groups[i];
	return group;
}

/** @list: that was asked for. */
static struct stat_event placed_event(struct arena *arena, const struct placed_event *placed,
				      const struct event_list *list)
{
	char note[PLACEMENT_NOTE_MAX];
	return (struct stat_event){
		.name = placed->event->name,
		.metric = placed->request ? placed->request->metric : NULL,
		.group = stat_tables_group(list, placed->request),
		.note = arena_strdup(arena, placement_note(placed, note)),
		.code = placed->event->code,
		.is_hidden = placed->request == NULL,
		.scale = 1,
	};
}

/** @list: that the placement is of. */
static struct error *add_placed_section(struct stat_tables *tables,
					const struct placement *placement,
					const struct event_list *list)
{
	// Clusters and cores have a fixed cycle counter before their events.
	size_t fixed = placement->event_class == EVENT_CORE || placement->event_class == EVENT_DSU;
	size_t num_events = placement->num_events + fixed;
	struct stat_event *events = arena_alloc_array(&tables->arena, num_events, sizeof(*events));
	if (!events)
		return &error_no_memory;
	if (fixed)
		events[0] = (struct stat_event){.name = "cycle",
						.note = "e",
						.is_fixed = true,
						.scale = 1,
						.group = EVENT_UNGROUPED};
	for (size_t i = 0; i < placement->num_events; i++) {
		events[fixed + i] = placed_event(&tables->arena, &placement->events[i], list);
		const struct event_request *asked = placement->events[i].request;
		if (asked && list == &tables->request->events)
			tables->columns[asked - tables->request->events.items] = fixed + i;
	}
	tables->sections[tables->report.num_sections++] = (struct stat_section){
		.event_class = placement->event_class,
		.multiplexed = placement->multiplexed,
		.events = events,
		.num_events = num_events,
	};
	return NULL;
}

static struct stat_event listed_event(struct stat_tables *tables, const struct event_request *asked)
{
	struct arena *arena = &tables->arena;
	// The note of a placed event is that of the same event, listed.
	struct placed_event placed = {.request = asked, .event = asked->event};
	struct stat_event event = placed_event(arena, &placed, &tables->request->events);
	event.model = source_event_note(tables->session->source, asked->event);
	if (event.model && event.note)
		event.note = arena_printf(arena, "%s,modelled", event.note);
	if (asked->event->event_class == EVENT_PERF) {
		const struct system_event *system = system_event_of(asked->event);
		event.unit = system->unit;
		event.scale = system->scale;
	}
	return event;
}

/** A source that counts processes takes the list as it is. */
static struct error *add_listed_section(struct stat_tables *tables)
{
	const struct event_list *list = &tables->request->events;
	struct stat_event *events =
		arena_alloc_array(&tables->arena, list->num_items, sizeof(*events));
	if (!events)
		return &error_no_memory;
	for (size_t i = 0; i < list->num_items; i++) {
		events[i] = listed_event(tables, &list->items[i]);
		tables->columns[i] = i;
	}
	tables->listed_events = events;
	tables->sections[tables->report.num_sections++] = (struct stat_section){
		.event_class = EVENT_PERF,
		.events = events,
		.num_events = list->num_items,
	};
	return NULL;
}

static struct error *add_placed_sections(struct stat_tables *tables)
{
	const struct run_request *request = tables->request;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < request->num_core_requests; i++)
		err = add_placed_section(tables, &request->core_requests[i].placement,
					 &request->core_requests[i].events);
	for (enum event_class i = EVENT_CORE; !err && event_class_is_pmu(i); i++) {
		const struct placement *placement = &request->placements[i];
		// The section of the cores is there even without events, for their cycles.
		bool is_all_cores = i == EVENT_CORE && !request->num_core_requests;
		if (placement->num_events || is_all_cores)
			err = add_placed_section(tables, placement, &request->events);
	}
	return err;
}

struct error *stat_tables_create(const struct session *session, const struct run_request *request,
				 bool kernel, int metric_precision, const char *target_name,
				 bool compat, struct stat_tables *ret)
{
	_cleanup_(stat_tables_deinit) struct stat_tables tables = {
		.session = session,
		.request = request,
		.report = {.kernel_mode = kernel,
			   .vendor_name = session->info.vendor_name,
			   .metric_precision = metric_precision},
	};
	size_t num_sections = NUM_EVENT_CLASSES + request->num_core_requests;
	tables.sections = arena_alloc_array(&tables.arena, num_sections, sizeof(*tables.sections));
	tables.columns = arena_alloc_array(&tables.arena, request->events.num_items + 1,
					   sizeof(*tables.columns));
	tables.target_name = target_name ? arena_strdup(&tables.arena, target_name) : NULL;
	if (!tables.sections || !tables.columns || (target_name && !tables.target_name))
		return &error_no_memory;
	struct error *err = session->info.counts_processes ? add_listed_section(&tables)
							   : add_placed_sections(&tables);
	if (!err)
		err = metric_plan_create(&request->events, &session->metrics, &tables.plan);
	if (err)
		return err;
	for (size_t i = 0; i < tables.report.num_sections; i++)
		tables.sections[i].only_numbers = compat;
	// The arenas move with the struct: what they hold stays where it is.
	*ret = tables;
	tables = (struct stat_tables){0};
	return NULL;
}

void stat_tables_deinit(struct stat_tables *tables)
{
	metric_plan_deinit(&tables->plan);
	arena_deinit(&tables->per_count);
	arena_deinit(&tables->arena);
}

/**
 * Were the events of the metric counted at different times? Then its value mixes numbers of
 * different phases of the program, and the view marks it.
 */
static bool is_split_on(const struct count_set *set, size_t unit, const struct stat_tables *tables,
			const struct planned_metric *metric)
{
	const struct count *first = count_set_at(set, unit, tables->columns[metric->items[0]]);
	for (size_t i = 1; i < metric->num_items; i++) {
		const struct count *count =
			count_set_at(set, unit, tables->columns[metric->items[i]]);
		if (count->scheduled != first->scheduled || count->total != first->total)
			return true;
	}
	return false;
}

/** The units that a row is about: from @unit on; as many as returned. */
static size_t units_of_row(const struct count_set *set, size_t *unit)
{
	if (*unit < set->num_units)
		return 1;
	*unit = 0;
	return set->num_units;
}

/** NAN: a formula over what was never counted would give a number that nobody measured. */
static double evaluate_value(const struct stat_tables *tables, const struct count_set *set,
			     size_t unit, const struct planned_metric *metric)
{
	size_t num_units = units_of_row(set, &unit);
	for (size_t i = 0; i < metric->num_items; i++) {
		size_t item = metric->items[i], column = tables->columns[item];
		const struct stat_event *listed =
			tables->listed_events ? &tables->listed_events[column] : NULL;
		size_t num_elsewhere = 0;
		metric->values[i] = 0;
		for (size_t k = unit; k < unit + num_units; k++) {
			const struct count *count = count_set_at(set, k, column);
			bool is_elsewhere = listed && stat_count_is_elsewhere(listed, count);
			num_elsewhere += is_elsewhere;
			if (!is_elsewhere &&
			    (stat_count_is_missing(count) || (listed && listed->is_absent)))
				return NAN;
			metric->values[i] += (double)count_scaled(count);
		}
		if (num_elsewhere == num_units)
			return NAN;
		// Events of the kernel may count in units of their own, as 2^-32 Joules.
		metric->values[i] *= system_event_scale(tables->request->events.items[item].event);
	}
	return planned_metric_evaluate(metric);
}

struct stat_metric stat_tables_metric(const struct stat_tables *tables, size_t unit, size_t number)
{
	const struct count_set *set = tables->sections[0].counts;
	const struct planned_metric *metric = &tables->plan.metrics[number];
	struct stat_metric row = {
		.core = "all",
		.metric_name = metric->metric->name,
		.product_name = metric->metric->pmu
					? core_pmu_product(metric->metric->pmu)
					: catalog_product_name(&tables->session->catalog),
		.unit = metric->metric->formula->info->unit,
		.value = evaluate_value(tables, set, unit, metric),
	};
	size_t num_units = units_of_row(set, &unit);
	for (size_t i = unit; i < unit + num_units; i++)
		row.is_split |= is_split_on(set, i, tables, metric);
	return row;
}

static struct error *fill_metrics(struct stat_tables *tables)
{
	const struct count_set *set = tables->sections[0].counts;
	// Of all cores together there is one more "unit", behind the others.
	bool adds_up = tables->adds_up && set->unit_kind == COUNT_UNIT_CORE;
	size_t first = adds_up ? set->num_units : 0;
	size_t end = adds_up ? set->num_units + 1 : set->num_units;
	size_t num_metrics = (end - first) * tables->plan.num_metrics;
	struct stat_metric *metrics =
		arena_alloc_array(&tables->per_count, num_metrics, sizeof(*metrics));
	if (!metrics)
		return &error_no_memory;
	size_t next = 0;
	for (size_t unit = first; unit < end; unit++) {
		const char *core = "all";
		if (set->unit_kind == COUNT_UNIT_CORE && !adds_up)
			core = arena_printf(&tables->per_count, "%u", set->units[unit]);
		else if (set->unit_kind == COUNT_UNIT_CORE_GROUP)
			core = tables->groups.labels[unit];
		else if (set->unit_kind == COUNT_UNIT_CGROUP)
			core = tables->sections[0].unit_names[unit];
		if (!core)
			return &error_no_memory;
		for (size_t i = 0; i < tables->plan.num_metrics; i++) {
			metrics[next] = stat_tables_metric(tables, unit, i);
			if (set->unit_kind == COUNT_UNIT_CORE_GROUP)
				metrics[next].group_size = tables->groups.sizes[unit];
			metrics[next].is_named = set->unit_kind == COUNT_UNIT_CORE_GROUP ||
						 set->unit_kind == COUNT_UNIT_CGROUP;
			metrics[next++].core = core;
		}
	}
	tables->report.metrics = metrics;
	tables->report.num_metrics = num_metrics;
	return NULL;
}

/** The command, or the thread's own name; else @numbered. */
static const char *unit_name(const struct stat_tables *tables, const struct count_set *set,
			     size_t unit, const char *numbered)
{
	if (tables->target_name && set->unit_kind == COUNT_UNIT_PROCESS)
		return tables->target_name;
	if (tables->cgroups && set->unit_kind == COUNT_UNIT_CGROUP)
		return tables->cgroups->items[set->units[unit]].name;
	struct source *source = tables->session->source;
	const char *name = source->ops->count->unit_name && set->unit_kind != COUNT_UNIT_CORE
				   ? source->ops->count->unit_name(source, unit)
				   : NULL;
	return name ? name : numbered;
}

/** The name of each unit of a section that counts processes. */
static struct error *fill_unit_names(struct stat_tables *tables, struct stat_section *section)
{
	const struct count_set *set = section->counts;
	const char **names = arena_alloc_array(&tables->per_count, set->num_units, sizeof(*names));
	if (!names)
		return &error_no_memory;
	static const char *const kinds[] = {
		[COUNT_UNIT_CORE] = "core",       [COUNT_UNIT_CLUSTER] = "cluster",
		[COUNT_UNIT_CHANNEL] = "channel", [COUNT_UNIT_PROCESS] = "process",
		[COUNT_UNIT_THREAD] = "thread",   [COUNT_UNIT_CORE_GROUP] = "group",
		[COUNT_UNIT_CGROUP] = "cgroup",
	};
	for (size_t i = 0; i < set->num_units; i++) {
		char text[32];
		snprintf(text, sizeof(text), "%s %u", kinds[set->unit_kind], set->units[i]);
		names[i] = arena_strdup(&tables->per_count, unit_name(tables, set, i, text));
		if (!names[i])
			return &error_no_memory;
	}
	section->unit_names = names;
	return NULL;
}

/** A core that has no time of an event does not have its PMU: other cores do. */
static bool is_of_some_cores(const struct count_set *set, size_t column)
{
	size_t num_with_time = 0;
	bool are_cores = set->unit_kind == COUNT_UNIT_CORE;
	for (size_t unit = 0; unit < set->num_units; unit++)
		num_with_time += count_set_at(set, unit, column)->total > 0;
	return are_cores && num_with_time && num_with_time < set->num_units;
}

static struct error *fill_listed_section(struct stat_tables *tables, struct stat_section *section,
					 uint64_t elapsed_ns)
{
	const struct count_set *set = section->counts;
	section->multiplexed = false;
	for (size_t i = 0; i < set->num_units * set->num_columns; i++)
		section->multiplexed |= !count_is_whole(&set->counts[i]);
	struct error *err = NULL;
	if (set->unit_kind != COUNT_UNIT_CORE_GROUP)
		err = fill_unit_names(tables, section);
	return err ? err
		   : derived_fill(&tables->session->catalog, section, tables->listed_events,
				  elapsed_ns, &tables->per_count);
}

static void note_absent_events(struct stat_tables *tables)
{
	struct source *source = tables->session->source;
	for (size_t i = 0; source->ops->count->absent && i < tables->sections[0].num_events; i++)
		tables->listed_events[i].is_absent = source->ops->count->absent(source, i);
}

/** Of the set of all cores those that count the events of this section. */
static struct error *fill_core_section(struct stat_tables *tables, struct stat_section *section,
				       size_t core_request)
{
	const struct count_set *all = section->counts;
	struct count_set *own = arena_alloc(&tables->per_count, sizeof(*own));
	if (!own)
		return &error_no_memory;
	// The units of the set are the cores of all requests, one request after the other.
	size_t first = 0;
	for (size_t i = 0; i < core_request; i++)
		first += tables->request->core_requests[i].cores.num_cores;
	*own = *all;
	own->num_units = tables->request->core_requests[core_request].cores.num_cores;
	own->units = all->units + first;
	own->counts = all->counts + first * all->num_columns;
	section->counts = own;
	return NULL;
}

static struct error *fill_topdown(struct stat_tables *tables)
{
	// Of the count before.
	tables->report.num_topdown = 0;
	if (!tables->request->has_topdown || !tables->plan.num_metrics)
		return NULL;
	return topdown_rows_fill(&tables->session->catalog, tables->plan.num_metrics,
				 &tables->report, &tables->per_count);
}

static struct error *fill_uncore(struct stat_tables *tables)
{
	const struct uncore_counts counts = {
		.events = &tables->request->events,
		.columns = tables->columns,
		.sections = tables->sections,
		.num_sections = tables->report.num_sections,
		.cores = tables->cores,
		.cluster_size = tables->session->info.cluster_size,
	};
	return uncore_metrics_fill(&counts, &tables->report, &tables->per_count);
}

/** Add up the CPUs of a section by their place. */
static struct error *fill_core_groups(struct stat_tables *tables, struct stat_section *section)
{
	struct stat_core_groups *groups = &tables->groups;
	struct error *err = stat_core_groups_find(groups, section->counts, &tables->arena);
	if (!err)
		err = stat_core_groups_sum(groups, section->counts, &tables->per_count,
					   &section->counts);
	section->unit_names = groups->labels;
	section->unit_sizes = groups->sizes;
	return err;
}

struct error *stat_tables_take(struct stat_tables *tables, const struct counting_result *result)
{
	// The strings of the last count end here, so that a timeline of days needs no more memory
	// than one count.
	arena_deinit(&tables->per_count);
	tables->per_count = (struct arena)ARENA_INIT;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < tables->report.num_sections; i++) {
		struct stat_section *section = &tables->sections[i];
		section->counts = &result->counts.sets[section->event_class];
		if (i < tables->request->num_core_requests)
			err = fill_core_section(tables, section, i);
		if (section->event_class == EVENT_CORE)
			tables->cores = section->counts;
		// Before cores are added up: the sum may have time of an event that some lack.
		for (size_t k = 0; tables->listed_events && k < section->num_events; k++)
			tables->listed_events[k].is_of_some_cores =
				is_of_some_cores(section->counts, k);
		if (!err && tables->groups.by.kind && stat_section_is_of_cores(section))
			err = fill_core_groups(tables, section);
	}
	if (tables->listed_events)
		note_absent_events(tables);
	tables->report.sections = tables->sections;
	tables->report.elapsed_ns = result->elapsed_ns;
	return err;
}

struct error *stat_tables_fill(struct stat_tables *tables, const struct counting_result *result)
{
	struct error *err = stat_tables_take(tables, result);
	// A list of events is the only section.
	if (!err && tables->listed_events)
		err = fill_listed_section(tables, &tables->sections[0], result->elapsed_ns);
	if (!err)
		err = fill_metrics(tables);
	if (!err)
		err = fill_topdown(tables);
	if (!err)
		err = fill_uncore(tables);
	if (!err && tables->trace)
		stat_trace_write(tables->trace, &tables->report);
	return err;
}
