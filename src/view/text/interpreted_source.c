// SPDX-License-Identifier: Apache-2.0

#include "view/text/interpreted_source.h"

#include "base/cleanup.h"
#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/text/code_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Three lists that are sorted by line are walked beside the text: lines with samples, definitions
// of functions with samples, and callees of lines (struct printing has the next one of each). A
// line is printed if it is near one with samples or begins a function; the others are folded.
//
// Lines that the text does not have are printed as well, without text: line 0 and what is behind
// the end of the file, which may have been edited since.
//
//	   self %  total %  samples   line
//	    71.81    71.81      214         price
//	                                 1  def price(n):
//	    19.80    19.80       59      3      for i in range(n):
//	     5.70                17             > (bytecode)
//	     2.35                 7             > pymalloc_alloc  [libpython3.11.so.1.0]
//	     5.03                15             > 9 more

enum {
	DECIMALS = 2,
	PERCENT_COLUMNS = 9,
	COUNT_COLUMNS = 9,
	LINE_COLUMNS = 7,
	LINES_AROUND = 2,
	MAX_CALLEES = 5,
};

// Lines from here on are red, others yellow.
static const double hot_percent = 10;
static const double least_percent = 0.5; // of callees

static int interpreted_source_compare_rows(const void *left, const void *right)
{
	const struct interpreted_source_row *a = left, *b = right;
	return (a->line > b->line) - (a->line < b->line);
}

/** The rows of @table that are in @file, in the order of its lines. */
static struct error *choose_rows(const struct named_profile *profile, uint32_t file,
				 const struct hot_table *table, struct interpreted_source_row **ret,
				 size_t *ret_num)
{
	struct interpreted_source_row *rows = calloc(table->num_rows + 1, sizeof(*rows));
	if (!rows)
		return &error_no_memory;
	size_t num_rows = 0;
	bool is_line = table->key == HOT_INTERPRETED_LINE;
	for (size_t i = 0; i < table->num_rows; i++) {
		uint32_t item = table->rows[i].item;
		if (item == NAMED_NONE)
			continue;
		uint32_t line =
			is_line ? profile->frames[item].line : profile->functions[item].line;
		if (file == (is_line ? profile->frames[item].file : profile->functions[item].file))
			rows[num_rows++] = (struct interpreted_source_row){line, &table->rows[i]};
	}
	qsort(rows, num_rows, sizeof(*rows), interpreted_source_compare_rows);
	*ret = rows;
	*ret_num = num_rows;
	return NULL;
}

struct error *interpreted_source_create(const struct named_profile *profile, uint32_t file,
					const uint32_t *events,
					struct profile_filter *const *filters,
					const struct hot_table *lines,
					const struct hot_table *functions,
					const struct compiled_lines *compiled,
					struct interpreted_source *ret)
{
	struct interpreted_source source = {
		.profile = profile,
		.events = events,
		.wholes = lines->wholes,
		.num_events = lines->num_events,
		.file = file,
		.compiled = compiled,
	};
	struct error *err = choose_rows(profile, file, lines, &source.lines, &source.num_lines);
	if (!err)
		err = choose_rows(profile, file, functions, &source.functions,
				  &source.num_functions);
	if (!err)
		err = line_callees_create(profile, file, filters, source.num_events,
					  &source.callees);
	if (err)
		interpreted_source_deinit(&source);
	else
		*ret = source;
	return err;
}

void interpreted_source_deinit(struct interpreted_source *source)
{
	free(source->lines);
	free(source->functions);
	line_callees_deinit(&source->callees);
	*source = (struct interpreted_source)INTERPRETED_SOURCE_INIT;
}

/** A file while it is printed, line by line. */
struct printing {
	const struct interpreted_source *source;
	bool is_unfolded;
	struct style style;
	FILE *stream;
	size_t next_line, next_function, next_callee;
	bool is_folding;
};

static void interpreted_source_print_safe(const char *text, FILE *stream)
{
	safe_text_print(text, strlen(text), stream);
}

static const char *interpreted_source_text_of(const struct printing *printing, uint32_t string)
{
	return named_profile_text(printing->source->profile, string);
}

static void begin_style(const struct printing *printing, enum style_part part)
{
	fputs(style_code(&printing->style, part), printing->stream);
}

static void end_style(const struct printing *printing)
{
	fputs(style_code(&printing->style, STYLE_RESET), printing->stream);
}

static const char *interpreted_source_event_name(const struct printing *printing, size_t event)
{
	const struct interpreted_source *source = printing->source;
	return interpreted_source_text_of(printing,
					  source->profile->events[source->events[event]].name);
}

/** Of several events each has two columns, "self" and "total", below its name. */
static void interpreted_source_print_percent(const struct printing *printing,
					     struct named_total part, size_t event)
{
	if (!part.count) {
		fprintf(printing->stream, "%*s", PERCENT_COLUMNS, "");
		return;
	}
	double percent = named_total_percent(part, printing->source->wholes[event]);
	begin_style(printing, percent >= hot_percent ? STYLE_RED : STYLE_YELLOW);
	fprintf(printing->stream, "%*s", PERCENT_COLUMNS, decimal_fixed(percent, DECIMALS).text);
	end_style(printing);
}

