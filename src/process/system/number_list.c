// SPDX-License-Identifier: Apache-2.0

#include "process/system/number_list.h"

#include "base/container/array.h"

#include <stdlib.h>

struct error *number_list_add(struct number_list *list, uint32_t number)
{
	struct error *err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
	if (!err)
		list->items[list->num_items++] = number;
	return err;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	return (left > right) - (left < right);
}

void number_list_finish(struct number_list *list, uint32_t **ret, size_t *ret_num)
{
	if (list->num_items)
		qsort(list->items, list->num_items, sizeof(*list->items), compare_numbers);
	*ret = list->items;
	*ret_num = list->num_items;
	*list = (struct number_list)NUMBER_LIST_INIT;
}

void number_list_deinit(struct number_list *list)
{
	free(list->items);
	*list = (struct number_list)NUMBER_LIST_INIT;
}
