// SPDX-License-Identifier: Apache-2.0
// Welford's method (B. P. Welford, Technometrics 4, 1962): mean and sum of squared distances from
// it are brought up to date run by run. A plain sum of squares loses the digits in which large
// counts differ. What is shown is the standard error of the mean, as perf stat -r has it: how far
// the mean of so many runs may be off, not how far one run is.

#include "report/stat/stat_repeat.h"

#include "view/text/stat_section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_value(struct stat_spread *spread, double value, size_t num_runs)
{
	double distance = value - spread->mean;
	spread->mean += distance / (double)num_runs;
	spread->squares += distance * (value - spread->mean);
}

double stat_spread_percent(const struct stat_spread *spread, size_t num_runs)
{
	if (num_runs < 2 || spread->mean == 0)
		return 0;
	double runs = (double)num_runs;
	// Of the variance: runs - 1, as the mean is of the same runs; of its mean: runs once more.
	return sqrt(spread->squares / (runs - 1) / runs) / fabs(spread->mean) * 100;
}

static struct error *stat_repeat_make_room(struct stat_repeat *repeat, size_t num_columns)
{
	if (repeat->columns)
		return NULL;
	size_t num = num_columns ? num_columns : 1;
	repeat->num_columns = num_columns;
	repeat->columns = calloc(num, sizeof(*repeat->columns));
	repeat->scheduled = calloc(num, sizeof(*repeat->scheduled));
	repeat->total = calloc(num, sizeof(*repeat->total));
	return repeat->columns && repeat->scheduled && repeat->total ? NULL : &error_no_memory;
}

struct error *stat_repeat_add(struct stat_repeat *repeat, const struct counting_result *result,
			      const struct target_command_end *end)
{
	// -r counts a command, which only sources that count processes can: they have one section
	// and one unit.
	const struct count_set *set = &result->counts.sets[EVENT_PERF];
	struct error *err = stat_repeat_make_room(repeat, set->num_columns);
	if (err)
		return err;
	size_t runs = ++repeat->num_runs;
	for (size_t i = 0; i < repeat->num_columns; i++) {
		const struct count *count = count_set_at(set, 0, i);
		add_value(&repeat->columns[i], (double)count_scaled(count), runs);
		add_value(&repeat->scheduled[i], (double)count->scheduled, runs);
		add_value(&repeat->total[i], (double)count->total, runs);
	}
	add_value(&repeat->elapsed, (double)result->elapsed_ns, runs);
	add_value(&repeat->user, (double)end->user_ns, runs);
	add_value(&repeat->system, (double)end->system_ns, runs);
	return NULL;
}

/** Values that were scaled already count as if they had been there all the time. */
struct error *stat_repeat_mean(const struct stat_repeat *repeat, struct counting_result *ret)
{
	struct count_set *set = &ret->counts.sets[EVENT_PERF];
	struct error *err = count_set_create(COUNT_UNIT_PROCESS, 1, repeat->num_columns, set);
	if (err)
		return err;
	for (size_t i = 0; i < repeat->num_columns; i++) {
		// The mean of scaled counts must not be scaled again: where an event was on a
		// counter in any run, the mean claims that it was there all the time.
		bool was_measured = repeat->scheduled[i].mean > 0;
		uint64_t total = (uint64_t)llround(repeat->total[i].mean);
		*count_set_at(set, 0, i) = (struct count){
			.value = (uint64_t)llround(repeat->columns[i].mean),
			.scheduled = was_measured ? total : 0,
			.total = total,
		};
	}
	ret->elapsed_ns = (uint64_t)llround(repeat->elapsed.mean);
	return NULL;
}

static struct error *annotate_event(const struct stat_repeat *repeat, size_t i,
				    struct stat_tables *tables)
{
	struct stat_event *event = &tables->listed_events[i];
	const char **derived = arena_alloc(&tables->per_count, sizeof(*derived));
	if (derived)
		*derived = arena_printf(&tables->per_count, "%s%s( +- %.2f%% )", event->derived[0],
					*event->derived[0] ? "  " : "",
					stat_spread_percent(&repeat->columns[i], repeat->num_runs));
	if (!derived || !*derived)
		return &error_no_memory;
	event->derived = derived;
	return NULL;
}

struct error *stat_repeat_annotate(const struct stat_repeat *repeat, struct stat_tables *tables)
{
	struct error *err = NULL;
	const struct count_set *means = tables->sections[0].counts;
	for (size_t i = 0; !err && i < repeat->num_columns; i++)
		// "<not counted>" has no deviation.
		if (!stat_missing_text(&tables->listed_events[i], count_set_at(means, 0, i)))
			err = annotate_event(repeat, i, tables);
	return err;
}

struct error *stat_repeat_spreads(const struct stat_repeat *repeat, double **ret)
{
	double *spreads = calloc(repeat->num_columns + 1, sizeof(*spreads));
	if (!spreads)
		return &error_no_memory;
	for (size_t i = 0; i < repeat->num_columns; i++)
		spreads[i] = stat_spread_percent(&repeat->columns[i], repeat->num_runs);
	*ret = spreads;
	return NULL;
}

void stat_repeat_deinit(struct stat_repeat *repeat)
{
	free(repeat->columns);
	free(repeat->scheduled);
	free(repeat->total);
	*repeat = (struct stat_repeat)STAT_REPEAT_INIT;
}
