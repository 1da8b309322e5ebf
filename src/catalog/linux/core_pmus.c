// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/core_pmus.h"

#include "catalog/linux/kernel_metrics.h"
#include "catalog/linux/system_event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The catalogue has all events of each PMU under the name `PMU/EVENT/` (sysfs_events.c and
// core_pmu_events.c). To spread an event is to look these up. A code without a name, or an event
// that no table has, is made for each PMU by its number.
//
// perf does the same (tools/perf/Documentation/intel-hybrid.txt of the kernel): without it the
// kernel would choose the first PMU that takes the event, and count nothing on the other cores.

enum { GENERIC_CODE_BITS = 32 }; // the type of a PMU is above them: PERF_PMU_TYPE_SHIFT

bool core_pmu_names(const struct core_pmu *pmu, const char *event_name)
{
	size_t length = strlen(pmu->name);
	return strncmp(event_name, pmu->name, length) == 0 && event_name[length] == '/';
}

char *core_pmu_name(const struct core_pmu *pmu, struct arena *arena, const char *name)
{
	size_t length = strcspn(name, ":");
	return arena_printf(arena, "%s/%.*s/%s", pmu->name, (int)length, name, name + length);
}

const char *core_pmu_product(const struct core_pmu *pmu)
{
	if (pmu->cpu)
		return pmu->cpu->name;
	return pmu->kernel_metrics ? pmu->kernel_metrics->product_name : "";
}

const struct topdown_tree *core_pmu_topdown(const struct core_pmu *pmu)
{
	if (pmu->kernel_metrics)
		return pmu->kernel_metrics->topdown;
	return pmu->cpu ? pmu->cpu->topdown : NULL;
}

/** Is it an event of cores that names no PMU? */
static bool is_of_any_core(const struct event *event)
{
	if (event->event_class != EVENT_PERF)
		return event->event_class == EVENT_CORE;
	uint32_t type = system_event_of(event)->type;
	bool is_generic = type == SYSTEM_EVENT_HARDWARE || type == SYSTEM_EVENT_CACHE;
	return is_generic && event->code >> GENERIC_CODE_BITS == 0;
}

/** The event of the PMU with this name, whose modifiers do not matter; or NULL. */
static const struct system_event *find_of_pmu(const struct catalog *catalog,
					      const struct core_pmu *pmu, const char *name)
{
	size_t length = strcspn(name, ":");
	for (size_t i = 0; i < catalog->num_system_events; i++) {
		const struct event *event = catalog->system_events[i];
		if (!core_pmu_names(pmu, event->name))
			continue;
		const char *own = event->name + strlen(pmu->name) + 1;
		if (strncasecmp(own, name, length) == 0 && strcmp(own + length, "/") == 0)
			return system_event_of(event);
	}
	return NULL;
}

static bool any_pmu_has(const struct catalog *catalog, const char *name)
{
	for (size_t i = 0; i < catalog->num_core_pmus; i++)
		if (find_of_pmu(catalog, &catalog->core_pmus[i], name))
			return true;
	return false;
}

/** @ret: NULL if this PMU does not have it. */
static struct error *event_of_pmu(struct catalog *catalog, const struct core_pmu *pmu,
				  const struct event *event, const struct event **ret)
{
	*ret = NULL;
	const struct system_event *own = find_of_pmu(catalog, pmu, event->name);
	bool is_code = event->event_class == EVENT_CORE && !any_pmu_has(catalog, event->name);
	if (!own && !is_code)
		return NULL;
	struct system_event *made = arena_alloc(&catalog->arena, sizeof(*made));
	const char *name = core_pmu_name(pmu, &catalog->arena, event->name);
	if (!made || !name)
		return &error_no_memory;
	*made = own ? *own
		    : (struct system_event){
			      .event = *event,
			      .type = pmu->type,
			      .kind = "Raw event",
			      .scale = 1,
		      };
	made->event.name = name;
	made->event.event_class = EVENT_PERF;
	*ret = &made->event;
	return NULL;
}

/** @needs_all: an event that this PMU does not have is an error. */
static struct error *add_of_pmu(struct catalog *catalog, const struct core_pmu *pmu, bool needs_all,
				const struct event_request *requests, size_t num_requests,
				struct event_list *list)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_requests; i++) {
		struct event_request request = requests[i];
		if (is_of_any_core(request.event))
			err = event_of_pmu(catalog, pmu, requests[i].event, &request.event);
		if (!err && request.event)
			err = event_list_add(list, &request);
		else if (!err && needs_all)
			err = error_with_hint(
				error_create(ERROR_USAGE, "'%s' has no event '%s'", pmu->name,
					     requests[i].event->name),
				"another event of the group names this PMU: count them apart");
	}
	return err;
}

/** @ret: the PMU that events from @first on name; NULL: none does. */
static struct error *find_named_pmu(const struct catalog *catalog, const struct event_list *list,
				    size_t first, const struct core_pmu **ret)
{
	const struct core_pmu *named = NULL;
	for (size_t i = first; i < list->num_items; i++) {
		for (size_t k = 0; k < catalog->num_core_pmus; k++) {
			const struct core_pmu *pmu = &catalog->core_pmus[k];
			if (pmu == named || !core_pmu_names(pmu, list->items[i].event->name))
				continue;
			if (named)
				return error_with_hint(
					error_create(ERROR_USAGE,
						     "a group has events of '%s' and of '%s'",
						     named->name, pmu->name),
					"no core has both: make two groups of them");
			named = pmu;
		}
	}
	*ret = named;
	return NULL;
}

static bool any_names_no_pmu(const struct event_list *list, size_t first)
{
	bool names_no_pmu = false;
	for (size_t i = first; i < list->num_items; i++)
		names_no_pmu = names_no_pmu || is_of_any_core(list->items[i].event);
	return names_no_pmu;
}

struct error *core_pmus_spread(struct catalog *catalog, struct event_list *list, size_t first,
			       bool is_group, bool *ret_is_spread)
{
	size_t num_requests = list->num_items - first;
	const struct core_pmu *named = NULL;
	struct error *err = find_named_pmu(catalog, list, first, &named);
	*ret_is_spread = false;
	if (err || !catalog->num_core_pmus || !any_names_no_pmu(list, first))
		return err;
	_cleanup_free_ struct event_request *requests = calloc(num_requests, sizeof(*requests));
	if (!requests)
		return &error_no_memory;
	memcpy(requests, list->items + first, num_requests * sizeof(*requests));
	list->num_items = first;
	for (size_t i = 0; !err && i < catalog->num_core_pmus; i++) {
		const struct core_pmu *pmu = &catalog->core_pmus[i];
		size_t begin = list->num_items;
		if (named && pmu != named)
			continue;
		err = add_of_pmu(catalog, pmu, named, requests, num_requests, list);
		if (is_group && list->num_items > begin + 1)
			event_list_group(list, begin);
	}
	*ret_is_spread = list->num_items > first;
	// No PMU has it: the kernel shall say so of the event as it was asked for.
	if (!err && !*ret_is_spread) {
		memcpy(list->items + first, requests, num_requests * sizeof(*requests));
		list->num_items = first + num_requests;
	}
	return err;
}
