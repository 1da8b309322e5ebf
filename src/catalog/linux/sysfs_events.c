// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/sysfs_events.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/close_fd.h"
#include "base/text/real_number.h"
#include "base/text/string_builder.h"
#include "catalog/linux/sysfs_folder.h"
#include "catalog/linux/sysfs_pmu.h"
#include "catalog/linux/system_event.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Follows Documentation/ABI/testing/sysfs-bus-event_source-devices-events and -format. A term of an
// event is written into the bits that format/ gives for it (sysfs_pmu.c). Files are opened below an
// open folder (openat()). An event with an unreadable scale or unit is left out and counted in a
// note: a number with a wrong unit would be worse than none.

/** A PMU's folder while its events are read. */
struct pmu_folder {
	struct catalog *catalog;
	const char *name;
	int fd; /* of the folder */
	int events_fd;
	struct sysfs_pmu pmu;
	const char *kind;
	const char *description;
	size_t num_left_out;
};

static void pmu_folder_deinit(struct pmu_folder *folder)
{
	close_fd(&folder->events_fd);
	close_fd(&folder->fd);
	sysfs_pmu_deinit(&folder->pmu);
}

struct error *sysfs_events_read_formats(int pmu_fd, struct sysfs_pmu *pmu)
{
	_cleanup_(sysfs_folder_deinit) struct sysfs_folder names = SYSFS_FOLDER_INIT;
	if (!sysfs_folder_list(&names, pmu_fd, "format"))
		return NULL;
	_cleanup_(close_fd) int fd = openat(pmu_fd, "format", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < names.num_entries; i++) {
		char line[SYSFS_TEXT_MAX + 1];
		if (!sysfs_read_line(fd, names.entries[i]->d_name, line))
			continue;
		struct error *err = sysfs_pmu_add_format(pmu, names.entries[i]->d_name, line);
		if (err)
			return err;
	}
	return NULL;
}

// A name that the grammar of -e can take.
static bool sysfs_events_is_name(const char *name)
{
	return sysfs_is_printable(name, strlen(name)) && !strpbrk(name, " ,:{}/");
}

/** A file beside that of an event, with its unit or scale, or of no use to us. */
static bool is_companion(const char *name)
{
	static const char *const suffixes[] = {".unit", ".scale", ".per-pkg", ".snapshot"};
	size_t length = strlen(name);
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		size_t suffix = strlen(suffixes[i]);
		if (length > suffix && !strcmp(name + length - suffix, suffixes[i]))
			return true;
	}
	return false;
}

/** @ret: the text of the file beside an event's; NULL: there is no such file. False if it has
 *  none. */
static bool read_companion(int events_fd, const char *name, const char *suffix,
			   char line[static SYSFS_TEXT_MAX + 1], const char **ret)
{
	char file_name[NAME_MAX + 1];
	int length = snprintf(file_name, sizeof(file_name), "%s%s", name, suffix);
	*ret = NULL;
	if (length >= (int)sizeof(file_name) || faccessat(events_fd, file_name, F_OK, 0))
		return true;
	if (!sysfs_read_line(events_fd, file_name, line))
		return false;
	*ret = line;
	return true;
}

bool sysfs_events_read_measure(int events_fd, const char *name, struct sysfs_measure *ret)
{
	char line[SYSFS_TEXT_MAX + 1];
	const char *scale, *unit;
	*ret = (struct sysfs_measure){.scale = 1};
	if (!read_companion(events_fd, name, ".scale", line, &scale))
		return false;
	if (scale) {
		// As "2.3283064365386962890625e-10".
		char *end;
		ret->scale = real_number_parse(scale, &end);
		if (end == scale || *end || !isfinite(ret->scale) || ret->scale <= 0)
			return false;
	}
	if (!read_companion(events_fd, name, ".unit", line, &unit))
		return false;
	ret->has_unit = unit != NULL;
	if (unit)
		memcpy(ret->unit, line, sizeof(line));
	return true;
}

