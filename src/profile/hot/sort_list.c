// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/sort_list.h"

#include "base/container/array.h"
#include "profile/hot/hot_key_table.h"
#include "profile/hot/hot_label.h"
#include "profile/interpreted/process_roles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A combination of keys becomes one number step by step: the number of the group of the keys
// before, joined with the value of the next key, is interned again. Keys of samples
// and keys of frames are combined separately, as groups of frames are the same for all samples; a
// row is a pair of both. `last_sample` keeps a frame that recurs in a stack from being added twice.
//
// Keys tid, module and symbol: samples are grouped by thread, frames by module and symbol.
//
//	row key = (group of the thread, group of the frame)
//	group of the frame = intern(intern(NONE, module), symbol)

/** Where rows are found by the numbers of their parts. */
struct sorting {
	const struct named_profile *profile;
	struct sort_list *list;
	struct hot_key_table values; /* of single keys */
	struct hot_key_table groups; /* of the keys before, and the value of one more */
	struct hot_key_table rows;   /* of a sample's group, and a frame's */
	uint32_t *frame_groups;      /* of each frame */
	size_t *last_sample;         /* that was added to the row's total, from 1 on */
	size_t cap_last_sample;
};

struct sort_key_info {
	const char *title;
	/** Of a thread, a CPU or a frame. */
	struct hot_key_value (*value)(const struct named_profile *profile, uint32_t item);
	void (*append)(const struct named_profile *profile, uint32_t item,
		       struct string_builder *text);
	enum { OF_THREAD, OF_CPU, OF_FRAME } kind;
};

static const struct named_function *sort_list_function_of(const struct named_profile *profile,
							  uint32_t frame)
{
	return &profile->functions[profile->frames[frame].function];
}

static struct hot_key_value command_value(const struct named_profile *profile, uint32_t thread)
{
	return (struct hot_key_value){{profile->threads[thread].name}};
}

static struct hot_key_value process_value(const struct named_profile *profile, uint32_t thread)
{
	return (struct hot_key_value){{profile->threads[thread].process_name}};
}

static struct hot_key_value pid_value(const struct named_profile *profile, uint32_t thread)
{
	return (struct hot_key_value){{profile->threads[thread].pid}};
}

static struct hot_key_value role_value(const struct named_profile *profile, uint32_t thread)
{
	return (struct hot_key_value){{profile->threads[thread].role.words}};
}

static struct hot_key_value tid_value(const struct named_profile *profile, uint32_t thread)
{
	return (struct hot_key_value){{profile->threads[thread].tid}};
}

static struct hot_key_value cpu_value(const struct named_profile *profile, uint32_t cpu)
{
	return (struct hot_key_value){{cpu}};
}

static struct hot_key_value module_value(const struct named_profile *profile, uint32_t frame)
{
	return (struct hot_key_value){{sort_list_function_of(profile, frame)->module}};
}

static struct hot_key_value symbol_value(const struct named_profile *profile, uint32_t frame)
{
	return (struct hot_key_value){{sort_list_function_of(profile, frame)->name}};
}

/** Code without lines is told apart by its module. */
static struct hot_key_value line_value(const struct named_profile *profile, uint32_t index)
{
	const struct named_frame *frame = &profile->frames[index];
	uint64_t place = frame->line ? frame->file : sort_list_function_of(profile, index)->module;
	return (struct hot_key_value){{place, frame->line}};
}

static struct hot_key_value file_value(const struct named_profile *profile, uint32_t index)
{
	const struct named_frame *frame = &profile->frames[index];
	uint64_t place = frame->line ? frame->file : sort_list_function_of(profile, index)->module;
	return (struct hot_key_value){{place, frame->line != 0}};
}

static struct hot_key_value address_value(const struct named_profile *profile, uint32_t index)
{
	return (struct hot_key_value){
		{sort_list_function_of(profile, index)->module, profile->frames[index].address}};
}

static void append_string(const struct named_profile *profile, uint32_t string,
			  struct string_builder *text)
{
	string_builder_append(text, named_profile_text(profile, string));
}

static void append_command(const struct named_profile *profile, uint32_t thread,
			   struct string_builder *text)
{
	append_string(profile, profile->threads[thread].name, text);
}

static void sort_list_append_process(const struct named_profile *profile, uint32_t thread,
				     struct string_builder *text)
{
	append_string(profile, profile->threads[thread].process_name, text);
}

static void append_pid(const struct named_profile *profile, uint32_t thread,
		       struct string_builder *text)
{
	string_builder_appendf(text, "%" PRId32 ":", (int32_t)profile->threads[thread].pid);
	sort_list_append_process(profile, thread, text);
}

static void append_role(const struct named_profile *profile, uint32_t thread,
			struct string_builder *text)
{
	process_role_append_all(profile, &profile->threads[thread].role, text);
}

static void append_tid(const struct named_profile *profile, uint32_t thread,
		       struct string_builder *text)
{
	string_builder_appendf(text, "%" PRId32 ":", (int32_t)profile->threads[thread].tid);
	append_command(profile, thread, text);
}

