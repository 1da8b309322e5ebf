// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/plugin/guest_maps.h"

#include "driver/emulator/plugin/guest_thread.h"
#include "driver/emulator/plugin/plugin_state.h"
#include "driver/emulator/plugin/task_records.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// QEMU does not report mappings. When code is translated, its address is looked up in the ranges
// that are known, and otherwise in /proc/self/maps, whose addresses differ from the program's by
// guest_base. So a mapping is reported before the first sample in it, and mappings without executed
// code never are. munmap() and mmap() over a range forget it.

enum { LINE_SIZE = 4608 }; // a path of 4096, and what stands before it

void guest_maps_init(struct guest_maps *maps)
{
	pthread_mutex_init(&maps->lock, NULL);
}

void guest_maps_lock(struct guest_maps *maps)
{
	pthread_mutex_lock(&maps->lock);
}

void guest_maps_unlock(struct guest_maps *maps)
{
	pthread_mutex_unlock(&maps->lock);
}

static void guest_maps_remember(struct guest_maps *maps, uint64_t start, uint64_t end)
{
	if (maps->num_told == maps->cap_told) {
		size_t cap = maps->cap_told ? 2 * maps->cap_told : 64;
		struct guest_map *told = realloc(maps->told, cap * sizeof(*told));
		if (!told)
			return; // it is told again
		maps->told = told;
		maps->cap_told = cap;
	}
	maps->told[maps->num_told++] = (struct guest_map){start, end};
}

/** A line of /proc/self/maps, in addresses of the program. */
static bool guest_maps_parse_line(char *line, uint64_t guest_base, struct mapped_file *ret)
{
	int path = 0;
	*ret = (struct mapped_file){.path = ""};
	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %*4s %" SCNx64 " %" SCNx32 ":%" SCNx32 " %" SCNu64
		   " %n",
		   &ret->start, &ret->end, &ret->offset, &ret->major, &ret->minor, &ret->inode,
		   &path) < 6)
		return false;
	line[strcspn(line, "\n")] = '\0';
	ret->path = path ? line + path : "";
	ret->start -= guest_base;
	ret->end -= guest_base;
	return true;
}

static void guest_maps_tell(struct plugin *plugin, uint64_t address)
{
	FILE *file = fopen("/proc/self/maps", "re");
	if (!file)
		return;
	char line[LINE_SIZE];
	struct mapped_file mapped;
	while (fgets(line, sizeof(line), file)) {
		if (!guest_maps_parse_line(line, plugin->guest_base, &mapped) ||
		    address < mapped.start || address >= mapped.end)
			continue;
		task_records_map(guest_thread_self(plugin), &mapped);
		guest_maps_remember(&plugin->maps, mapped.start, mapped.end);
		break;
	}
	fclose(file);
}

void guest_maps_note_code(struct plugin *plugin, uint64_t address)
{
	struct guest_maps *maps = &plugin->maps;
	guest_maps_lock(maps);
	bool is_told = false;
	for (size_t i = 0; !is_told && i < maps->num_told; i++)
		is_told = address >= maps->told[i].start && address < maps->told[i].end;
	if (!is_told)
		guest_maps_tell(plugin, address);
	guest_maps_unlock(maps);
}

void guest_maps_forget(struct guest_maps *maps, uint64_t start, uint64_t size)
{
	guest_maps_lock(maps);
	for (size_t i = 0; i < maps->num_told;) {
		bool overlaps = maps->told[i].start < start + size && start < maps->told[i].end;
		if (overlaps)
			// Its whole mapping: what is left of it is told again when code there is
			// translated.
			maps->told[i] = maps->told[--maps->num_told];
		else
			i++;
	}
	guest_maps_unlock(maps);
}
