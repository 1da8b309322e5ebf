// SPDX-License-Identifier: Apache-2.0

#include "process/process_list.h"

#include "base/array.h"
#include "base/cleanup.h"
#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	return (left > right) - (left < right);
}

/** Folders that are named by numbers. */
static struct error *list_folder(const char *path, uint32_t **ret, size_t *ret_num)
{
	_cleanup_(close_folder) DIR *folder = opendir(path);
	if (!folder)
		return error_create_errno(errno, "cannot list '%s'", path);
	_cleanup_free_ uint32_t *numbers = NULL;
	size_t num = 0, cap = 0;
	for (struct dirent *entry; (entry = readdir(folder));) {
		uint64_t number;
		const char *name = entry->d_name;
		if (number_parse_decimal(name, strlen(name), &number) != NUMBER_OK ||
		    number > INT32_MAX)
			continue; // "." and "..", "self", files
		struct error *err = array_reserve(&numbers, &cap, num + 1);
		if (err)
			return err;
		numbers[num++] = (uint32_t)number;
	}
	if (num)
		qsort(numbers, num, sizeof(*numbers), compare_numbers);
	*ret = take_ptr(numbers);
	*ret_num = num;
	return NULL;
}

struct error *process_list(uint32_t **ret, size_t *ret_num)
{
	return list_folder("/proc", ret, ret_num);
}

struct error *process_list_threads(uint32_t pid, uint32_t **ret, size_t *ret_num)
{
	char path[sizeof("/proc/4294967295/task")];
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task", pid);
	return list_folder(path, ret, ret_num);
}
