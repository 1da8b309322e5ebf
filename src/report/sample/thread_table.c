// SPDX-License-Identifier: Apache-2.0

#include "report/sample/thread_table.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "view/layout/table.h"

#include <stdlib.h>
#include <string.h>

// The profile builder has summed up, per event and thread, how much weight the thread had in each
// state of the GIL (session/thread_times.h). Here the first sampled event and off-cpu are joined
// into one row per thread. A row for a thread that is on its core for 2 s, of these 1.5 s with the
// GIL, and then off it for 2 s, half of them waiting for the GIL:
//
//   on CPU %  with GIL %  without %  off CPU %  waits for GIL %  seconds   tid  thread
//   50.0        37.5       12.5       50.0             25.0    4.000  4711  worker-1
//
// Percentages are of the thread's own time, so that a thread that hardly ran is as readable as a
// busy one; rows are sorted by that time. JSON has the sums themselves, for each event and thread.

enum { DECIMALS = 1, ON_CPU_EVENT = 0 };
static const double ns_per_second = 1e9;

/** One thread: parts of its time. */
struct thread_row {
	uint32_t thread;
	struct named_total on, with_gil, without_gil, off, waited;
};

static struct named_total thread_table_sum_of(struct named_total a, struct named_total b)
{
	named_total_add(&a, b);
	return a;
}

bool thread_table_is_wanted(const struct thread_table *table)
{
	return table->times->num_items && (table->has_off_cpu || table->times->knows_gil);
}

static struct thread_row make_row(const struct thread_table *table, uint32_t thread)
{
	struct thread_row row = {.thread = thread};
	const struct thread_time *on = thread_times_find(table->times, ON_CPU_EVENT, thread);
	const struct thread_time *off =
		table->has_off_cpu ? thread_times_find(table->times, table->off_cpu_event, thread)
				   : NULL;
	if (on) {
		row.on = thread_time_total(on);
		row.with_gil = on->totals[GIL_HELD];
		// A thread on its core that asks for the GIL does not have it.
		row.without_gil = thread_table_sum_of(on->totals[GIL_FREE], on->totals[GIL_WAITED]);
	}
	if (off) {
		row.off = thread_time_total(off);
		row.waited = off->totals[GIL_WAITED];
	}
	return row;
}

