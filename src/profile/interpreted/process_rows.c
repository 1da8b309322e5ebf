// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/process_rows.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "profile/hot/hot_key_table.h"
#include "profile/interpreted/interpreted_stacks.h"

#include <stdlib.h>

// One pass over the samples: each belongs to a row, and to a line of it. Lines are summed up by
// their file, whatever the function, as the table of hot lines does; a row takes its hottest at the
// end.

struct row_line {
	uint32_t row, frame;
	struct named_total sum;
};

struct row_work {
	struct hot_key_table row_index, line_index, place_index;
	struct process_rows rows;
	struct row_line *lines;
	size_t num_lines, cap_lines;
};

static void row_work_deinit(struct row_work *work)
{
	hot_key_table_deinit(&work->row_index);
	hot_key_table_deinit(&work->line_index);
	hot_key_table_deinit(&work->place_index);
	process_rows_deinit(&work->rows);
	free(work->lines);
}

static struct error *process_rows_find(struct row_work *work, const struct named_profile *profile,
				       enum process_fold fold, uint32_t thread, uint32_t *ret)
{
	struct process_rows *rows = &work->rows;
	const struct named_thread *named = &profile->threads[thread];
	const struct hot_key_value key = {
		{fold == PROCESS_BY_ROLE ? named->role.words : named->pid}};
	struct error *err = hot_key_table_intern(&work->row_index, key, ret);
	if (!err && *ret == rows->num_items) {
		err = array_reserve(&rows->items, &rows->cap_items, rows->num_items + 1);
		if (!err)
			rows->items[rows->num_items++] = (struct process_row){.frame = NAMED_NONE};
	}
	if (!err)
		rows->items[*ret].thread = thread; // by its last name
	return err;
}

static struct error *process_rows_add_line(struct row_work *work,
					   const struct named_profile *profile, uint32_t row,
					   const struct named_sample *sample)
{
	uint32_t stack = interpreted_stacks_innermost(profile, sample->stack), place, number;
	if (stack == STACK_NONE)
		return NULL;
	uint32_t frame = profile->stacks.nodes[stack].frame;
	const struct named_frame *named = &profile->frames[frame];
	struct error *err = hot_key_table_intern(
		&work->place_index, (struct hot_key_value){{named->file, named->line}}, &place);
	if (!err)
		err = hot_key_table_intern(&work->line_index, (struct hot_key_value){{row, place}},
					   &number);
	if (!err && number == work->num_lines) {
		err = array_reserve(&work->lines, &work->cap_lines, work->num_lines + 1);
		if (!err)
			work->lines[work->num_lines++] =
				(struct row_line){.row = row, .frame = frame};
	}
	if (!err)
		named_total_add(&work->lines[number].sum,
				(struct named_total){sample->count, sample->weight});
	return err;
}

static void take_hottest_lines(struct row_work *work)
{
	for (size_t i = 0; i < work->num_lines; i++) {
		const struct row_line *line = &work->lines[i];
		struct process_row *row = &work->rows.items[line->row];
		if (row->frame != NAMED_NONE && row->line.weight >= line->sum.weight)
			continue;
		row->frame = line->frame;
		row->line = line->sum;
	}
}

static int process_rows_compare(const void *left, const void *right)
{
	const struct process_row *a = left, *b = right;
	if (a->self.weight != b->self.weight)
		return a->self.weight < b->self.weight ? 1 : -1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

struct error *process_rows_create(const struct named_profile *profile, enum process_fold fold,
				  const struct profile_filter *filter, struct process_rows *ret)
{
	_cleanup_(row_work_deinit) struct row_work work = {0};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		const struct named_total sum = {sample->count, sample->weight};
		uint32_t row;
		if (!profile_filter_takes(filter, sample))
			continue;
		err = process_rows_find(&work, profile, fold, sample->thread, &row);
		if (err)
			break;
		named_total_add(&work.rows.items[row].self, sum);
		named_total_add(&work.rows.whole, sum);
		err = process_rows_add_line(&work, profile, row, sample);
	}
	if (err)
		return err;
	take_hottest_lines(&work);
	if (work.rows.num_items)
		qsort(work.rows.items, work.rows.num_items, sizeof(*work.rows.items),
		      process_rows_compare);
	*ret = work.rows;
	work.rows = (struct process_rows)PROCESS_ROWS_INIT;
	return NULL;
}

void process_rows_deinit(struct process_rows *rows)
{
	free(rows->items);
	*rows = (struct process_rows)PROCESS_ROWS_INIT;
}

size_t process_rows_num_children(const struct named_profile *profile,
				 const struct process_rows *rows)
{
	size_t num = 0;
	for (size_t i = 0; i < rows->num_items; i++)
		num += profile->threads[rows->items[i].thread].parent_pid != 0;
	return num;
}
