// SPDX-License-Identifier: Apache-2.0

#include "process/pid_list.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/text/number.h"

#include <stdlib.h>
#include <string.h>

struct error *pid_list_parse(const char *text, uint32_t **ret, size_t *ret_num)
{
	size_t cap = 0, num = 0;
	_cleanup_free_ uint32_t *pids = NULL;
	for (const char *item = text; item; item = strchr(item, ',')) {
		item += *item == ',';
		size_t length = strcspn(item, ",");
		uint64_t pid;
		if (number_parse_decimal(item, length, &pid) != NUMBER_OK || !pid ||
		    pid > INT32_MAX)
			return error_with_hint(error_create(ERROR_USAGE, "not a process ID: '%.*s'",
							    (int)length, item),
					       "-p takes process IDs, separated by commas");
		// Who is named twice is not counted twice.
		size_t before = 0;
		while (before < num && pids[before] != pid)
			before++;
		if (before < num)
			continue;
		struct error *err = array_reserve(&pids, &cap, num + 1);
		if (err)
			return err;
		pids[num++] = (uint32_t)pid;
	}
	*ret = take_ptr(pids);
	*ret_num = num;
	return NULL;
}
