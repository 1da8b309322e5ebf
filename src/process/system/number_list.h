/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_NUMBER_LIST_H
#define WPERF_PROCESS_SYSTEM_NUMBER_LIST_H

/** A list of pids or tids that is sorted at the end. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct number_list {
	uint32_t *items;
	size_t num_items, cap_items;
};

#define NUMBER_LIST_INIT \
	{                \
	}

struct error *number_list_add(struct number_list *list, uint32_t number);

/** @ret: ascending; to be freed. The list is empty then. */
void number_list_finish(struct number_list *list, uint32_t **ret, size_t *ret_num);

void number_list_deinit(struct number_list *list);

#endif