static struct error *sysfs_events_read_event(struct pmu_folder *folder,
					     const struct sysfs_folder *events, const char *name)
{
	char terms[SYSFS_TEXT_MAX + 1];
	struct sysfs_measure measure;
	uint64_t configs[SYSFS_PMU_NUM_CONFIGS];
	// An event with the wrong unit would be worse than none.
	if (!sysfs_events_is_name(name) || !sysfs_read_line(folder->events_fd, name, terms) ||
	    !sysfs_pmu_encode(&folder->pmu, terms, configs) ||
	    !sysfs_events_read_measure(folder->events_fd, name, &measure)) {
		folder->num_left_out++;
		return NULL;
	}
	struct arena *arena = &folder->catalog->arena;
	struct system_event *event = arena_alloc(arena, sizeof(*event));
	if (!event)
		return &error_no_memory;
	*event = (struct system_event){
		.event = {.name = arena_printf(arena, "%s/%s/", folder->name, name),
			  .title = arena_strdup(arena, terms),
			  .description = folder->description,
			  .event_class = EVENT_PERF,
			  .code = configs[0]},
		.type = folder->pmu.type,
		.config1 = configs[1],
		.config2 = configs[2],
		.kind = folder->kind,
		.unit = measure.has_unit ? arena_strdup(arena, measure.unit) : NULL,
		.scale = measure.scale,
	};
	if (!event->event.name || !event->event.title || (measure.has_unit && !event->unit))
		return &error_no_memory;
	return system_event_append(folder->catalog, event);
}

static struct error *sysfs_events_read(struct pmu_folder *folder, const struct sysfs_folder *events)
{
	struct arena *arena = &folder->catalog->arena;
	folder->kind = arena_printf(arena, "%s PMU event", folder->name);
	folder->description =
		arena_printf(arena, "Published by the kernel for its PMU '%s'.", folder->name);
	if (!folder->kind || !folder->description)
		return &error_no_memory;
	for (int i = 0; i < events->num_entries; i++) {
		const char *name = events->entries[i]->d_name;
		struct error *err =
			is_companion(name) ? NULL : sysfs_events_read_event(folder, events, name);
		if (err)
			return err;
	}
	return NULL;
}

// Most PMUs of the kernel itself (breakpoint, software, tracepoint, kprobe ...) name no events.
static struct error *load_pmu(struct catalog *catalog, int sysfs, const char *name,
			      struct string_builder *notes)
{
	if (!sysfs_events_is_name(name))
		return NULL;
	_cleanup_(pmu_folder_deinit) struct pmu_folder folder = {
		.catalog = catalog,
		.name = name,
		.fd = openat(sysfs, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.events_fd = -1,
		.pmu = SYSFS_PMU_INIT,
	};
	// The folder of events is listed once, so that companions need no attempt to open them.
	_cleanup_(sysfs_folder_deinit) struct sysfs_folder events = SYSFS_FOLDER_INIT;
	if (folder.fd < 0 || !sysfs_folder_list(&events, folder.fd, "events"))
		return NULL;
	folder.events_fd = openat(folder.fd, "events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!sysfs_read_number(folder.fd, "type", &folder.pmu.type)) {
		string_builder_appendf(
			notes, "events of %s are not listed: its sysfs folder has no 'type'\n",
			name);
		return NULL;
	}
	struct error *err = sysfs_events_read_formats(folder.fd, &folder.pmu);
	if (!err)
		err = sysfs_events_read(&folder, &events);
	if (!err && folder.num_left_out)
		string_builder_appendf(
			notes, "events of %s that wperf cannot encode are not listed: %zu\n", name,
			folder.num_left_out);
	return err;
}

struct error *sysfs_events_load(struct catalog *catalog, const char *sysfs,
				struct string_builder *notes)
{
	_cleanup_(sysfs_folder_deinit) struct sysfs_folder pmus = SYSFS_FOLDER_INIT;
	_cleanup_(close_fd) int fd = open(sysfs, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || !sysfs_folder_list(&pmus, fd, ".")) {
		string_builder_appendf(notes,
				       "events of PMUs are not listed: cannot read '%s': %s\n",
				       sysfs, strerror(errno));
		return NULL;
	}
	for (int i = 0; i < pmus.num_entries; i++) {
		struct error *err = load_pmu(catalog, fd, pmus.entries[i]->d_name, notes);
		if (err)
			return err;
	}
	return NULL;
}
