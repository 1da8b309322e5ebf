// SPDX-License-Identifier: Apache-2.0

#include "report/calls/call_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int call_row_by_call(const void *left, const void *right)
{
	const struct call_row *a = left, *b = right;
	if (a->is_foreign != b->is_foreign)
		return a->is_foreign ? 1 : -1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static int call_sum_by_time(const void *left, const void *right)
{
	const struct call_sum *a = left, *b = right;
	if (a->all.total_ns != b->all.total_ns)
		return a->all.total_ns < b->all.total_ns ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void call_sum_begin(struct call_sum *sum, const struct call_row *row, size_t first)
{
	*sum = (struct call_sum){.first = first};
	sum->all.number = row->number;
	sum->all.is_foreign = row->is_foreign;
	if (row->name)
		snprintf(sum->name, sizeof(sum->name), "%s", row->name);
	else
		snprintf(sum->name, sizeof(sum->name), "%scall %" PRIu32,
			 row->is_foreign ? "32-bit " : "", row->number);
}

static void call_sum_add(struct call_sum *sum, const struct call_row *row)
{
	struct call_row *all = &sum->all;
	sum->num++;
	all->num_calls += row->num_calls;
	all->num_errors += row->num_errors;
	all->num_unreturned += row->num_unreturned;
	all->unreturned_ns += row->unreturned_ns;
	all->total_ns += row->total_ns;
	all->waited_ns += row->waited_ns;
	if (row->max_ns > all->max_ns)
		all->max_ns = row->max_ns;
	for (size_t i = 0; i < CALL_ROW_BUCKETS; i++)
		all->histogram[i] += row->histogram[i];
}

struct error *call_sums_init(struct call_sums *sums, const struct call_table *table)
{
	sums->rows = calloc(table->num_rows + 1, sizeof(*sums->rows));
	sums->items = calloc(table->num_rows + 1, sizeof(*sums->items));
	if (!sums->rows || !sums->items)
		return &error_no_memory;
	if (table->num_rows)
		memcpy(sums->rows, table->rows, table->num_rows * sizeof(*sums->rows));
	qsort(sums->rows, table->num_rows, sizeof(*sums->rows), call_row_by_call);
	for (size_t i = 0; i < table->num_rows; i++) {
		const struct call_row *row = &sums->rows[i];
		if (i == 0 || row->number != row[-1].number ||
		    row->is_foreign != row[-1].is_foreign)
			call_sum_begin(&sums->items[sums->num_items++], row, i);
		call_sum_add(&sums->items[sums->num_items - 1], row);
	}
	qsort(sums->items, sums->num_items, sizeof(*sums->items), call_sum_by_time);
	return NULL;
}

void call_sums_deinit(struct call_sums *sums)
{
	free(sums->rows);
	free(sums->items);
}
