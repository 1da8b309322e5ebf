// SPDX-License-Identifier: Apache-2.0

#include "source/memory/leaks/used_memory.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "base/file/close_fd.h"
#include "process/memory/mapped_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// /proc/PID/maps says what is mapped, and /proc/PID/pagemap which pages there are (Linux,
// Documentation/admin-guide/mm/pagemap.rst): a word for each, whose upper bits say whether it is in
// memory or swapped out. Memory that was only reserved, often many gigabytes, takes no time so. As
// touched and untouched pages may alternate, the words that were read last are kept: the process is
// stopped, so that they stay true.

static const uint64_t page_is_there = UINT64_C(3) << 62;

static uint64_t used_memory_page(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

struct error *shared_file_of(int fd, struct shared_file *ret)
{
	struct stat file;
	if (fstat(fd, &file))
		return error_create_errno(errno, "cannot ask for the memory that is shared");
	*ret = (struct shared_file){
		.major = major(file.st_dev),
		.minor = minor(file.st_dev),
		.inode = file.st_ino,
	};
	return NULL;
}

static bool shared_file_is(const struct shared_file *shared, const struct mapped_line *line)
{
	return line->inode == shared->inode && line->major == shared->major &&
	       line->minor == shared->minor;
}

static struct error *used_memory_add(struct used_memory *used, const struct mapped_line *line)
{
	if (!line->is_readable || !line->is_writable)
		return NULL;
	struct error *err = array_reserve(&used->ranges, &used->cap_ranges, used->num_ranges + 1);
	if (!err)
		used->ranges[used->num_ranges++] = (struct used_range){
			.start = line->start,
			.end = line->end,
			.is_heap = strcmp(line->path, "[heap]") == 0,
			.is_stack = strcmp(line->path, "[stack]") == 0,
			.is_anonymous = !line->inode,
		};
	return err;
}

static struct error *used_memory_read_maps(struct used_memory *used, FILE *maps,
					   const struct shared_file *shared, bool *ret_is_shared)
{
	char *text = NULL;
	size_t cap_text = 0;
	struct error *err = NULL;
	while (!err && getline(&text, &cap_text, maps) > 0) {
		struct mapped_line line;
		if (!mapped_line_parse(text, &line))
			continue;
		if (shared_file_is(shared, &line))
			*ret_is_shared = true;
		else
			err = used_memory_add(used, &line);
	}
	free(text);
	return err;
}

struct error *used_memory_open(struct used_memory *used, uint32_t pid,
			       const struct shared_file *shared, bool *ret_is_shared)
{
	char path[64];
	*used = (struct used_memory)USED_MEMORY_INIT;
	*ret_is_shared = false;
	used->memory = process_memory_of(pid);
	struct error *err = process_memory_check(pid);
	snprintf(path, sizeof(path), "/proc/%u/pagemap", pid);
	used->pagemap = err ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	FILE *maps = err ? NULL : fopen(path, "re");
	if (!err && (used->pagemap < 0 || !maps))
		err = error_create_errno(errno, "cannot read what process %u has mapped", pid);
	if (!err)
		err = used_memory_read_maps(used, maps, shared, ret_is_shared);
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
static void used_memory_read_pages(struct used_memory *used, uint64_t first, uint64_t num)
{
	used->first_page = first;
	used->num_pages = num < USED_MEMORY_PAGES ? (size_t)num : USED_MEMORY_PAGES;
	ssize_t got = pread(used->pagemap, used->pages, used->num_pages * sizeof(*used->pages),
			    (off_t)(first * sizeof(*used->pages)));
	size_t num_got = got > 0 ? (size_t)got / sizeof(*used->pages) : 0;
	for (size_t i = num_got; i < used->num_pages; i++)
		used->pages[i] = page_is_there;
}

bool used_memory_covers(const struct used_memory *used, uint64_t start, uint64_t end)
{
	size_t next = BISECT_U64(used->ranges, used->num_ranges, start, start);
	if (!next)
		return false;
	// Neighbours have different rights or names, and are one piece of memory all the same.
	uint64_t covered = used->ranges[next - 1].end;
	while (covered < end && next < used->num_ranges && used->ranges[next].start == covered)
		covered = used->ranges[next++].end;
	return start < covered && end <= covered;
}

uint64_t used_memory_next(struct used_memory *used, uint64_t address, uint64_t end,
			  uint64_t *ret_end)
{
	uint64_t page = used_memory_page(), first = address / page;
	if (first < used->first_page || first - used->first_page >= used->num_pages)
		used_memory_read_pages(used, first, (end - 1) / page - first + 1);
	size_t begin = (size_t)(first - used->first_page), stop;
	while (begin < used->num_pages && !(used->pages[begin] & page_is_there))
		begin++;
	for (stop = begin; stop < used->num_pages && used->pages[stop] & page_is_there;)
		stop++;
	uint64_t begins_at = (used->first_page + begin) * page;
	uint64_t ends_at = (used->first_page + stop) * page;
	*ret_end = ends_at < end ? ends_at : end;
	if (begins_at < address)
		begins_at = address;
	return begins_at < *ret_end ? begins_at : *ret_end;
}
