// SPDX-License-Identifier: Apache-2.0
// Files of Documentation/ABI/stable/sysfs-devices-system-cpu: cpuN/topology/ has numbers, where -1
// means that the kernel does not know; cpuN/cache/indexN/ describes a cache; a link cpuN/nodeN
// leads to the NUMA node. Sockets without dies have one, as perf has it, too.

#include "process/system/core_topology.h"

#include "base/file/first_line.h"
#include "base/text/number.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CACHES = 32 }; // of a CPU; they are numbered without gaps

static void topology_line(const char *root, unsigned cpu, const char *file, char *line, int size)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/cpu/cpu%u/%s", root, cpu, file);
	*line = '\0';
	if (length > 0 && (size_t)length < sizeof(path))
		first_line_read(path, line, size);
}

/** The number that @text begins with; the rest is another one's. */
static bool leading_number(const char *text, uint32_t *ret)
{
	uint64_t number;
	size_t length = strspn(text, "0123456789");
	if (number_parse_decimal(text, length, &number) != NUMBER_OK || number > UINT32_MAX)
		return false;
	*ret = (uint32_t)number;
	return true;
}

static bool topology_number(const char *root, unsigned cpu, const char *file, uint32_t *ret)
{
	char line[64];
	topology_line(root, cpu, file, line, sizeof(line));
	return leading_number(line, ret);
}

static struct error *is_not_told(const char *root, unsigned cpu, const char *what)
{
	return error_with_hint(
		error_create(ERROR_FAILED, "cannot find the %s of CPU %u", what, cpu),
		"the kernel does not tell it in %s/cpu/cpu%u; the CPU may be offline", root, cpu);
}

/** An index folder of a cache with data; @ret_level: 0: there is no such folder. */
static bool cache_level_of(const char *root, unsigned cpu, unsigned index, uint32_t *ret_level)
{
	char file[64], type[32];
	*ret_level = 0;
	snprintf(file, sizeof(file), "cache/index%u/level", index);
	if (!topology_number(root, cpu, file, ret_level))
		return false;
	snprintf(file, sizeof(file), "cache/index%u/type", index);
	topology_line(root, cpu, file, type, sizeof(type));
	return strcmp(type, "Instruction") != 0;
}

/** Older kernels number no caches; then the first CPU behind it stands for it, as in perf. */
static bool cache_id_of(const char *root, unsigned cpu, unsigned index, uint32_t *ret)
{
	char file[64];
	snprintf(file, sizeof(file), "cache/index%u/id", index);
	if (topology_number(root, cpu, file, ret))
		return true;
	snprintf(file, sizeof(file), "cache/index%u/shared_cpu_list", index);
	return topology_number(root, cpu, file, ret);
}

static struct error *find_cache(const char *root, uint32_t wanted, unsigned cpu,
				struct core_place *place)
{
	unsigned found = MAX_CACHES;
	for (unsigned i = 0; i < MAX_CACHES; i++) {
		uint32_t level;
		bool has_data = cache_level_of(root, cpu, i, &level);
		if (!level)
			break;
		bool fits = wanted ? level == wanted : level > place->cache_level;
		if (!has_data || !fits)
			continue;
		place->cache_level = level;
		found = i;
	}
	if (found < MAX_CACHES && cache_id_of(root, cpu, found, &place->id))
		return NULL;
	char what[32] = "last cache";
	if (wanted)
		snprintf(what, sizeof(what), "L%" PRIu32 " cache", wanted);
	return is_not_told(root, cpu, what);
}

static struct error *find_node(const char *root, unsigned cpu, struct core_place *place)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/cpu/cpu%u", root, cpu);
	DIR *folder = length > 0 && (size_t)length < sizeof(path) ? opendir(path) : NULL;
	bool is_found = false;
	for (struct dirent *entry; folder && !is_found && (entry = readdir(folder));)
		is_found = !strncmp(entry->d_name, "node", 4) &&
			   leading_number(entry->d_name + 4, &place->id);
	if (folder)
		closedir(folder);
	return is_found ? NULL : is_not_told(root, cpu, "NUMA node");
}

struct error *core_topology_find(const char *root, const struct core_grouping *by, unsigned cpu,
				 struct core_place *ret)
{
	struct core_place place = {0};
	struct error *err = NULL;
	if (by->kind == CORE_GROUPING_NODE)
		err = find_node(root, cpu, &place);
	else if (!topology_number(root, cpu, "topology/physical_package_id", &place.socket))
		err = is_not_told(root, cpu, "socket");
	bool has_die = by->kind != CORE_GROUPING_NODE && by->kind != CORE_GROUPING_SOCKET;
	if (has_die && !topology_number(root, cpu, "topology/die_id", &place.die))
		place.die = 0;
	if (!err && by->kind == CORE_GROUPING_CORE &&
	    !topology_number(root, cpu, "topology/core_id", &place.id))
		err = is_not_told(root, cpu, "core");
	if (!err && by->kind == CORE_GROUPING_CACHE)
		err = find_cache(root, by->cache_level, cpu, &place);
	if (!err)
		*ret = place;
	return err;
}
