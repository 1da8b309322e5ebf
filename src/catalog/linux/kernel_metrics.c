// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/kernel_metrics.h"

#include "base/container/array.h"
#include "catalog/formula.h"
#include "catalog/linux/core_pmus.h"
#include "catalog/topdown.h"

#include <ctype.h>
#include <string.h>

// Level 1 and 2 of the top-down method (Yasin 2014, "A Top-Down Method for Performance Analysis and
// Counters Architecture"), for Intel's cores. The kernel names the events in sysfs (topdown-*).
// Since Ice Lake they are parts of the PERF_METRICS register, which is read with the counter of
// slots as leader of the group; older cores count slots by ordinary events. The deepest set whose
// events all exist is used.

#define METRIC(metric_name, metric_title, metric_description, metric_formula)     \
	{                                                                         \
		&(const struct metric_info){.name = (metric_name),                \
					    .unit = "percent of slots",           \
					    .title = (metric_title),              \
					    .description = (metric_description)}, \
			(metric_formula)                                          \
	}

// The metric registers of newer cores hold fractions of all slots, scaled by the kernel to slots;
// their sum is what the four add up to, which is nearer to the truth than the slots counter.
#define ALL_SLOTS                                                    \
	"(topdown_retiring + topdown_bad_spec + topdown_fe_bound + " \
	"topdown_be_bound + 0 * slots)"

#define RETIRING        "Slots that did the program's work"
#define BAD_SPECULATION "Slots lost to work that was thrown away"
#define FRONTEND_BOUND  "Slots empty because no instructions came"
#define BACKEND_BOUND   "Slots empty because the core could take no more"

#define SLOTS_METRIC(name, title, part) \
	METRIC(name, title, title ", as a share of all.", "100 * " part " / " ALL_SLOTS)

static const struct cpu_metric slots_metrics[] = {
	SLOTS_METRIC("backend_bound", BACKEND_BOUND, "topdown_be_bound"),
	SLOTS_METRIC("bad_speculation", BAD_SPECULATION, "topdown_bad_spec"),
	SLOTS_METRIC("frontend_bound", FRONTEND_BOUND, "topdown_fe_bound"),
	SLOTS_METRIC("retiring", RETIRING, "topdown_retiring"),
};

static const struct cpu_metric deep_slots_metrics[] = {
	SLOTS_METRIC("backend_bound", BACKEND_BOUND, "topdown_be_bound"),
	SLOTS_METRIC("bad_speculation", BAD_SPECULATION, "topdown_bad_spec"),
	SLOTS_METRIC("branch_mispredicts", "Slots lost behind mispredicted branches",
		     "topdown_br_mispredict"),
	SLOTS_METRIC("core_bound", "Slots empty because units of the core were busy",
		     "(topdown_be_bound - topdown_mem_bound)"),
	SLOTS_METRIC("fetch_bandwidth", "Slots empty because too few instructions came at a time",
		     "(topdown_fe_bound - topdown_fetch_lat)"),
	SLOTS_METRIC("fetch_latency", "Slots empty because instructions came late",
		     "topdown_fetch_lat"),
	SLOTS_METRIC("frontend_bound", FRONTEND_BOUND, "topdown_fe_bound"),
	SLOTS_METRIC("heavy_operations", "Slots of instructions of several operations",
		     "topdown_heavy_ops"),
	SLOTS_METRIC("light_operations", "Slots of simple instructions",
		     "(topdown_retiring - topdown_heavy_ops)"),
	SLOTS_METRIC("machine_clears", "Slots lost when the pipeline was cleared",
		     "(topdown_bad_spec - topdown_br_mispredict)"),
	SLOTS_METRIC("memory_bound", "Slots empty because data came late", "topdown_mem_bound"),
	SLOTS_METRIC("retiring", RETIRING, "topdown_retiring"),
};

// Small cores of hybrid CPUs have no counter of slots. The four parts of the first level are all of
// them.
#define ALL_PARTS "(topdown_retiring + topdown_bad_spec + topdown_fe_bound + topdown_be_bound)"

#define PARTS_METRIC(name, title, part) \
	METRIC(name, title, title ", as a share of all.", "100 * " part " / " ALL_PARTS)

static const struct cpu_metric parts_metrics[] = {
	PARTS_METRIC("backend_bound", BACKEND_BOUND, "topdown_be_bound"),
	PARTS_METRIC("bad_speculation", BAD_SPECULATION, "topdown_bad_spec"),
	PARTS_METRIC("frontend_bound", FRONTEND_BOUND, "topdown_fe_bound"),
	PARTS_METRIC("retiring", RETIRING, "topdown_retiring"),
};

