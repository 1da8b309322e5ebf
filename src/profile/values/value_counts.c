// SPDX-License-Identifier: Apache-2.0

#include "profile/values/value_counts.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

struct error *value_counts_add(struct value_counts *counts, const char *event, const char *label,
			       struct value_count **ret)
{
	struct error *err =
		array_reserve(&counts->items, &counts->cap_items, counts->num_items + 1);
	if (err)
		return err;
	struct value_count *count = &counts->items[counts->num_items];
	*count = (struct value_count){.event = strdup(event), .label = strdup(label)};
	counts->num_items++;
	if (!count->event || !count->label)
		return &error_no_memory;
	*ret = count;
	return NULL;
}

struct error *value_count_add_text(struct value_count *count, const char *text, uint64_t times)
{
	struct error *err = array_reserve(&count->texts, &count->cap_texts, count->num_texts + 1);
	if (err)
		return err;
	struct value_count_text *added = &count->texts[count->num_texts++];
	*added = (struct value_count_text){.count = times};
	strncpy(added->text, text, sizeof(added->text) - 1);
	return NULL;
}

static int compare_count_texts(const void *a, const void *b)
{
	const struct value_count_text *left = a, *right = b;
	if (left->count != right->count)
		return left->count < right->count ? 1 : -1;
	return strcmp(left->text, right->text);
}

void value_counts_sort(struct value_counts *counts)
{
	for (size_t i = 0; i < counts->num_items; i++) {
		struct value_count *count = &counts->items[i];
		if (count->num_texts)
			qsort(count->texts, count->num_texts, sizeof(*count->texts),
			      compare_count_texts);
	}
}

void value_counts_deinit(struct value_counts *counts)
{
	for (size_t i = 0; i < counts->num_items; i++) {
		free(counts->items[i].event);
		free(counts->items[i].label);
		free(counts->items[i].texts);
	}
	free(counts->items);
	*counts = (struct value_counts)VALUE_COUNTS_INIT;
}
