// SPDX-License-Identifier: Apache-2.0

#include "source/emulate/emulated_counting.h"

#include "source/emulate/emulated_machine.h"

#include <stdlib.h>
#include <string.h>

// The plugin (driver/emulator/plugin) adds up the measures of each emulated thread in shared
// memory; this file only reads them under the region's lock. To imitate a PMU with few counters,
// the plugin notes the totals at the beginning of each window of a thread; in_window() gives an
// event only what was counted while its window was on. Rows of threads stay after their end, so
// that their counts remain in the sum. Reset remembers a base for each thread, as perf_counting.c
// does.

// A hundredth of the wanted time: emulated programs take about a hundred times as long, and should
// see as many windows.
enum { WINDOW_CYCLES_PER_MS = 10000 };

struct emulated_column {
	const struct event *event;
	enum measure measure;
	uint32_t window; /* ALWAYS: on a counter all the time */
	bool is_blind;   /* of the kernel, which is not emulated */
};

enum { ALWAYS = UINT32_MAX };

static const char no_kernel[] = "not counted: the emulator runs only user code";

static struct error *emulated_counting_add_column(struct emulated_counting *counting,
						  const struct count_plan *plan,
						  const struct event_request *request)
{
	struct emulated_column *column = &counting->columns[counting->num_columns++];
	struct error *err = emulated_machine_measure(request->event, &column->measure);
	if (err)
		return err;
	column->event = request->event;
	column->is_blind = request->modifiers == EVENT_KERNEL;
	// Without a place in the placement it has a counter of its own.
	const struct placement *placement = &plan->placements[EVENT_CORE];
	size_t place = 0;
	while (place < placement->num_events && placement->events[place].request != request)
		place++;
	bool has_window = placement->multiplexed && place < placement->num_events;
	column->window = has_window ? (uint32_t)(place / placement->num_counters) : ALWAYS;
	struct region_config *config = &counting->region->config;
	config->counts_branches |= measure_is_of_branches(column->measure);
	config->counts_memory |= measure_is_of_memory(column->measure);
	config->counts_model |= measure_is_of_model(column->measure);
	if (has_window && column->window >= config->num_windows)
		config->num_windows = column->window + 1;
	return NULL;
}

static struct error *emulated_counting_add_columns(struct emulated_counting *counting,
						   const struct count_plan *plan)
{
	const struct event_list *list = plan->events;
	counting->columns = calloc(list->num_items + 1, sizeof(*counting->columns));
	counting->row = calloc(list->num_items + 1, sizeof(*counting->row));
	// A base for each place of the region, whether or not a thread has it yet.
	counting->base = calloc((list->num_items + 1) * REGION_MAX_THREADS, sizeof(struct count));
	if (!counting->columns || !counting->row || !counting->base)
		return &error_no_memory;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < list->num_items; i++)
		if (list->items[i].event->event_class == EVENT_CORE)
			err = emulated_counting_add_column(counting, plan, &list->items[i]);
	if (!err && counting->region->config.num_windows > REGION_MAX_WINDOWS)
		err = error_create(ERROR_FAILED, "too many events: more than %d times the counters",
				   REGION_MAX_WINDOWS);
	return err;
}

struct error *emulated_counting_open(struct emulated_counting *counting, struct region *region,
				     const struct count_plan *plan)
{
	*counting = (struct emulated_counting){
		.region = region,
		.pid = plan->pids[0],
		.per_thread = plan->per_thread,
		.inherit = plan->inherit,
	};
	struct region_config *config = &region->config;
	config->mode = REGION_COUNTS;
	config->window_cycles = (uint64_t)plan->period_ms * WINDOW_CYCLES_PER_MS;
	struct error *err = emulated_counting_add_columns(counting, plan);
	if (err)
		emulated_counting_close(counting);
	return err;
}

void emulated_counting_close(struct emulated_counting *counting)
{
	free(counting->columns);
	free(counting->row);
	free(counting->base);
	*counting = (struct emulated_counting){.region = NULL};
}