// Cores before the slots counter: four ordinary counters of issued, retired and empty slots.
#define ISSUE_METRIC(name, title, part) \
	METRIC(name, title, title ", as a share of all.", "100 * " part " / topdown_total_slots")

#define ISSUE_BAD "(topdown_slots_issued - topdown_slots_retired + topdown_recovery_bubbles)"

static const struct cpu_metric issue_metrics[] = {
	ISSUE_METRIC(
		"backend_bound", BACKEND_BOUND,
		"(topdown_total_slots - topdown_fetch_bubbles - topdown_slots_retired - " ISSUE_BAD
		")"),
	ISSUE_METRIC("bad_speculation", BAD_SPECULATION, ISSUE_BAD),
	ISSUE_METRIC("frontend_bound", FRONTEND_BOUND, "topdown_fetch_bubbles"),
	ISSUE_METRIC("retiring", RETIRING, "topdown_slots_retired"),
};

static const struct topdown_node level_nodes[] = {
	{"retiring", ""},
	{"bad_speculation", ""},
	{"frontend_bound", ""},
	{"backend_bound", ""},
};

static const struct topdown_node deep_nodes[] = {
	{"retiring", "light_operations,heavy_operations"},
	{"bad_speculation", "branch_mispredicts,machine_clears"},
	{"frontend_bound", "fetch_latency,fetch_bandwidth"},
	{"backend_bound", "memory_bound,core_bound"},
	{"light_operations", ""},
	{"heavy_operations", ""},
	{"branch_mispredicts", ""},
	{"machine_clears", ""},
	{"fetch_latency", ""},
	{"fetch_bandwidth", ""},
	{"memory_bound", ""},
	{"core_bound", ""},
};

#define ROOTS "retiring,bad_speculation,frontend_bound,backend_bound"

static const struct topdown_tree level_tree = {ROOTS, level_nodes, ARRAY_SIZE(level_nodes)};
static const struct topdown_tree deep_tree = {ROOTS, deep_nodes, ARRAY_SIZE(deep_nodes)};

/** The deepest first. */
static const struct kernel_metrics all_sets[] = {
	{"x86", deep_slots_metrics, ARRAY_SIZE(deep_slots_metrics), &deep_tree},
	{"x86", slots_metrics, ARRAY_SIZE(slots_metrics), &level_tree},
	{"x86", parts_metrics, ARRAY_SIZE(parts_metrics), &level_tree},
	{"x86", issue_metrics, ARRAY_SIZE(issue_metrics), &level_tree},
};

/** Names of the kernel have '-', which is an operator of formulas. */
static char in_formula(char c)
{
	return c == '-' ? '_' : (char)tolower((unsigned char)c);
}

bool kernel_metrics_names_event(const char *name, const char *event_name)
{
	const char *slash = strchr(event_name, '/');
	if (!slash)
		return false;
	const char *at = slash + 1;
	while (*name && in_formula(*at) == in_formula(*name)) {
		at++;
		name++;
	}
	return !*name && strcmp(at, "/") == 0;
}

const struct event *kernel_metrics_find_event(const struct catalog *catalog,
					      const struct core_pmu *pmu, const char *name)
{
	for (size_t i = 0; i < catalog->num_system_events; i++) {
		const struct event *event = catalog->system_events[i];
		if ((!pmu || core_pmu_names(pmu, event->name)) &&
		    kernel_metrics_names_event(name, event->name))
			return event;
	}
	return NULL;
}

static bool has_events(const struct catalog *catalog, const struct core_pmu *pmu,
		       const struct kernel_metrics *set)
{
	for (size_t i = 0; i < set->num_metrics; i++) {
		_cleanup_(formula_destroyp) struct formula *formula = NULL;
		_cleanup_(error_destroyp) struct error *err =
			formula_compile(set->metrics[i].formula, &formula);
		if (err) // out of memory: as if this machine did not have the set
			return false;
		for (size_t k = 0; k < formula_num_names(formula); k++)
			if (!kernel_metrics_find_event(catalog, pmu, formula_name(formula, k)))
				return false;
	}
	return true;
}

const struct kernel_metrics *kernel_metrics_choose(const struct catalog *catalog,
						   const struct core_pmu *pmu)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_sets); i++)
		if (has_events(catalog, pmu, &all_sets[i]))
			return &all_sets[i];
	return NULL;
}
