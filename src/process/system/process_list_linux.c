// SPDX-License-Identifier: Apache-2.0

#include "process/system/process_list.h"

#include "base/text/number.h"
#include "process/system/number_list.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void process_list_close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

/** Folders that are named by numbers. */
static struct error *list_folder(const char *path, uint32_t **ret, size_t *ret_num)
{
	_cleanup_(process_list_close_folder) DIR *folder = opendir(path);
	if (!folder)
		return error_create_errno(errno, "cannot list '%s'", path);
	_cleanup_(number_list_deinit) struct number_list numbers = NUMBER_LIST_INIT;
	for (struct dirent *entry; (entry = readdir(folder));) {
		uint64_t number;
		const char *name = entry->d_name;
		if (number_parse_decimal(name, strlen(name), &number) != NUMBER_OK ||
		    // Numbers of processes end far below (PID_MAX_LIMIT of the kernel).
		    number > INT32_MAX)
			continue; // "." and "..", "self", files
		struct error *err = number_list_add(&numbers, (uint32_t)number);
		if (err)
			return err;
	}
	number_list_finish(&numbers, ret, ret_num);
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