/** What the thread counted of a measure while the event was on a counter. */
static uint64_t in_window(const struct region_thread *thread, const uint64_t *totals,
			  uint32_t window, enum measure measure)
{
	if (window == ALWAYS)
		return totals[measure];
	uint64_t sum = thread->windows[window].totals[measure];
	// In the window that is on now: also what was counted since it began.
	return thread->window == window ? sum + totals[measure] - thread->window_began[measure]
					: sum;
}

/** Into counting->row. */
static void emulated_counting_read_thread(struct emulated_counting *counting,
					  const struct region_thread *thread)
{
	uint64_t totals[NUM_MEASURES];
	region_thread_totals(counting->region, thread, totals);
	for (size_t i = 0; i < counting->num_columns; i++) {
		const struct emulated_column *column = &counting->columns[i];
		struct count *count = &counting->row[i];
		*count = (struct count){.total = totals[MEASURE_CYCLES]};
		if (column->is_blind)
			continue;
		count->value = in_window(thread, totals, column->window, column->measure);
		count->scheduled = in_window(thread, totals, column->window, MEASURE_CYCLES);
	}
}

static bool emulated_counting_is_counted(const struct emulated_counting *counting,
					 const struct region_thread *thread)
{
	return thread->state != REGION_THREAD_FREE &&
	       (counting->inherit || thread->pid == counting->pid);
}

void emulated_counting_reset(struct emulated_counting *counting)
{
	struct region *region = counting->region;
	region_lock(&region->lock);
	for (size_t i = 0; i < REGION_MAX_THREADS; i++) {
		if (!emulated_counting_is_counted(counting, &region->threads[i]))
			continue;
		emulated_counting_read_thread(counting, &region->threads[i]);
		memcpy(&counting->base[i * counting->num_columns], counting->row,
		       counting->num_columns * sizeof(*counting->row));
	}
	region_unlock(&region->lock);
}

/** Add what the row has more than at the last reset. */
static void emulated_counting_add_row(const struct emulated_counting *counting, size_t place,
				      struct count_set *set)
{
	const struct region_thread *thread = &counting->region->threads[place];
	uint32_t id = counting->per_thread ? (uint32_t)thread->tid : (uint32_t)counting->pid;
	// The row of that name, or a new one behind the others.
	size_t unit = 0;
	while (unit < set->num_units && set->units[unit] != id)
		unit++;
	if (unit == set->num_units)
		set->units[set->num_units++] = id;
	const struct count *base = &counting->base[place * counting->num_columns];
	for (size_t i = 0; i < counting->num_columns; i++) {
		const struct count *now = &counting->row[i];
		struct count *sum = count_set_at(set, unit, i);
		sum->value += now->value - base[i].value;
		sum->scheduled += now->scheduled - base[i].scheduled;
		sum->total += now->total - base[i].total;
	}
}

struct error *emulated_counting_read(struct emulated_counting *counting, struct source_counts *ret)
{
	struct region *region = counting->region;
	_cleanup_(count_set_deinit) struct count_set set = COUNT_SET_INIT;
	struct error *err =
		count_set_create(counting->per_thread ? COUNT_UNIT_THREAD : COUNT_UNIT_PROCESS,
				 REGION_MAX_THREADS + 1, counting->num_columns, &set);
	if (err)
		return err;
	set.units[0] = (uint32_t)counting->pid;
	set.num_units = 1; // also if nothing runs yet
	// The lock keeps threads from ending, and windows from changing, while rows are added up.
	region_lock(&region->lock);
	for (size_t i = 0; i < REGION_MAX_THREADS; i++) {
		if (!emulated_counting_is_counted(counting, &region->threads[i]))
			continue;
		emulated_counting_read_thread(counting, &region->threads[i]);
		emulated_counting_add_row(counting, i, &set);
	}
	region_unlock(&region->lock);
	source_counts_deinit(ret);
	ret->sets[EVENT_PERF] = set;
	set = (struct count_set)COUNT_SET_INIT;
	return NULL;
}

const char *emulated_counting_note(const struct emulated_counting *counting, size_t column)
{
	bool is_blind = column < counting->num_columns && counting->columns[column].is_blind;
	return is_blind ? no_kernel : NULL;
}

const struct event *emulated_counting_event(const struct emulated_counting *counting, size_t column)
{
	return column < counting->num_columns ? counting->columns[column].event : NULL;
}
