// SPDX-License-Identifier: Apache-2.0
#include "view/text/report_columns.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "view/page/packed_column.h"

#include <stdbool.h>

// A table has a getter per column, and a column is written with all its rows at once, because
// neighbours in a column are often similar: such columns are written as steps, which are small
// numbers and take few bytes (packed_column.c). Samples are sorted for that (report_samples.c).
//
// Of the stacks main -> f -> g and main -> h, as in stack_table.c:
//
//	stack-parent    0  1  1  3    how far back the caller is
//	stack-frame     0  1  2  3

/** A getter of one row's number; "step" ones change little from row to row. */
struct column {
	const char *id;
	uint64_t (*value)(const struct report_columns *columns, size_t row);
	bool is_step;
};

static uint64_t report_columns_function_name(const struct report_columns *columns, size_t row)
{
	return columns->string_numbers[columns->profile->functions[row].name];
}

/** 0 is "none" here and below, so that it takes one byte. */
static uint64_t function_module(const struct report_columns *columns, size_t row)
{
	return (uint32_t)(columns->profile->functions[row].module + 1);
}

static uint64_t function_file(const struct report_columns *columns, size_t row)
{
	return columns->string_numbers[columns->profile->functions[row].file];
}

static uint64_t function_line(const struct report_columns *columns, size_t row)
{
	return columns->profile->functions[row].line;
}

static uint64_t function_kind(const struct report_columns *columns, size_t row)
{
	return columns->profile->functions[row].kind;
}

static uint64_t report_columns_frame_function(const struct report_columns *columns, size_t row)
{
	return columns->profile->frames[row].function;
}

static uint64_t report_columns_frame_file(const struct report_columns *columns, size_t row)
{
	return columns->string_numbers[columns->profile->frames[row].file];
}

static uint64_t frame_line(const struct report_columns *columns, size_t row)
{
	return columns->profile->frames[row].line;
}

static uint64_t frame_is_compiled(const struct report_columns *columns, size_t row)
{
	return columns->profile->frames[row].is_compiled;
}

static uint64_t frame_is_inlined(const struct report_columns *columns, size_t row)
{
	return columns->profile->frames[row].is_inlined;
}

/** The instruction of the function's listing that the frame is at, from 1; 0: none. */
static uint64_t frame_instruction(const struct report_columns *columns, size_t row)
{
	const struct named_frame *frame = &columns->profile->frames[row];
	for (size_t i = 0; i < columns->num_listings; i++) {
		const struct report_listing *listing = &columns->listings[i];
		if (listing->function == frame->function)
			return BISECT_U64(listing->instructions, listing->num_instructions, address,
					  frame->address);
	}
	return 0;
}

/** How far back the caller is. */
static uint64_t stack_parent(const struct report_columns *columns, size_t row)
{
	uint32_t parent = columns->profile->stacks.nodes[row].parent;
	return parent == STACK_NONE ? 0 : row - parent;
}

static uint64_t stack_frame(const struct report_columns *columns, size_t row)
{
	return columns->profile->stacks.nodes[row].frame;
}

static uint64_t sample_event(const struct report_columns *columns, size_t row)
{
	return columns->samples->items[row].event;
}

static uint64_t report_columns_sample_thread(const struct report_columns *columns, size_t row)
{
	return columns->samples->items[row].thread;
}

static uint64_t sample_slot(const struct report_columns *columns, size_t row)
{
	return columns->samples->items[row].slot;
}

static uint64_t sample_stack(const struct report_columns *columns, size_t row)
{
	// STACK_NONE becomes 0.
	return (uint32_t)(columns->samples->items[row].stack + 1);
}

static uint64_t sample_weight(const struct report_columns *columns, size_t row)
{
	return columns->samples->items[row].weight;
}

static uint64_t sample_count(const struct report_columns *columns, size_t row)
{
	return columns->samples->items[row].count;
}

static uint64_t sample_state(const struct report_columns *columns, size_t row)
{
	return columns->samples->items[row].gil;
}

static void write_column(const struct report_columns *columns, const struct column *column,
			 size_t num_rows, FILE *stream)
{
	fprintf(stream, "<script type=\"application/octet-stream\" id=\"wperf-%s\">", column->id);
	struct packed_column packed = packed_column_create(stream);
	for (size_t row = 0; row < num_rows; row++) {
		uint64_t value = column->value(columns, row);
		if (column->is_step)
			packed_column_add_step(&packed, value);
		else
			packed_column_add(&packed, value);
	}
	packed_column_finish(&packed);
	fputs("</script>\n", stream);
}

static const struct column function_columns[] = {
	{"function-name", report_columns_function_name, true},
	{"function-module", function_module, false},
	{"function-file", function_file, true},
	{"function-line", function_line, false},
	{"function-kind", function_kind, false},
};

static const struct column frame_columns[] = {
	{"frame-function", report_columns_frame_function, true},
	{"frame-file", report_columns_frame_file, true},
	{"frame-line", frame_line, true},
	{"frame-inlined", frame_is_inlined, false},
	{"frame-compiled", frame_is_compiled, false},
	{"frame-instruction", frame_instruction, true},
};

static const struct column stack_columns[] = {
	{"stack-parent", stack_parent, false},
	{"stack-frame", stack_frame, false},
};

static const struct column sample_columns[] = {
	{"sample-event", sample_event, true},
	{"sample-thread", report_columns_sample_thread, true},
	{"sample-slot", sample_slot, true},
	{"sample-stack", sample_stack, true},
	{"sample-weight", sample_weight, true},
	{"sample-count", sample_count, false},
};

static const struct column state_columns[] = {
	{"sample-state", sample_state, false},
};

void report_columns_write(const struct report_columns *columns, FILE *stream)
{
	const struct named_profile *profile = columns->profile;
	const struct {
		const struct column *items;
		size_t num_items, num_rows;
	} tables[] = {
		{function_columns, ARRAY_SIZE(function_columns), profile->num_functions},
		{frame_columns, ARRAY_SIZE(frame_columns), profile->num_frames},
		{stack_columns, ARRAY_SIZE(stack_columns), profile->stacks.num_nodes},
		{sample_columns, ARRAY_SIZE(sample_columns), columns->samples->num_items},
		// Empty where no state is known: pages of other programs do not grow.
		{state_columns, ARRAY_SIZE(state_columns),
		 columns->samples->knows_gil ? columns->samples->num_items : 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		for (size_t j = 0; j < tables[i].num_items; j++)
			write_column(columns, &tables[i].items[j], tables[i].num_rows, stream);
	}
}