static int by_weight(const void *left, const void *right)
{
	const struct thread_row *a = left, *b = right;
	uint64_t first = a->on.weight + a->off.weight, second = b->on.weight + b->off.weight;
	// Differences of 64-bit values do not fit the result; equal threads keep the order of the
	// profile.
	if (first != second)
		return first < second ? 1 : -1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

/** @ret: of each thread once; to be freed. */
static struct error *make_rows(const struct thread_table *table, struct thread_row **ret,
			       size_t *ret_num)
{
	const struct thread_times *times = table->times;
	struct thread_row *rows = calloc(times->num_items + 1, sizeof(*rows));
	if (!rows)
		return &error_no_memory;
	size_t num = 0;
	for (size_t i = 0; i < times->num_items; i++) {
		const struct thread_time *time = &times->items[i];
		bool is_on = time->event == ON_CPU_EVENT;
		// A thread with both kinds of samples has two entries: the one of its time on the
		// core makes the row. A thread that never ran while it was sampled has only the
		// second.
		bool is_off = table->has_off_cpu && time->event == table->off_cpu_event &&
			      !thread_times_find(times, ON_CPU_EVENT, time->thread);
		if (is_on || is_off)
			rows[num++] = make_row(table, time->thread);
	}
	qsort(rows, num, sizeof(*rows), by_weight);
	*ret = rows;
	*ret_num = num;
	return NULL;
}

// In the order of the table: parts of the time, the whole of it, and whose it is.
enum column { ON, WITH_GIL, WITHOUT_GIL, OFF, WAITED, SECONDS, SAMPLES, TID, NAME, NUM_COLUMNS };

static bool has_column(const struct thread_table *table, enum column column)
{
	switch (column) {
	case WITH_GIL:
	case WITHOUT_GIL:
		return table->times->knows_gil;
	case ON:
	case OFF:
	// Without --off-cpu the time of a thread is not known, only the number of its samples is.
	case SECONDS:
		return table->has_off_cpu;
	case WAITED:
		return table->has_off_cpu && table->times->knows_gil;
	case SAMPLES:
		return !table->has_off_cpu;
	default:
		return true;
	}
}

static void thread_table_add_cell(const struct thread_table *table, const struct thread_row *row,
				  enum column column, struct table *cells)
{
	const struct named_thread *thread = &table->profile->threads[row->thread];
	struct named_total whole = thread_table_sum_of(row->on, row->off);
	const struct named_total *const parts[NUM_COLUMNS] = {
		[ON] = &row->on,   [WITH_GIL] = &row->with_gil, [WITHOUT_GIL] = &row->without_gil,
		[OFF] = &row->off, [WAITED] = &row->waited,
	};
	if (parts[column])
		table_add_double(cells, named_total_percent(*parts[column], whole), DECIMALS);
	else if (column == SECONDS)
		table_add_double(cells, (double)whole.weight / ns_per_second, 3);
	else if (column == SAMPLES)
		table_add_u64(cells, row->on.count);
	else if (column == TID)
		table_add_u32(cells, thread->tid);
	else
		table_add_string(cells, named_profile_text(table->profile, thread->name));
}

static size_t choose_columns(const struct thread_table *table, struct table_column *ret)
{
	static const struct table_column columns[NUM_COLUMNS] = {
		[ON] = {"on CPU %", TABLE_RIGHT},
		[WITH_GIL] = {"with GIL %", TABLE_RIGHT},
		[WITHOUT_GIL] = {"without %", TABLE_RIGHT},
		[OFF] = {"off CPU %", TABLE_RIGHT},
		[WAITED] = {"waits for GIL %", TABLE_RIGHT},
		[SECONDS] = {"seconds", TABLE_RIGHT},
		[SAMPLES] = {"samples", TABLE_RIGHT},
		[TID] = {"tid", TABLE_RIGHT},
		[NAME] = {"thread", TABLE_LEFT},
	};
	size_t num = 0;
	for (int i = 0; i < NUM_COLUMNS; i++)
		if (has_column(table, (enum column)i))
			ret[num++] = columns[i];
	return num;
}

struct error *thread_table_print(const struct thread_table *table, size_t max_rows,
				 struct table_layout layout, FILE *stream)
{
	struct table_column columns[NUM_COLUMNS];
	_cleanup_(table_destroyp) struct table *cells = NULL;
	_cleanup_free_ struct thread_row *rows = NULL;
	size_t num_rows;
	struct error *err = table_create(columns, choose_columns(table, columns), &cells);
	if (!err)
		err = make_rows(table, &rows, &num_rows);
	if (err)
		return err;
	size_t num_shown = max_rows && max_rows < num_rows ? max_rows : num_rows;
	for (size_t i = 0; i < num_shown; i++)
		for (int column = 0; column < NUM_COLUMNS; column++)
			if (has_column(table, (enum column)column))
				thread_table_add_cell(table, &rows[i], (enum column)column, cells);
	err = table_check(cells);
	if (err)
		return err;
	fputs("threads:\n\n", stream);
	table_print(cells, layout, stream);
	if (num_shown < num_rows)
		fprintf(stream, "      ... and %zu more\n", num_rows - num_shown);
	return NULL;
}

void thread_table_write_json(const struct thread_table *table, struct json_writer *json)
{
	static const char *const states[GIL_NUM_STATES] = {
		[GIL_UNKNOWN] = "gil_unknown",
		[GIL_HELD] = "with_gil",
		[GIL_FREE] = "without_gil",
		[GIL_WAITED] = "waits_for_gil",
	};
	const struct named_profile *profile = table->profile;
	json_begin_array(json);
	for (size_t i = 0; i < table->times->num_items; i++) {
		const struct thread_time *time = &table->times->items[i];
		const struct named_thread *thread = &profile->threads[time->thread];
		json_begin_object(json);
		json_key_text(json, "event",
			      named_profile_text(profile, profile->events[time->event].name));
		json_key_u64(json, "pid", thread->pid);
		json_key_u64(json, "tid", thread->tid);
		json_key_text(json, "name", named_profile_text(profile, thread->name));
		json_key_u64(json, "samples", thread_time_total(time).count);
		for (size_t state = 0; state < GIL_NUM_STATES; state++)
			json_key_u64(json, states[state], time->totals[state].weight);
		json_end_object(json);
	}
	json_end_array(json);
}
