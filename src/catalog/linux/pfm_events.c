// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/pfm_events.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/os/shared_library.h"
#include "base/text/string_builder.h"
#include "base/thread/library_lock.h"
#include "catalog/linux/system_event.h"

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// libpfm4 is loaded at run time, as most users do not have it. pfm_get_os_event_encoding() with
// PFM_OS_PERF_EVENT gives the perf_event_attr of an event. An event with umasks is listed once for
// each; the same name of a second core PMU (hybrid CPUs) is listed once. The CPU is asked by CPUID,
// also in a virtual machine without a PMU, so kernel_has_cpu_pmu() asks the kernel first.
//
// libpfm has one state for all of the process, which somebody else may use: it is initialised by
// one thread at a time, and neither ended nor unloaded.

struct pfm_library {
	__typeof__(&pfm_initialize) initialize;
	__typeof__(&pfm_get_pmu_info) get_pmu_info;
	__typeof__(&pfm_get_event_info) get_event_info;
	__typeof__(&pfm_get_event_next) get_event_next;
	__typeof__(&pfm_get_event_attr_info) get_event_attr_info;
	__typeof__(&pfm_get_os_event_encoding) get_os_event_encoding;
};

/** It fails where the library knows no PMU of the machine. */
static bool pfm_library_initialize(const struct pfm_library *library)
{
	library_lock();
	int result = library->initialize();
	library_unlock();
	return result == PFM_SUCCESS;
}

static bool pfm_library_open(struct pfm_library *library)
{
	void *handle = shared_library_open("libpfm.so.4");
	if (!handle)
		return false;
	const struct {
		const char *name;
		void *pointer;
	} functions[] = {
		{"pfm_initialize", &library->initialize},
		{"pfm_get_pmu_info", &library->get_pmu_info},
		{"pfm_get_event_info", &library->get_event_info},
		{"pfm_get_event_next", &library->get_event_next},
		{"pfm_get_event_attr_info", &library->get_event_attr_info},
		{"pfm_get_os_event_encoding", &library->get_os_event_encoding},
	};
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (!shared_library_find(handle, functions[i].name, functions[i].pointer))
			return false;
	return pfm_library_initialize(library);
}

/** The table of one PMU while it is read. Nothing of the library outlives it. */
struct pfm_table {
	const struct pfm_library *library;
	struct catalog *catalog;
	const char *pmu; /* libpfm's short name: skl */
	const char *kind;
	size_t first_of_pfm; /* index in catalog->system_events */
	size_t first_of_pmu;
};

static bool pfm_events_encode(const struct pfm_table *table, const char *name,
			      struct perf_event_attr *attr)
{
	char full_name[512];
	int length = snprintf(full_name, sizeof(full_name), "%s::%s", table->pmu, name);
	if (length < 0 || length >= (int)sizeof(full_name))
		return false;
	// The levels do not matter: only the type and the configs of @attr are used.
	pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof(arg)};
	return table->library->get_os_event_encoding(full_name, PFM_PLM0 | PFM_PLM3,
						     PFM_OS_PERF_EVENT, &arg) == PFM_SUCCESS;
}

static struct error *pfm_events_add_event(const struct pfm_table *table, const char *name,
					  const char *title, const char *description)
{
	// Another PMU of this CPU may have listed an event of this name.
	for (size_t i = table->first_of_pfm; i < table->first_of_pmu; i++)
		if (!strcmp(table->catalog->system_events[i]->name, name))
			return NULL;
	struct perf_event_attr attr = {.size = sizeof(attr)};
	if (!pfm_events_encode(table, name, &attr))
		return NULL;
	struct arena *arena = &table->catalog->arena;
	struct system_event *event = arena_alloc(arena, sizeof(*event));
	if (!event)
		return &error_no_memory;
	*event = (struct system_event){
		.event = {.name = arena_strdup(arena, name),
			  .title = arena_strdup(arena, title),
			  .description = arena_strdup(arena, description),
			  .event_class = EVENT_PERF,
			  .code = attr.config},
		.type = attr.type,
		.config1 = attr.config1,
		.config2 = attr.config2,
		.kind = table->kind,
		.scale = 1,
	};
	if (!event->event.name || !event->event.title || !event->event.description)
		return &error_no_memory;
	return system_event_append(table->catalog, event);
}

