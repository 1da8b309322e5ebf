// SPDX-License-Identifier: Apache-2.0

#include "source/memory/leaks/used_memory.h"

#include "base/container/array.h"
#include "base/file/close_fd.h"
#include "process/memory/mapped_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// /proc/PID/maps says what is mapped, and /proc/PID/pagemap which pages there are (Linux,
// Documentation/admin-guide/mm/pagemap.rst): a word for each, whose upper bits say whether it is in
// memory or swapped out. Memory that was only reserved, often many gigabytes, takes no time so.

enum { PAGEMAP_WORDS = 4096 };

static const uint64_t page_is_there = UINT64_C(3) << 62;

static uint64_t used_memory_page(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/** False: of no interest. */
static bool used_memory_parse(char *text, struct used_range *ret)
{
	struct mapped_line line;
	if (!mapped_line_parse(text, &line) || !line.is_readable || !line.is_writable)
		return false;
	*ret = (struct used_range){
		.start = line.start,
		.end = line.end,
		.is_heap = strcmp(line.path, "[heap]") == 0,
		.is_stack = strcmp(line.path, "[stack]") == 0,
		.is_anonymous = !line.inode,
	};
	return strncmp(line.path, "/memfd:wperf-memory", strlen("/memfd:wperf-memory")) != 0;
}

static struct error *used_memory_read_maps(struct used_memory *used, FILE *maps)
{
	char *line = NULL;
	size_t cap_line = 0;
	struct error *err = NULL;
	while (!err && getline(&line, &cap_line, maps) > 0) {
		struct used_range range;
		if (!used_memory_parse(line, &range))
			continue;
		err = array_reserve(&used->ranges, &used->cap_ranges, used->num_ranges + 1);
		if (!err)
			used->ranges[used->num_ranges++] = range;
	}
	free(line);
	return err;
}

struct error *used_memory_open(struct used_memory *used, uint32_t pid)
{
	char path[64];
	*used = (struct used_memory)USED_MEMORY_INIT;
	used->memory = process_memory_of(pid);
	struct error *err = process_memory_check(pid);
	snprintf(path, sizeof(path), "/proc/%u/pagemap", pid);
	used->pagemap = err ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	FILE *maps = err ? NULL : fopen(path, "re");
	if (!err && (used->pagemap < 0 || !maps))
		err = error_create_errno(errno, "cannot read what process %u has mapped", pid);
	if (!err)
		err = used_memory_read_maps(used, maps);
	if (maps)
		fclose(maps);
	if (err)
		used_memory_close(used);
	return err;
}

void used_memory_close(struct used_memory *used)
{
	close_fd(&used->pagemap);
	free(used->ranges);
	*used = (struct used_memory)USED_MEMORY_INIT;
}

/** A page of which nothing is known counts as there. */
static size_t used_memory_pages(const struct used_memory *used, uint64_t first, size_t num,
				uint64_t *ret)
{
	if (num > PAGEMAP_WORDS)
		num = PAGEMAP_WORDS;
	ssize_t got = pread(used->pagemap, ret, num * sizeof(*ret), (off_t)(first * sizeof(*ret)));
	size_t num_got = got > 0 ? (size_t)got / sizeof(*ret) : 0;
	for (size_t i = num_got; i < num; i++)
		ret[i] = page_is_there;
	return num;
}

uint64_t used_memory_next(const struct used_memory *used, uint64_t address, uint64_t end,
			  uint64_t *ret_end)
{
	uint64_t page = used_memory_page(), words[PAGEMAP_WORDS], begin = end;
	for (uint64_t first = address / page; first * page < end;) {
		size_t num = used_memory_pages(used, first, (size_t)((end - 1) / page - first + 1),
					       words);
		for (size_t i = 0; i < num; i++, first++) {
			bool is_there = words[i] & page_is_there;
			if (begin == end && is_there)
				begin = first * page < address ? address : first * page;
			else if (begin < end && !is_there) {
				*ret_end = first * page;
				return begin;
			}
		}
	}
	*ret_end = end;
	return begin;
}
