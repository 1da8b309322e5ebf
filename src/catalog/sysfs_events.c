// SPDX-License-Identifier: Apache-2.0

#include "catalog/sysfs_events.h"

#include "base/array.h"
#include "base/cleanup.h"
#include "base/close_fd.h"
#include "base/number.h"
#include "base/string_builder.h"
#include "catalog/sysfs_pmu.h"
#include "catalog/system_events.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A file of sysfs is never longer than a page.
enum { TEXT_MAX = 4096 };

/** The names in a folder, sorted. */
struct folder {
	struct dirent **entries;
	int num_entries;
};

static void folder_deinit(struct folder *folder)
{
	for (int i = 0; i < folder->num_entries; i++)
		free(folder->entries[i]);
	free(folder->entries);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

// Not alphasort(): its order depends on the locale.
static int compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool folder_read(struct folder *folder, int parent, const char *name)
{
	folder->num_entries =
		scandirat(parent, name, &folder->entries, is_visible, compare_entries);
	return folder->num_entries >= 0;
}

static bool is_printable(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return true;
}

// The one line of a small file; false if there is none, or more, or what is no text.
static bool read_line(int parent, const char *name, char line[TEXT_MAX + 1])
{
	// O_NONBLOCK: a pipe that pretends to be a file shall not hold us.
	_cleanup_(close_fd) int fd = openat(parent, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	ssize_t count = read(fd, line, TEXT_MAX + 1);
	if (count <= 0 || count > TEXT_MAX)
		return false;
	size_t length = (size_t)count;
	while (length && (line[length - 1] == '\n' || line[length - 1] == ' '))
		length--;
	line[length] = '\0';
	return length && is_printable(line, length);
}

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

static bool read_type(int fd, uint32_t *ret)
{
	char line[TEXT_MAX + 1];
	uint64_t type;
	if (!read_line(fd, "type", line) ||
	    number_parse_decimal(line, strlen(line), &type) != NUMBER_OK || type > UINT32_MAX)
		return false;
	*ret = (uint32_t)type;
	return true;
}

static struct error *read_formats(struct pmu_folder *folder)
{
	_cleanup_(folder_deinit) struct folder names = {};
	if (!folder_read(&names, folder->fd, "format"))
		return NULL;
	_cleanup_(close_fd) int fd =
		openat(folder->fd, "format", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < names.num_entries; i++) {
		char line[TEXT_MAX + 1];
		if (!read_line(fd, names.entries[i]->d_name, line))
			continue;
		struct error *err =
			sysfs_pmu_add_format(&folder->pmu, names.entries[i]->d_name, line);
		if (err)
			return err;
	}
	return NULL;
}

// A name that the grammar of -e can take.
static bool is_name(const char *name)
{
	return is_printable(name, strlen(name)) && !strpbrk(name, " ,:{}/");
}

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

static int compare_to_entry(const void *name, const void *entry)
{
	return strcmp(name, (*(const struct dirent *const *)entry)->d_name);
}

static bool has_entry(const struct folder *folder, const char *name)
{
	return bsearch(name, folder->entries, (size_t)folder->num_entries, sizeof(*folder->entries),
		       compare_to_entry);
}

// What the file `<event><suffix>` says; NULL in @ret if there is no such file.
static bool read_companion(const struct pmu_folder *folder, const struct folder *events,
			   const char *name, const char *suffix, char line[TEXT_MAX + 1],
			   const char **ret)
{
	char file_name[NAME_MAX + 1];
	int length = snprintf(file_name, sizeof(file_name), "%s%s", name, suffix);
	*ret = NULL;
	if (length >= (int)sizeof(file_name) || !has_entry(events, file_name))
		return true;
	if (!read_line(folder->events_fd, file_name, line))
		return false;
	*ret = line;
	return true;
}

static bool read_scale(const struct pmu_folder *folder, const struct folder *events,
		       const char *name, double *ret)
{
	char line[TEXT_MAX + 1];
	const char *text;
	if (!read_companion(folder, events, name, ".scale", line, &text))
		return false;
	if (!text) {
		*ret = 1;
		return true;
	}
	char *end;
	double scale = strtod(text, &end);
	if (end == text || *end || !isfinite(scale) || scale <= 0)
		return false;
	*ret = scale;
	return true;
}

static struct error *add_event(struct pmu_folder *folder, const char *name, const char *terms,
			       const uint64_t configs[SYSFS_PMU_NUM_CONFIGS], const char *unit,
			       double scale)
{
	struct arena *arena = &folder->catalog->arena;
	struct system_event *event = arena_alloc(arena, sizeof(*event));
	if (!event)
		return &error_no_memory;
	*event = (struct system_event){
		.event =
			{
				.name = arena_printf(arena, "%s/%s/", folder->name, name),
				.title = arena_strdup(arena, terms),
				.description = folder->description,
				.event_class = EVENT_PERF,
				.code = configs[0],
			},
		.type = folder->pmu.type,
		.config1 = configs[1],
		.config2 = configs[2],
		.kind = folder->kind,
		.unit = unit ? arena_strdup(arena, unit) : NULL,
		.scale = scale,
	};
	if (!event->event.name || !event->event.title || (unit && !event->unit))
		return &error_no_memory;
	return system_events_append(folder->catalog, event);
}

static struct error *read_event(struct pmu_folder *folder, const struct folder *events,
				const char *name)
{
	char terms[TEXT_MAX + 1];
	char unit_line[TEXT_MAX + 1];
	const char *unit;
	double scale;
	uint64_t configs[SYSFS_PMU_NUM_CONFIGS];
	// An event with the wrong unit would be worse than none.
	if (!is_name(name) || !read_line(folder->events_fd, name, terms) ||
	    !sysfs_pmu_encode(&folder->pmu, terms, configs) ||
	    !read_companion(folder, events, name, ".unit", unit_line, &unit) ||
	    !read_scale(folder, events, name, &scale)) {
		folder->num_left_out++;
		return NULL;
	}
	return add_event(folder, name, terms, configs, unit, scale);
}

static struct error *read_events(struct pmu_folder *folder, const struct folder *events)
{
	struct arena *arena = &folder->catalog->arena;
	folder->kind = arena_printf(arena, "%s PMU event", folder->name);
	folder->description =
		arena_printf(arena, "Published by the kernel for its PMU '%s'.", folder->name);
	if (!folder->kind || !folder->description)
		return &error_no_memory;
	for (int i = 0; i < events->num_entries; i++) {
		const char *name = events->entries[i]->d_name;
		struct error *err = is_companion(name) ? NULL : read_event(folder, events, name);
		if (err)
			return err;
	}
	return NULL;
}

// Most PMUs of the kernel itself (breakpoint, software, tracepoint, kprobe ...) name no events.
static struct error *load_pmu(struct catalog *catalog, int sysfs, const char *name,
			      struct string_builder *notes)
{
	if (!is_name(name))
		return NULL;
	_cleanup_(pmu_folder_deinit) struct pmu_folder folder = {
		.catalog = catalog,
		.name = name,
		.fd = openat(sysfs, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.events_fd = -1,
		.pmu = SYSFS_PMU_INIT,
	};
	_cleanup_(folder_deinit) struct folder events = {};
	if (folder.fd < 0 || !folder_read(&events, folder.fd, "events"))
		return NULL;
	folder.events_fd = openat(folder.fd, "events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!read_type(folder.fd, &folder.pmu.type)) {
		string_builder_appendf(notes, "events of %s are left out: no type in its folder\n",
				       name);
		return NULL;
	}
	struct error *err = read_formats(&folder);
	if (!err)
		err = read_events(&folder, &events);
	if (!err && folder.num_left_out)
		string_builder_appendf(notes,
				       "events of %s that cannot be encoded are left out: %zu\n",
				       name, folder.num_left_out);
	return err;
}

struct error *sysfs_events_load(struct catalog *catalog, const char *sysfs,
				struct string_builder *notes)
{
	_cleanup_(folder_deinit) struct folder pmus = {};
	_cleanup_(close_fd) int fd = open(sysfs, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || !folder_read(&pmus, fd, ".")) {
		string_builder_appendf(notes, "events of PMUs are left out: cannot read '%s': %s\n",
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
