// SPDX-License-Identifier: Apache-2.0
// Which events there are is published in sysfs: a core's PMU has events/mem-loads and
// events/mem-stores, and format/ldlat if loads can be chosen by their latency; IBS is a PMU of its
// own, ibs_op. The kernel samples loads of some Intel cores (since Golden Cove) only as members of
// a group that events/mem-loads-aux leads: sampled events have no groups here, so that this is
// refused (linux/arch/x86/events/intel/core.c, PMU_FL_MEM_LOADS_AUX).

#include "catalog/linux/access_events.h"

#include "base/cleanup.h"
#include "catalog/linux/sysfs_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** Events of cores: "cpu", and of processors with several kinds "cpu_core", "cpu_atom". */
static bool access_events_is_core(const char *pmu)
{
	return strcmp(pmu, "cpu") == 0 || strncmp(pmu, "cpu_", strlen("cpu_")) == 0;
}

static bool access_events_has_file(const char *sysfs, const char *pmu, const char *file)
{
	char path[SYSFS_TEXT_MAX];
	int length = snprintf(path, sizeof(path), "%s/%s/%s", sysfs, pmu, file);
	return length > 0 && (size_t)length < sizeof(path) && access(path, R_OK) == 0;
}

/** @word: with the period for all. */
static void access_events_append(struct string_builder *list, const char *pmu, const char *terms,
				 const char *word)
{
	const char *period = word + strlen(ACCESS_EVENTS_WORD);
	const char *comma = *string_builder_peek(list) ? "," : "";
	string_builder_appendf(list, "%s%s/%s/%s", comma, pmu, terms, period);
}

static struct error *access_events_add_core(const char *sysfs, const char *pmu, const char *word,
					    struct string_builder *list)
{
	if (access_events_has_file(sysfs, pmu, "events/mem-loads-aux"))
		return error_with_hint(
			error_create(ERROR_FAILED,
				     "wperf cannot sample loads of this CPU: the kernel wants "
				     "%s/mem-loads-aux/ in a group with them",
				     pmu),
			"perf mem record does that, and wperf report --accesses reads it; or "
			"stores "
			"alone: -e %s/mem-stores/",
			pmu);
	if (access_events_has_file(sysfs, pmu, "events/mem-loads"))
		access_events_append(list, pmu,
				     access_events_has_file(sysfs, pmu, "format/ldlat")
					     ? "mem-loads,ldlat=30"
					     : "mem-loads",
				     word);
	if (access_events_has_file(sysfs, pmu, "events/mem-stores"))
		access_events_append(list, pmu, "mem-stores", word);
	return NULL;
}

struct error *access_events_find(const char *sysfs, const char *word, struct string_builder *ret)
{
	_cleanup_(sysfs_folder_deinit) struct sysfs_folder pmus = SYSFS_FOLDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder list = STRING_BUILDER_INIT;
	if (!sysfs || !sysfs_folder_list(&pmus, AT_FDCWD, sysfs))
		return access_events_missing();
	for (int i = 0; i < pmus.num_entries; i++) {
		const char *pmu = pmus.entries[i]->d_name;
		struct error *err = NULL;
		if (access_events_is_core(pmu))
			err = access_events_add_core(sysfs, pmu, word, &list);
		else if (strcmp(pmu, ACCESS_EVENTS_IBS) == 0)
			access_events_append(&list, pmu, "", word);
		if (err)
			return err;
	}
	if (list.failed)
		return &error_no_memory;
	if (!*string_builder_peek(&list))
		return access_events_missing();
	string_builder_append(ret, string_builder_peek(&list));
	return NULL;
}
