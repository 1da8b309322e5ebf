// SPDX-License-Identifier: Apache-2.0

#include "catalog/metric.h"

#include "base/container/array.h"
#include "base/text/nearest_name.h"
#include "base/text/string_builder.h"
#include "catalog/comma_list.h"
#include "catalog/event_spec.h"
#include "catalog/formula.h"
#include "catalog/linux/core_pmus.h"
#include "catalog/linux/kernel_metrics.h"
#include "catalog/topdown.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// metric_list_create() adds one kind after the other by the table add_kind; a metric of a later
// kind replaces one with its name, so that users can redefine any. A metric is a name and a
// specification of events (`{a,b}`), which the parser of -e reads like one that the user gave.
// Events of a telemetry metric are the names in its formula, so that the two cannot differ.
//
// Each kind of cores has its own formulas over the events of its own PMU: `PMU/METRIC/`. A metric
// without a PMU's name means that of each.

static const struct builtin_metric builtin_metrics[] = {
	{"imix", "inst_spec,dp_spec,vfp_spec,ase_spec,ld_spec,st_spec", EVENT_CORE,
	 "Mix of instructions",
	 "Counts the kinds of operations together: integer, floating point, Neon, loads and "
	 "stores. Divide each by inst_spec to get its share."},
	{"icache", "l1i_cache,l1i_cache_refill,l2i_cache,l2i_cache_refill,inst_retired", EVENT_CORE,
	 "Instruction caches",
	 "Counts lookups and refills of both levels of instruction cache together. Refills divided "
	 "by lookups are the miss ratio; refills divided by inst_retired show what it costs the "
	 "program."},
	{"dcache", "l1d_cache,l1d_cache_refill,l2d_cache,l2d_cache_refill,inst_retired", EVENT_CORE,
	 "Data caches",
	 "Counts lookups and refills of both levels of data cache together. Refills divided by "
	 "lookups are the miss ratio; refills divided by inst_retired show what it costs the "
	 "program."},
	{"itlb", "l1i_tlb,l1i_tlb_refill,l2i_tlb,l2i_tlb_refill,inst_retired", EVENT_CORE,
	 "Translation of instruction addresses",
	 "Counts lookups and refills of both levels of instruction TLB together. Refills divided "
	 "by lookups are the miss ratio; refills divided by inst_retired show what it costs the "
	 "program."},
	{"dtlb", "l1d_tlb,l1d_tlb_refill,l2d_tlb,l2d_tlb_refill,inst_retired", EVENT_CORE,
	 "Translation of data addresses",
	 "Counts lookups and refills of both levels of data TLB together. Refills divided by "
	 "lookups are "
	 "the miss ratio; refills divided by inst_retired show what it costs the program."},
};

static const struct builtin_metric uncore_metrics[] = {
	{"l3_cache", "/dsu/l3d_cache,/dsu/l3d_cache_refill", EVENT_DSU, "Cache of a cluster",
	 "Counts accesses and refills of the L3 cache that the cores of a cluster share, for its "
	 "read bandwidth and its miss rate."},
	{"ddr_bw", "/dmc_clkdiv2/rdwr", EVENT_DMC_CLKDIV2, "Memory bandwidth",
	 "Counts the reads and writes of the memory controllers, for the bytes that they move."},
};

/** Add the metric, in the place of one with its name if there is one. */
static struct error *metric_put(struct metric_list *list, const struct metric *metric)
{
	for (size_t i = 0; i < list->num_items; i++) {
		if (strcmp(list->items[i].name, metric->name) == 0) {
			list->items[i] = *metric;
			return NULL;
		}
	}
	struct error *err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
	if (err)
		return err;
	list->items[list->num_items++] = *metric;
	return NULL;
}

