// SPDX-License-Identifier: Apache-2.0

#include "process/thread/running.h"

#include "base/cleanup.h"
#include "process/memory/mapped_line.h"
#include "process/system/process_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// A state machine instead of a list: for thousands of processes, running_next() makes one record at
// a time, first the kernel's text, then for each process the names of its threads and its
// executable mappings (/proc/PID/maps, proc(5)). Files that vanish or may not be read give no
// records. [kernel.kallsyms]_text, and the distance to the end of the address space, are what `perf
// record` writes for the kernel (tools/perf/util/synthetic-events.c).

struct running {
	uint32_t *pids;
	size_t num_pids, next_pid;
	uint32_t pid; /* at hand */
	uint32_t *tids;
	size_t num_tids, next_tid;
	FILE *maps;
	bool kernel_was_told;
	char *line; /* of maps */
	size_t cap_line;
	char name[32];
};

struct error *running_open(const uint32_t *pids, size_t num_pids, struct running **ret)
{
	_cleanup_(running_destroyp) struct running *running = calloc(1, sizeof(*running));
	if (!running)
		return &error_no_memory;
	if (num_pids) {
		running->pids = calloc(num_pids, sizeof(*pids));
		if (!running->pids)
			return &error_no_memory;
		memcpy(running->pids, pids, num_pids * sizeof(*pids));
		running->num_pids = num_pids;
	} else {
		struct error *err = process_list(&running->pids, &running->num_pids);
		if (err)
			return err;
	}
	*ret = take_ptr(running);
	return NULL;
}

// The kernel does.
const bool running_reports_changes = false;

struct error *running_add(struct running *running, uint32_t pid)
{
	for (size_t i = 0; i < running->num_pids; i++)
		if (running->pids[i] == pid)
			return NULL;
	uint32_t *pids = reallocarray(running->pids, running->num_pids + 1, sizeof(*pids));
	if (!pids)
		return &error_no_memory;
	pids[running->num_pids++] = pid;
	running->pids = pids;
	return NULL;
}

void running_drop(struct running *running, uint32_t pid)
{
	for (size_t i = running->num_pids; i-- > 0;)
		if (running->pids[i] == pid)
			running->pids[i] = running->pids[--running->num_pids];
	running->next_pid = running->num_pids;
}

struct error *running_add_kernel(struct running *running)
{
	return NULL;
}

struct error *running_look_again(struct running *running)
{
	return NULL;
}

static void close_process(struct running *running)
{
	free(running->tids);
	if (running->maps)
		fclose(running->maps);
	running->tids = NULL;
	running->num_tids = running->next_tid = 0;
	running->maps = NULL;
}

void running_destroy(struct running *running)
{
	if (!running)
		return;
	close_process(running);
	free(running->pids);
	free(running->line);
	free(running);
}

bool running_thread_name(uint32_t pid, uint32_t tid, char *ret, size_t size)
{
	char path[64];
	ret[0] = '\0';
	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", pid, tid);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	bool was_read = fgets(ret, (int)size, file) != NULL;
	fclose(file);
	ret[strcspn(ret, "\n")] = '\0';
	return was_read;
}

static bool next_thread(struct running *running, struct record *ret)
{
	while (running->next_tid < running->num_tids) {
		uint32_t tid = running->tids[running->next_tid++];
		if (!running_thread_name(running->pid, tid, running->name, sizeof(running->name)))
			continue;
		*ret = (struct record){
			.kind = RECORD_COMM,
			.mode = RECORD_MODE_USER,
			.pid = running->pid,
			.tid = tid,
			.cpu = UINT32_MAX,
			.comm = {.name = running->name},
		};
		return true;
	}
	return false;
}

/** False: it is not executable. */
static bool parse_mapping(char *text, struct record_map *ret)
{
	struct mapped_line line;
	if (!mapped_line_parse(text, &line) || !line.is_executable)
		return false;
	*ret = (struct record_map){
		.start = line.start,
		.length = line.end - line.start,
		.file_offset = line.offset,
		.major = line.major,
		.minor = line.minor,
		.inode = line.inode,
		.path = *line.path ? line.path : "//anon",
		.protection = PROT_READ | PROT_EXEC,
		.is_executable = true,
	};
	return true;
}

static bool next_mapping(struct running *running, struct record *ret)
{
	struct record_map map = {0};
	while (running->maps && getline(&running->line, &running->cap_line, running->maps) > 0) {
		if (!parse_mapping(running->line, &map))
			continue;
		*ret = (struct record){
			.kind = RECORD_MAP,
			.mode = RECORD_MODE_USER,
			.pid = running->pid,
			.tid = running->pid,
			.cpu = UINT32_MAX,
			.map = map,
		};
		return true;
	}
	return false;
}

/** Addresses of /proc/kallsyms are all 0 for those who may not see them. */
static bool find_kernel_text(struct record_map *map)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	if (!file)
		return false;
	char line[256];
	uint64_t start = 0;
	// It is among the first.
	for (int i = 0; !start && i < 1000 && fgets(line, sizeof(line), file); i++) {
		char name[128];
		uint64_t address;
		if (sscanf(line, "%" SCNx64 " %*c %127s", &address, name) == 2 &&
		    (!strcmp(name, "_text") || !strcmp(name, "_stext")))
			start = address;
	}
	fclose(file);
	map->start = map->file_offset = start;
	map->length = UINT64_C(0xffffffffff000000) - start;
	return start != 0 && start < UINT64_C(0xffffffffff000000);
}

static bool next_of_kernel(struct running *running, struct record *ret)
{
	if (running->kernel_was_told)
		return false;
	running->kernel_was_told = true;
	// As perf tells it: readers of perf.data look for this name.
	*ret = (struct record){
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_KERNEL,
		.pid = UINT32_MAX,
		.cpu = UINT32_MAX,
		.map = {.path = "[kernel.kallsyms]_text", .is_executable = true},
	};
	return find_kernel_text(&ret->map);
}

struct error *running_next(struct running *running, struct record *ret, bool *ret_more)
{
	*ret_more = next_of_kernel(running, ret);
	while (!*ret_more) {
		*ret_more = next_thread(running, ret) || next_mapping(running, ret);
		if (*ret_more)
			break;
		close_process(running);
		if (running->next_pid == running->num_pids)
			break;
		char path[64];
		running->pid = running->pids[running->next_pid++];
		// One that has ended meanwhile has no threads, and nothing mapped.
		error_destroy(
			process_list_threads(running->pid, &running->tids, &running->num_tids));
		snprintf(path, sizeof(path), "/proc/%u/maps", running->pid);
		running->maps = fopen(path, "re");
	}
	return NULL;
}