/** @cells: NULL for a line without samples. */
static void interpreted_source_print_margin(const struct printing *printing,
					    const struct hot_cell *cells)
{
	const struct interpreted_source *source = printing->source;
	for (size_t i = 0; i < source->num_events; i++) {
		struct hot_cell cell = cells ? cells[i] : (struct hot_cell){0};
		interpreted_source_print_percent(printing, cell.self, i);
		interpreted_source_print_percent(printing, cell.total, i);
		const char *samples = cell.self.count ? decimal_grouped(cell.self.count).text : "";
		fprintf(printing->stream, "%*s", COUNT_COLUMNS, samples);
	}
}

static void interpreted_source_print_head(const struct printing *printing)
{
	const struct interpreted_source *source = printing->source;
	int columns = 2 * PERCENT_COLUMNS + COUNT_COLUMNS;
	begin_style(printing, STYLE_DIM);
	for (size_t i = 0; source->num_events > 1 && i < source->num_events; i++) {
		const char *name = interpreted_source_event_name(printing, i);
		int width = (int)safe_text_width(name, strlen(name));
		fprintf(printing->stream, "%*s", width < columns ? columns - width : 1, "");
		interpreted_source_print_safe(name, printing->stream);
	}
	if (source->num_events > 1)
		fputc('\n', printing->stream);
	for (size_t i = 0; i < source->num_events; i++)
		fprintf(printing->stream, "%*s%*s%*s", PERCENT_COLUMNS, "self %", PERCENT_COLUMNS,
			"total %", COUNT_COLUMNS, "samples");
	fprintf(printing->stream, "%*s", LINE_COLUMNS, "line");
	end_style(printing);
	fputc('\n', printing->stream);
}

static void interpreted_source_print_fold(struct printing *printing)
{
	// One "..." for all lines that follow each other.
	if (printing->is_folding)
		return;
	printing->is_folding = true;
	interpreted_source_print_margin(printing, NULL);
	begin_style(printing, STYLE_DIM);
	fprintf(printing->stream, "%*s", LINE_COLUMNS, "...");
	end_style(printing);
	fputc('\n', printing->stream);
}

/** "shop.Basket.pack", with what its lines have together, above its first line. */
static void print_functions(struct printing *printing, uint32_t line)
{
	const struct interpreted_source *source = printing->source;
	for (; printing->next_function < source->num_functions &&
	       source->functions[printing->next_function].line <= line;
	     printing->next_function++) {
		const struct hot_row *row = source->functions[printing->next_function].row;
		interpreted_source_print_margin(printing, row->cells);
		fprintf(printing->stream, "%*s  ", LINE_COLUMNS, "");
		begin_style(printing, STYLE_BOLD);
		interpreted_source_print_safe(
			interpreted_source_text_of(printing,
						   source->profile->functions[row->item].name),
			printing->stream);
		end_style(printing);
		fputc('\n', printing->stream);
	}
}

/** In the columns of callees: they have no totals. */
static void print_self(const struct printing *printing, struct named_total self, size_t event)
{
	interpreted_source_print_percent(printing, self, event);
	fprintf(printing->stream, "%*s%*s", PERCENT_COLUMNS, "", COUNT_COLUMNS,
		self.count ? decimal_grouped(self.count).text : "");
}

static void begin_callee(const struct printing *printing)
{
	fprintf(printing->stream, "%*s      ", LINE_COLUMNS, "");
	begin_style(printing, STYLE_DIM);
	fputs("> ", printing->stream);
}

static void end_callee(const struct printing *printing)
{
	end_style(printing);
	fputc('\n', printing->stream);
}

static void interpreted_source_print_rest(const struct printing *printing,
					  const struct line_callee *callees, size_t num_callees)
{
	for (size_t i = 0; i < printing->source->num_events; i++) {
		struct named_total sum = {0};
		for (size_t k = 0; k < num_callees; k++)
			named_total_add(&sum, callees[k].selves[i]);
		print_self(printing, sum, i);
	}
	begin_callee(printing);
	fprintf(printing->stream, "%zu more", num_callees);
	end_callee(printing);
}

static void print_callee(const struct printing *printing, const struct line_callee *callee)
{
	const struct named_profile *profile = printing->source->profile;
	for (size_t i = 0; i < printing->source->num_events; i++)
		print_self(printing, callee->selves[i], i);
	begin_callee(printing);
	if (callee->function == NAMED_NONE) {
		fputs("(bytecode)", printing->stream);
	} else {
		const struct named_function *named = &profile->functions[callee->function];
		interpreted_source_print_safe(named_profile_text(profile, named->name),
					      printing->stream);
		if (named->module != NAMED_NONE) {
			fputs("  ", printing->stream);
			safe_text_print_module(
				named_profile_text(profile, profile->modules[named->module].name),
				printing->stream);
		}
	}
	end_callee(printing);
}