/** `{a,b}` of the first @max_events of `a,b,c`. */
static struct error *group_of_first(const char *events, unsigned max_events, struct arena *arena,
				    const char **ret)
{
	size_t length = 0;
	for (unsigned i = 0; i < max_events && events[length]; i++) {
		length += events[length] == ',';
		length += strcspn(events + length, ",");
	}
	char *text = arena_alloc(arena, length + sizeof("{}"));
	if (!text)
		return &error_no_memory;
	text[0] = '{';
	memcpy(text + 1, events, length);
	text[length + 1] = '}';
	*ret = text;
	return NULL;
}

static struct error *add_builtin(const struct catalog *catalog, struct metric_list *list)
{
	// Of a metric that is larger than the counters, the first events are counted: as many as
	// fit, all at the same time.
	unsigned free_counters = catalog->counters.free[EVENT_CORE];
	if (!catalog->cpu || free_counters == 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(builtin_metrics); i++) {
		struct metric metric = {.kind = METRIC_BUILTIN, .name = builtin_metrics[i].name};
		struct error *err = group_of_first(builtin_metrics[i].events, free_counters,
						   &list->arena, &metric.events);
		if (!err)
			err = metric_put(list, &metric);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *add_uncore(const struct catalog *catalog, struct metric_list *list)
{
	for (size_t i = 0; i < ARRAY_SIZE(uncore_metrics); i++) {
		if (catalog->counters.total[uncore_metrics[i].event_class] == 0)
			continue; // this machine has no such unit
		const struct metric metric = {
			.kind = METRIC_UNCORE,
			.name = uncore_metrics[i].name,
			.events = uncore_metrics[i].events,
		};
		struct error *err = metric_put(list, &metric);
		if (err)
			return err;
	}
	return NULL;
}

/** @pmu: whose events it shall be; or NULL. */
static struct error *events_of_formula(const struct cpu_metric *metric, const struct core_pmu *pmu,
				       struct arena *arena, const char **ret)
{
	_cleanup_(formula_destroyp) struct formula *formula = NULL;
	struct error *err = formula_compile(metric->formula, &formula);
	if (err)
		return error_with_hint(err, "see metric '%s'", metric->info->name);
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append_char(&text, '{');
	for (size_t i = 0; i < formula_num_names(formula); i++) {
		const char *name = formula_name(formula, i);
		string_builder_append(&text, i ? "," : "");
		if (pmu)
			string_builder_appendf(&text, "%s/%s/", pmu->name, name);
		else
			string_builder_append(&text, name);
	}
	string_builder_append_char(&text, '}');
	const char *group = text.failed ? NULL : arena_strdup(arena, string_builder_peek(&text));
	if (!group)
		return &error_no_memory;
	*ret = group;
	return NULL;
}

struct error *metric_telemetry_events(const struct cpu_metric *metric, struct arena *arena,
				      const char **ret)
{
	return events_of_formula(metric, NULL, arena, ret);
}

/** @ret->name; @pmu: or NULL. */
static struct error *name_metric(const struct cpu_metric *formula, const struct core_pmu *pmu,
				 struct arena *arena, struct metric *ret)
{
	ret->formula = formula;
	ret->pmu = pmu;
	ret->name = pmu ? core_pmu_name(pmu, arena, formula->info->name) : formula->info->name;
	return ret->name ? NULL : &error_no_memory;
}

/** @pmu: of the cores of this CPU; or NULL. */
static struct error *add_telemetry_of(const struct catalog *catalog, const struct cpu *cpu,
				      const struct core_pmu *pmu, struct metric_list *list)
{
	for (size_t i = 0; i < cpu->num_metrics; i++) {
		const struct cpu_metric *formula = &cpu->metrics[i];
		struct metric metric = {.kind = METRIC_TELEMETRY};
		struct error *err = name_metric(formula, pmu, &list->arena, &metric);
		if (!err)
			err = events_of_formula(formula, pmu, &list->arena, &metric.events);
		if (err)
			return err;
		// A formula needs all of its events, counted at the same time.
		size_t num_events = strcmp(metric.events, "{}") != 0;
		for (const char *c = metric.events; *c; c++)
			num_events += *c == ',';
		if (num_events == 0 || num_events > catalog->counters.free[EVENT_CORE])
			continue;
		err = metric_put(list, &metric);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *add_telemetry(const struct catalog *catalog, struct metric_list *list)
{
	if (!catalog->num_core_pmus)
		return catalog->cpu ? add_telemetry_of(catalog, catalog->cpu, NULL, list) : NULL;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < catalog->num_core_pmus; i++) {
		const struct core_pmu *pmu = &catalog->core_pmus[i];
		if (pmu->cpu)
			err = add_telemetry_of(catalog, pmu->cpu, pmu, list);
	}
	return err;
}

/** The events of the formulas of @num_metrics metrics, each once, as one group. */
static struct error *kernel_group(const struct catalog *catalog, const struct core_pmu *pmu,
				  const struct cpu_metric *metrics, size_t num_metrics,
				  struct arena *arena, const char **ret)
{
	// One sum of all formulas: formula_name() then has each name once.
	_cleanup_(string_builder_deinit) struct string_builder sum = STRING_BUILDER_INIT;
	for (size_t i = 0; i < num_metrics; i++)
		string_builder_appendf(&sum, "%s%s", i ? " + " : "", metrics[i].formula);
	_cleanup_(formula_destroyp) struct formula *formula = NULL;
	struct error *err = sum.failed ? &error_no_memory
				       : formula_compile(string_builder_peek(&sum), &formula);
	if (err)
		return err;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	// In the order of names: "slots", which must lead its group, comes before "topdown-...".
	for (size_t i = 0; i < formula_num_names(formula); i++) {
		const struct event *event =
			kernel_metrics_find_event(catalog, pmu, formula_name(formula, i));
		string_builder_appendf(&text, "%c%s", i ? ',' : '{', event->name);
	}
	string_builder_append_char(&text, '}');
	const char *group = text.failed ? NULL : arena_strdup(arena, string_builder_peek(&text));
	if (!group)
		return &error_no_memory;
	*ret = group;
	return NULL;
}

/** @pmu: that the set is of; or NULL. */
static struct error *add_kernel_set(const struct catalog *catalog, const struct kernel_metrics *set,
				    const struct core_pmu *pmu, struct metric_list *list)
{
	for (size_t i = 0; set && i < set->num_metrics; i++) {
		struct metric metric = {.kind = METRIC_KERNEL};
		struct error *err = name_metric(&set->metrics[i], pmu, &list->arena, &metric);
		if (!err)
			err = kernel_group(catalog, pmu, metric.formula, 1, &list->arena,
					   &metric.events);
		if (!err)
			err = metric_put(list, &metric);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *add_kernel(const struct catalog *catalog, struct metric_list *list)
{
	struct error *err = add_kernel_set(catalog, catalog->kernel_metrics, NULL, list);
	for (size_t i = 0; !err && i < catalog->num_core_pmus; i++)
		err = add_kernel_set(catalog, catalog->core_pmus[i].kernel_metrics,
				     &catalog->core_pmus[i], list);
	return err;
}

static struct error *add_custom(const struct catalog *catalog, struct metric_list *list)
{
	// Last, so that a user can give a name of the catalogue another meaning.
	for (size_t i = 0; i < catalog->num_custom_metrics; i++) {
		struct error *err = metric_put(list, &catalog->custom_metrics[i]);
		if (err)
			return err;
	}
	return NULL;
}

static int metric_compare_names(const void *a, const void *b)
{
	return strcmp(((const struct metric *)a)->name, ((const struct metric *)b)->name);
}

/** Later kinds replace earlier ones of their name. */
static struct error *(*const add_kind[])(const struct catalog *, struct metric_list *) = {
	[METRIC_BUILTIN] = add_builtin,     [METRIC_UNCORE] = add_uncore,
	[METRIC_TELEMETRY] = add_telemetry, [METRIC_KERNEL] = add_kernel,
	[METRIC_CUSTOM] = add_custom,
};

struct error *metric_list_create(const struct catalog *catalog, struct metric_list *ret)
{
	_cleanup_(metric_list_deinit) struct metric_list list = METRIC_LIST_INIT;
	for (size_t kind = 0; kind < ARRAY_SIZE(add_kind); kind++) {
		struct error *err = add_kind[kind](catalog, &list);
		if (err)
			return err;
	}
	if (list.num_items)
		qsort(list.items, list.num_items, sizeof(*list.items), metric_compare_names);
	*ret = list;
	list = (struct metric_list)METRIC_LIST_INIT;
	return NULL;
}

void metric_list_deinit(struct metric_list *list)
{
	free(list->items);
	arena_deinit(&list->arena);
	*list = (struct metric_list)METRIC_LIST_INIT;
}

const struct builtin_metric *builtin_metric_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(builtin_metrics); i++) {
		if (strcmp(builtin_metrics[i].name, name) == 0)
			return &builtin_metrics[i];
	}
	for (size_t i = 0; i < ARRAY_SIZE(uncore_metrics); i++) {
		if (strcmp(uncore_metrics[i].name, name) == 0)
			return &uncore_metrics[i];
	}
	return NULL;
}

const struct metric *metric_list_find(const struct metric_list *list, const char *name)
{
	for (size_t i = 0; i < list->num_items; i++) {
		if (strcmp(list->items[i].name, name) == 0)
			return &list->items[i];
	}
	return NULL;
}

static struct error *unknown_metric(const struct metric_list *metrics, const char *name)
{
	_cleanup_(string_builder_deinit) struct string_builder known = STRING_BUILDER_INIT;
	string_builder_append(&known,
			      metrics->num_items ? "supported metrics:" : "no metric registered");
	for (size_t i = 0; i < metrics->num_items; i++)
		string_builder_appendf(&known, "\n  %s", metrics->items[i].name);
	struct error *err = error_create(ERROR_USAGE, "metric '%s' not supported\n%s", name,
					 string_builder_peek(&known));
	if (!metrics->num_items)
		return error_with_hint(err, "metrics need CPU counters and a CPU that wperf knows; "
					    "run 'wperf detect' to see what works here");
	_cleanup_free_ const char **names = calloc(metrics->num_items + 1, sizeof(*names));
	if (!names)
		return err; // without a hint
	for (size_t i = 0; i < metrics->num_items; i++)
		names[i] = metrics->items[i].name;
	const char *nearest = nearest_name(name, names, metrics->num_items);
	return nearest ? error_with_hint(err, "did you mean '%s'?", nearest) : err;
}

/** @ret_num: how many PMUs have a metric of this name. */
static struct error *parse_of_pmus(struct catalog *catalog, const struct metric_list *metrics,
				   const char *name, struct event_list *list, size_t *ret_num)
{
	struct error *err = NULL;
	*ret_num = 0;
	for (size_t i = 0; !err && i < metrics->num_items; i++) {
		const struct metric *metric = &metrics->items[i];
		if (!metric->pmu || strcmp(metric->formula->info->name, name) != 0)
			continue;
		++*ret_num;
		err = event_spec_parse(catalog, metric->events, EVENT_SPEC_COUNT, metric->name,
				       list);
	}
	return err;
}

static struct error *parse_metric(struct catalog *catalog, const struct metric_list *metrics,
				  const char *name, struct event_list *list)
{
	const struct metric *metric = metric_list_find(metrics, name);
	if (metric)
		return event_spec_parse(catalog, metric->events, EVENT_SPEC_COUNT, metric->name,
					list);
	size_t num_parsed;
	struct error *err = parse_of_pmus(catalog, metrics, name, list, &num_parsed);
	return err || num_parsed ? err : unknown_metric(metrics, name);
}

/** Parse each of the names, of metrics only. */
static struct error *parse_group(struct catalog *catalog, const struct metric_list *metrics,
				 const struct cpu_group *group, struct event_list *list)
{
	_cleanup_free_ char *names = strdup(group->metrics);
	if (!names)
		return &error_no_memory;
	for (char *rest = names, *name; (name = comma_list_next(&rest));) {
		struct error *err = parse_metric(catalog, metrics, name, list);
		if (err)
			return error_with_hint(err, "it is a metric of group '%s'",
					       group->info->name);
	}
	return NULL;
}

/** All metrics of a tree. @pmu: that it is of; or NULL. */
static struct error *parse_tree(struct catalog *catalog, const struct metric_list *metrics,
				const struct topdown_tree *tree, const struct core_pmu *pmu,
				struct event_list *list)
{
	const struct kernel_metrics *set = pmu ? pmu->kernel_metrics : catalog->kernel_metrics;
	if (set) {
		// The kernel's counters for it are made to be read together: one group for all
		// metrics.
		const char *events = NULL;
		struct error *err = kernel_group(catalog, pmu, set->metrics, set->num_metrics,
						 &catalog->arena, &events);
		return err ? err
			   : event_spec_parse(catalog, events, EVENT_SPEC_COUNT, topdown_name,
					      list);
	}
	struct error *err = NULL;
	struct topdown_row rows[TOPDOWN_MAX_ROWS];
	size_t num_rows = topdown_flatten(tree, rows);
	for (size_t i = 0; !err && i < num_rows; i++) {
		const char *name = rows[i].node->metric;
		if (pmu)
			name = core_pmu_name(pmu, &catalog->arena, name);
		err = name ? parse_metric(catalog, metrics, name, list) : &error_no_memory;
	}
	return err;
}

static struct error *parse_topdown(struct catalog *catalog, const struct metric_list *metrics,
				   struct event_list *list)
{
	struct error *err = NULL;
	bool has_tree = false;
	for (size_t i = 0; !err && i < catalog->num_core_pmus; i++) {
		const struct core_pmu *pmu = &catalog->core_pmus[i];
		const struct topdown_tree *tree = core_pmu_topdown(pmu);
		has_tree = has_tree || tree;
		if (tree)
			err = parse_tree(catalog, metrics, tree, pmu, list);
	}
	if (err || has_tree)
		return err;
	const struct topdown_tree *tree = catalog->num_core_pmus ? NULL : catalog_topdown(catalog);
	if (tree)
		return parse_tree(catalog, metrics, tree, NULL, list);
	return error_with_hint(
		error_create(ERROR_USAGE, "wperf has no top-down tree for this CPU"),
		"it needs a CPU that wperf knows, or the kernel's topdown events; run 'wperf list' "
		"to see both");
}

/** The first group of this name: of the cores' table, or of those of PMUs. */
static const struct cpu_group *find_group(const struct catalog *catalog, const char *name)
{
	const struct cpu_group *group = catalog->cpu ? cpu_find_group(catalog->cpu, name) : NULL;
	for (size_t i = 0; !group && i < catalog->num_core_pmus; i++) {
		const struct cpu *cpu = catalog->core_pmus[i].cpu;
		group = cpu ? cpu_find_group(cpu, name) : NULL;
	}
	return group;
}

struct error *metric_spec_parse(struct catalog *catalog, const struct metric_list *metrics,
				const char *spec, struct event_list *list)
{
	_cleanup_free_ char *names = strdup(spec);
	if (!names)
		return &error_no_memory;
	for (char *rest = names, *name; (name = comma_list_next(&rest));) {
		// A metric of one's own (-C) goes before a group or the tree of that name.
		bool is_metric = metric_list_find(metrics, name) != NULL;
		const struct cpu_group *group = find_group(catalog, name);
		struct error *err;
		if (!is_metric && strcmp(name, topdown_name) == 0)
			err = parse_topdown(catalog, metrics, list);
		else if (!is_metric && group)
			err = parse_group(catalog, metrics, group, list);
		else
			err = parse_metric(catalog, metrics, name, list);
		if (err)
			return err;
	}
	return NULL;
}
