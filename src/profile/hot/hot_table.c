// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/hot_table.h"

#include "base/cleanup.h"
#include "profile/hot/share.h"

#include <stdlib.h>

// Lists of several events joined by item: all entries are sorted by item and event, and neighbours
// with the same item become a row. A row's rank is the largest share that it has in any event,
// taken at the lower end of its interval of confidence (share.c), so that an item with one sample
// of a rare event does not come first.
//
// Two events; an item that a list lacks has an empty cell there:
//
//	list of cycles    f 90, g 10
//	list of misses    g 5, h 1
//	rows              f: 90 | -,  g: 10 | 5,  h: - | 1    (in the order of their ranks)

/** An entry of the list of one event. */
struct place {
	uint32_t item, event;
	const struct hot_entry *entry;
};

static int hot_table_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_item(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = hot_table_compare(a->item, b->item);
	return order ? order : hot_table_compare(a->event, b->event);
}

struct ranked_row {
	struct hot_row row;
	double self, total;
};

static int compare_ranks(double a, double b)
{
	return (a < b) - (a > b);
}

static int hot_table_by_rank(const void *left, const void *right)
{
	const struct ranked_row *a = left, *b = right;
	int order = compare_ranks(a->self, b->self);
	order = order ? order : compare_ranks(a->total, b->total);
	return order ? order : hot_table_compare(a->row.item, b->row.item);
}

static double hot_table_larger(double a, double b)
{
	return a > b ? a : b;
}

/** What has nothing in an event has no rank there. */
static double rank_of(struct named_total part, struct named_total whole)
{
	return part.count ? share_of(part, whole).low : 0;
}

static size_t hot_table_fill_rows(const struct hot_table *table, const struct place *places,
				  size_t num_places, struct ranked_row *rows)
{
	size_t num_rows = 0;
	for (size_t i = 0; i < num_places; i++) {
		const struct place *place = &places[i];
		if (!i || places[i - 1].item != place->item) {
			// Cells are not moved when rows are sorted: a row points to its own. Those
			// of events in which the item does not occur stay 0.
			struct hot_cell *cells = &table->cells[num_rows * table->num_events];
			rows[num_rows++] = (struct ranked_row){.row = {place->item, cells}};
		}
		struct ranked_row *row = &rows[num_rows - 1];
		struct named_total whole = table->wholes[place->event];
		table->cells[(num_rows - 1) * table->num_events + place->event] =
			(struct hot_cell){place->entry->self, place->entry->total};
		row->self = hot_table_larger(row->self, rank_of(place->entry->self, whole));
		row->total = hot_table_larger(row->total, rank_of(place->entry->total, whole));
	}
	return num_rows;
}

struct error *hot_table_create(const struct hot_list *lists, size_t num_lists,
			       struct hot_table *ret)
{
	_cleanup_(hot_table_deinit) struct hot_table table = {.num_events = num_lists};
	size_t max_places = 0;
	for (size_t i = 0; i < num_lists; i++)
		max_places += lists[i].num_entries;
	_cleanup_free_ struct place *places = calloc(max_places + 1, sizeof(*places));
	_cleanup_free_ struct ranked_row *rows = calloc(max_places + 1, sizeof(*rows));
	table.rows = calloc(max_places + 1, sizeof(*table.rows));
	table.wholes = calloc(num_lists + 1, sizeof(*table.wholes));
	table.cells = calloc((max_places + 1) * (num_lists + 1), sizeof(*table.cells));
	if (!places || !rows || !table.rows || !table.wholes || !table.cells)
		return &error_no_memory;
	table.key = num_lists ? lists[0].key : HOT_FUNCTION;
	size_t num_places = 0;
	for (uint32_t event = 0; event < num_lists; event++) {
		table.wholes[event] = lists[event].whole;
		for (size_t i = 0; i < lists[event].num_entries; i++) {
			const struct hot_entry *entry = &lists[event].entries[i];
			places[num_places++] = (struct place){entry->item, event, entry};
		}
	}
	qsort(places, num_places, sizeof(*places), by_item);
	table.num_rows = hot_table_fill_rows(&table, places, num_places, rows);
	qsort(rows, table.num_rows, sizeof(*rows), hot_table_by_rank);
	for (size_t i = 0; i < table.num_rows; i++)
		table.rows[i] = rows[i].row;
	*ret = table;
	table = (struct hot_table)HOT_TABLE_INIT;
	return NULL;
}

struct named_total hot_table_none(const struct hot_table *table, size_t event)
{
	for (size_t i = 0; i < table->num_rows; i++)
		if (table->rows[i].item == NAMED_NONE)
			return table->rows[i].cells[event].self;
	return (struct named_total){0};
}

void hot_table_deinit(struct hot_table *table)
{
	free(table->rows);
	free(table->wholes);
	free(table->cells);
	*table = (struct hot_table)HOT_TABLE_INIT;
}