static void sort_list_append_cpu(const struct named_profile *profile, uint32_t cpu,
				 struct string_builder *text)
{
	if (cpu != NAMED_NONE)
		string_builder_appendf(text, "%" PRIu32, cpu);
}

static void sort_list_append_module(const struct named_profile *profile, uint32_t frame,
				    struct string_builder *text)
{
	uint32_t module = sort_list_function_of(profile, frame)->module;
	if (module == NAMED_NONE)
		string_builder_append(text, "[unknown]");
	else
		append_string(profile, profile->modules[module].name, text);
}

static void append_symbol(const struct named_profile *profile, uint32_t frame,
			  struct string_builder *text)
{
	append_string(profile, sort_list_function_of(profile, frame)->name, text);
}

static void sort_list_append_line(const struct named_profile *profile, uint32_t frame,
				  struct string_builder *text)
{
	if (profile->frames[frame].line)
		hot_label_append_line(profile, &profile->frames[frame], text);
	else
		sort_list_append_module(profile, frame, text);
}

static void sort_list_append_file(const struct named_profile *profile, uint32_t frame,
				  struct string_builder *text)
{
	if (profile->frames[frame].line)
		append_string(profile, profile->frames[frame].file, text);
	else
		sort_list_append_module(profile, frame, text);
}

static void sort_list_append_address(const struct named_profile *profile, uint32_t frame,
				     struct string_builder *text)
{
	sort_list_append_module(profile, frame, text);
	string_builder_appendf(text, "+0x%" PRIx64, profile->frames[frame].address);
}

static const struct sort_key_info infos[SORT_NUM_KEYS] = {
	[SORT_COMMAND] = {"command", command_value, append_command, OF_THREAD},
	[SORT_PROCESS] = {"process", process_value, sort_list_append_process, OF_THREAD},
	[SORT_PID] = {"pid", pid_value, append_pid, OF_THREAD},
	[SORT_ROLE] = {"role", role_value, append_role, OF_THREAD},
	[SORT_TID] = {"tid", tid_value, append_tid, OF_THREAD},
	[SORT_CPU] = {"cpu", cpu_value, sort_list_append_cpu, OF_CPU},
	[SORT_MODULE] = {"module", module_value, sort_list_append_module, OF_FRAME},
	[SORT_SYMBOL] = {"symbol", symbol_value, append_symbol, OF_FRAME},
	[SORT_SOURCE_LINE] = {"source line", line_value, sort_list_append_line, OF_FRAME},
	[SORT_SOURCE_FILE] = {"source file", file_value, sort_list_append_file, OF_FRAME},
	[SORT_ADDRESS] = {"address", address_value, sort_list_append_address, OF_FRAME},
};

const char *sort_key_title(enum sort_key key)
{
	return infos[key].title;
}

bool sort_key_is_of_frame(enum sort_key key)
{
	return infos[key].kind == OF_FRAME;
}

void sort_list_append_cell(const struct named_profile *profile, const struct sort_row *row,
			   enum sort_key key, struct string_builder *text)
{
	const struct sort_key_info *info = &infos[key];
	uint32_t item = info->kind == OF_THREAD ? row->thread
			: info->kind == OF_CPU  ? row->cpu
						: row->frame;
	if (info->kind == OF_FRAME && item == NAMED_NONE)
		string_builder_append(text, "[no stack]");
	else
		info->append(profile, item, text);
}

static void sorting_deinit(struct sorting *sorting)
{
	hot_key_table_deinit(&sorting->values);
	hot_key_table_deinit(&sorting->groups);
	hot_key_table_deinit(&sorting->rows);
	free(sorting->frame_groups);
	free(sorting->last_sample);
}

static struct error *sort_list_find_group(struct sorting *sorting, bool is_of_frame,
					  uint32_t thread, uint32_t cpu, uint32_t frame,
					  uint32_t *ret)
{
	struct error *err = NULL;
	*ret = NAMED_NONE;
	for (size_t i = 0; !err && i < sorting->list->num_keys; i++) {
		enum sort_key key = sorting->list->keys[i];
		if ((infos[key].kind == OF_FRAME) != is_of_frame)
			continue;
		uint32_t item = is_of_frame ? frame : infos[key].kind == OF_THREAD ? thread : cpu;
		uint32_t value;
		err = hot_key_table_intern(&sorting->values,
					   infos[key].value(sorting->profile, item), &value);
		if (err)
			break;
		// Values of several keys may be the same number: the key tells them apart. The
		// first key of a row joins NAMED_NONE, which is no group's number.
		struct hot_key_value joined = {{(uint64_t)*ret << 32 | value, key}};
		err = hot_key_table_intern(&sorting->groups, joined, ret);
	}
	return err;
}