static const char *pfm_events_or_empty(const char *text)
{
	return text ? text : "";
}

static struct error *add_umasks(const struct pfm_table *table, const pfm_event_info_t *event,
				size_t *num_umasks)
{
	// Attributes are umasks (parts of an event) and modifiers, which -e has of its own.
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t umask = {.size = sizeof(umask)};
		if (table->library->get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT, &umask) ||
		    umask.type != PFM_ATTR_UMASK)
			continue;
		++*num_umasks;
		char name[256];
		int length = snprintf(name, sizeof(name), "%s:%s", event->name, umask.name);
		if (length < 0 || length >= (int)sizeof(name))
			continue;
		struct error *err =
			pfm_events_add_event(table, name, pfm_events_or_empty(event->desc),
					     pfm_events_or_empty(umask.desc));
		if (err)
			return err;
	}
	return NULL;
}

static struct error *pfm_events_add_table(const struct pfm_table *table, int first_event)
{
	const struct pfm_library *library = table->library;
	for (int i = first_event; i != -1; i = library->get_event_next(i)) {
		pfm_event_info_t event = {.size = sizeof(event)};
		if (library->get_event_info(i, PFM_OS_PERF_EVENT, &event) != PFM_SUCCESS)
			continue;
		size_t num_umasks = 0;
		struct error *err = add_umasks(table, &event, &num_umasks);
		if (!err && !num_umasks)
			err = pfm_events_add_event(table, event.name,
						   pfm_events_or_empty(event.desc),
						   pfm_events_or_empty(event.desc));
		if (err)
			return err;
	}
	return NULL;
}

static struct error *add_pmus(struct catalog *catalog, const struct pfm_library *library)
{
	size_t first_of_pfm = catalog->num_system_events;
	// The library has tables of all CPUs; is_present says which are of this one.
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t info = {.size = sizeof(info)};
		if (library->get_pmu_info((pfm_pmu_t)i, &info) != PFM_SUCCESS || !info.is_present ||
		    info.type != PFM_PMU_TYPE_CORE)
			continue;
		char kind[128];
		snprintf(kind, sizeof(kind), "%s PMU event", info.name);
		const struct pfm_table table = {
			.library = library,
			.catalog = catalog,
			.pmu = info.name,
			.kind = arena_strdup(&catalog->arena, kind),
			.first_of_pfm = first_of_pfm,
			.first_of_pmu = catalog->num_system_events,
		};
		if (!table.kind)
			return &error_no_memory;
		struct error *err = pfm_events_add_table(&table, info.first_event);
		if (err)
			return err;
	}
	return NULL;
}

// libpfm asks the CPU what it is; whether a virtual machine lets its PMU through, it does not ask.
static bool kernel_has_cpu_pmu(const char *sysfs)
{
	static const char *const pmus[] = {"cpu", "cpu_core", "cpu_atom"};
	for (size_t i = 0; i < ARRAY_SIZE(pmus); i++) {
		char path[4096];
		snprintf(path, sizeof(path), "%s/%s", sysfs, pmus[i]);
		if (!access(path, F_OK))
			return true;
	}
	return false;
}

struct error *pfm_events_load(struct catalog *catalog, const char *sysfs,
			      struct string_builder *notes)
{
	if (!kernel_has_cpu_pmu(sysfs)) {
		string_builder_append(
			notes,
			"events of libpfm4 are not listed: the kernel has no PMU for this CPU\n");
		return NULL;
	}
	struct pfm_library library;
	if (!pfm_library_open(&library)) {
		string_builder_append(notes, "install libpfm4 to list more events of this CPU\n");
		return NULL;
	}
	size_t before = catalog->num_system_events;
	struct error *err = add_pmus(catalog, &library);
	if (!err && catalog->num_system_events == before)
		string_builder_append(
			notes, "events of libpfm4 are not listed: it does not know this CPU\n");
	return err;
}