static bool is_worth_it(const struct printing *printing, const struct line_callee *callee)
{
	const struct interpreted_source *source = printing->source;
	for (size_t i = 0; i < source->num_events; i++)
		if (named_total_percent(callee->selves[i], source->wholes[i]) >= least_percent)
			return true;
	return printing->is_unfolded;
}

static void print_callees(struct printing *printing, uint32_t line)
{
	const struct line_callees *callees = &printing->source->callees;
	size_t first = printing->next_callee;
	// Callees of lines that were folded are skipped.
	while (first < callees->num_items && callees->items[first].line < line)
		first++;
	size_t end = first;
	while (end < callees->num_items && callees->items[end].line == line)
		end++;
	printing->next_callee = end;
	// A line that has nothing but its own bytecode needs no word about it.
	if (end - first == 1 && callees->items[first].function == NAMED_NONE)
		return;
	size_t shown = first;
	// Callees are sorted by their samples: the first ones are those that count.
	size_t max = printing->is_unfolded ? end - first : MAX_CALLEES;
	while (shown < end && shown - first < max && is_worth_it(printing, &callees->items[shown]))
		print_callee(printing, &callees->items[shown++]);
	if (shown < end && shown > first)
		interpreted_source_print_rest(printing, &callees->items[shown], end - shown);
}

static void interpreted_source_print_line(struct printing *printing, uint32_t number,
					  struct text_line text)
{
	const struct interpreted_source *source = printing->source;
	const struct hot_row *row = NULL;
	print_functions(printing, number);
	if (printing->next_line < source->num_lines &&
	    source->lines[printing->next_line].line == number)
		row = source->lines[printing->next_line++].row;
	interpreted_source_print_margin(printing, row ? row->cells : NULL);
	if (number)
		fprintf(printing->stream, "%*" PRIu32, LINE_COLUMNS, number);
	else
		fprintf(printing->stream, "%*s", LINE_COLUMNS, "?");
	// "?" behind the number: the JIT compiler may have been at another line.
	bool is_uncertain = compiled_lines_find(source->compiled, source->file, number);
	if (is_uncertain || text.length)
		fputs(is_uncertain ? "? " : "  ", printing->stream);
	if (text.length) {
		code_text_print(text.text, text.length, printing->stream);
	}
	fputc('\n', printing->stream);
	if (row)
		print_callees(printing, number);
	printing->is_folding = false;
}

/** Below the title: of which samples the line is not sure. */
static void interpreted_source_print_compiled(const struct printing *printing)
{
	const struct interpreted_source *source = printing->source;
	for (size_t i = 0; i < source->num_events; i++) {
		struct named_total sum = compiled_lines_sum(source->compiled, source->file, i);
		if (!sum.count)
			continue;
		begin_style(printing, STYLE_DIM);
		interpreted_source_print_safe(interpreted_source_event_name(printing, i),
					      printing->stream);
		fprintf(printing->stream,
			": %s samples (%s %%) in JIT-compiled %s code: a line marked ? may be "
			"another line of its function",
			decimal_grouped(sum.count).text,
			decimal_fixed(named_total_percent(sum, source->wholes[i]), 1).text,
			source->profile->language->name);
		end_style(printing);
		fputc('\n', printing->stream);
	}
}

/** Lines that the text has not: without one, of line 0, or behind its end. */
static void print_left(struct printing *printing, uint64_t before)
{
	const struct interpreted_source *source = printing->source;
	while (printing->next_line < source->num_lines &&
	       source->lines[printing->next_line].line < before)
		interpreted_source_print_line(printing, source->lines[printing->next_line].line,
					      (struct text_line){0});
}

void interpreted_source_print(const struct interpreted_source *source, bool is_unfolded,
			      struct style style, FILE *stream)
{
	struct printing printing = {source, is_unfolded, style, stream, 0, 0, 0, false};
	const char *path = interpreted_source_text_of(&printing, source->file);
	begin_style(&printing, STYLE_CYAN);
	interpreted_source_print_safe(*path ? path : "source file not known", stream);
	end_style(&printing);
	if (!source->text && source->refusal) {
		fputs("  (source not shown: ", stream);
		interpreted_source_print_safe(source->refusal, stream);
		fputc(')', stream);
	}
	fputc('\n', stream);
	interpreted_source_print_compiled(&printing);
	interpreted_source_print_head(&printing);
	print_left(&printing, 1);
	size_t num_lines = source->text ? source->text->num_lines : 0;
	for (uint32_t number = 1; number <= num_lines && number; number++) {
		// Shown are lines with samples, those around them, and where functions with samples
		// begin.
		size_t next = printing.next_line, function = printing.next_function;
		bool is_definition = function < source->num_functions &&
				     source->functions[function].line == number;
		bool is_before = next < source->num_lines &&
				 number + LINES_AROUND >= source->lines[next].line;
		bool is_behind = next && number <= source->lines[next - 1].line + LINES_AROUND;
		if (is_unfolded || is_definition || is_before || is_behind)
			interpreted_source_print_line(&printing, number,
						      text_lines_get(source->text, number));
		else
			interpreted_source_print_fold(&printing);
	}
	print_left(&printing, UINT64_MAX);
}