/** No group of frames is like that of samples without a stack, where frames matter. */
static struct error *sort_list_find_row(struct sorting *sorting, uint32_t sample_group,
					const struct named_sample *sample, uint32_t frame,
					uint32_t *ret)
{
	struct sort_list *list = sorting->list;
	uint64_t frame_group = frame == NAMED_NONE ? NAMED_NONE : sorting->frame_groups[frame];
	// No group of frames is like that of samples without a stack, where frames matter.
	for (size_t i = 0; frame == NAMED_NONE && i < list->num_keys; i++)
		if (infos[list->keys[i]].kind == OF_FRAME)
			frame_group = UINT64_MAX;
	struct hot_key_value key = {{sample_group, frame_group}};
	struct error *err = hot_key_table_intern(&sorting->rows, key, ret);
	if (err)
		return err;
	if (*ret < list->num_rows) {
		list->rows[*ret].thread = sample->thread; // by its last name
		return NULL;
	}
	err = array_reserve(&list->rows, &list->cap_rows, list->num_rows + 1);
	if (!err)
		err = array_reserve(&sorting->last_sample, &sorting->cap_last_sample,
				    list->num_rows + 1);
	if (err)
		return err;
	sorting->last_sample[list->num_rows] = 0;
	list->rows[list->num_rows++] =
		(struct sort_row){.thread = sample->thread, .cpu = sample->cpu, .frame = frame};
	return NULL;
}

static struct error *add_total(struct sorting *sorting, uint32_t sample_group,
			       const struct named_sample *sample, uint32_t frame, size_t number)
{
	uint32_t row;
	struct error *err = sort_list_find_row(sorting, sample_group, sample, frame, &row);
	if (err || sorting->last_sample[row] == number)
		return err;
	sorting->last_sample[row] = number;
	named_total_add(&sorting->list->rows[row].total,
			(struct named_total){sample->count, sample->weight});
	return NULL;
}

/** @number: of the sample, from 1 on. */
static struct error *sort_list_add_sample(struct sorting *sorting,
					  const struct named_sample *sample, size_t number)
{
	const struct stack_table *stacks = &sorting->profile->stacks;
	struct named_total sum = {sample->count, sample->weight};
	uint32_t group, row;
	uint32_t stack = sample->stack;
	uint32_t frame = stack == STACK_NONE ? NAMED_NONE : stacks->nodes[stack].frame;
	struct error *err =
		sort_list_find_group(sorting, false, sample->thread, sample->cpu, 0, &group);
	if (!err)
		err = sort_list_find_row(sorting, group, sample, frame, &row);
	if (err)
		return err;
	named_total_add(&sorting->list->rows[row].self, sum);
	named_total_add(&sorting->list->whole, sum);
	if (stack == STACK_NONE)
		return add_total(sorting, group, sample, NAMED_NONE, number);
	// Sample by sample and frame by frame, unlike in hot_list.c: which row a frame belongs to
	// also depends on the sample's thread and CPU, so that sums by stack do not help.
	for (; !err && stack != STACK_NONE; stack = stacks->nodes[stack].parent)
		err = add_total(sorting, group, sample, stacks->nodes[stack].frame, number);
	return err;
}

static int sort_list_compare(struct named_total a, struct named_total b)
{
	return (a.weight < b.weight) - (a.weight > b.weight);
}

static int sort_list_by_self(const void *left, const void *right)
{
	const struct sort_row *a = left, *b = right;
	int order = sort_list_compare(a->self, b->self);
	order = order ? order : sort_list_compare(a->total, b->total);
	order = order ? order : (a->frame > b->frame) - (a->frame < b->frame);
	return order ? order : (a->thread > b->thread) - (a->thread < b->thread);
}

static int sort_list_by_total(const void *left, const void *right)
{
	const struct sort_row *a = left, *b = right;
	int order = sort_list_compare(a->total, b->total);
	return order ? order : sort_list_by_self(left, right);
}

struct error *sort_list_create(const struct named_profile *profile, const enum sort_key *keys,
			       size_t num_keys, bool is_by_total,
			       const struct profile_filter *filter, struct sort_list *ret)
{
	_cleanup_(sort_list_deinit) struct sort_list list = {.num_keys = num_keys};
	memcpy(list.keys, keys, num_keys * sizeof(*keys));
	_cleanup_(sorting_deinit) struct sorting sorting = {.profile = profile, .list = &list};
	sorting.frame_groups = calloc(profile->num_frames + 1, sizeof(*sorting.frame_groups));
	struct error *err = sorting.frame_groups ? NULL : &error_no_memory;
	for (uint32_t i = 0; !err && i < profile->num_frames; i++)
		err = sort_list_find_group(&sorting, true, 0, 0, i, &sorting.frame_groups[i]);
	for (size_t i = 0; !err && i < profile->num_samples; i++)
		if (profile_filter_takes(filter, &profile->samples[i]))
			err = sort_list_add_sample(&sorting, &profile->samples[i], i + 1);
	if (err)
		return err;
	if (list.num_rows)
		qsort(list.rows, list.num_rows, sizeof(*list.rows),
		      is_by_total ? sort_list_by_total : sort_list_by_self);
	*ret = list;
	list = (struct sort_list)SORT_LIST_INIT;
	return NULL;
}

void sort_list_deinit(struct sort_list *list)
{
	free(list->rows);
	*list = (struct sort_list)SORT_LIST_INIT;
}
