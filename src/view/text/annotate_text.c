// SPDX-License-Identifier: Apache-2.0

#include "view/text/annotate_text.h"

#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/text/code_text.h"
#include "view/text/spe_margin.h"

#include <inttypes.h>
#include <string.h>

// The source of a function is walked once from the first line to the last, beside the list of lines
// with samples, which is sorted (struct source_walk). Lines near one with samples are shown, and
// the others are folded to "...". Lines without a number come first, and those that the text does
// not have, last, so that no sample is left out.
//
// Instructions are shown the same way; the source line is repeated above the first instruction of
// each run of instructions that belong to it, as compilers mix lines.
//
//	add  [loop]  self 97.87 %, 138 samples
//	/tmp/loop.c
//	    self %  samples   line
//	                         1  #include <stdlib.h>
//	    100.00      138      2  static int add(int *a, int n)
//	                       ...
//	instructions of main
//	    self %  samples      address
//	                     loop.c:2  static int add(int *a, int n)
//	                     ->     117c  movl    (%rax), %edx
//	      8.70       12         117e  leal    (%rdx,%rdx,2), %edx

enum {
	DECIMALS = 2,
	PERCENT_COLUMNS = 10,
	COUNT_COLUMNS = 9,
	SIZE_COLUMNS = 12, // "1023.9 KiB"
	LINE_COLUMNS = 7,
	RATIO_COLUMNS = 8,
	RANGE_COLUMNS = 15,
	LINES_AROUND = 3,
	INSTRUCTIONS_AROUND = 2,
	HOT_PERCENT = 10,
};

static void annotate_text_print_safe(const char *text, FILE *stream)
{
	safe_text_print(text, strlen(text), stream);
}

static void print_percent_column(const struct annotate_look *look, struct named_total part)
{
	// Blank, not 0: what is hot is to be seen at once.
	if (!part.count) {
		fprintf(look->stream, "%*s", PERCENT_COLUMNS, "");
		return;
	}
	double percent = named_total_percent(part, look->whole);
	enum style_part style = percent >= HOT_PERCENT ? STYLE_RED : STYLE_YELLOW;
	fprintf(look->stream, "%s%*s%s", style_code(&look->style, style), PERCENT_COLUMNS,
		decimal_fixed(percent, DECIMALS).text, style_code(&look->style, STYLE_RESET));
}

/** Of a line; blanks if there are too few samples. */
static void annotate_text_print_ratio(const struct annotate_look *look, const struct ratio *ratio)
{
	struct decimal low = decimal_fixed(ratio->low, DECIMALS);
	struct decimal high = decimal_fixed(ratio->high, DECIMALS);
	char range[sizeof(low.text) + sizeof(high.text)];
	snprintf(range, sizeof(range), "%s-%s", low.text, high.text);
	bool is_known = ratio->is_known;
	fprintf(look->stream, "%*s%*s", RATIO_COLUMNS,
		is_known ? decimal_fixed(ratio->value, DECIMALS).text : "", RANGE_COLUMNS,
		is_known ? range : "");
}

static int annotate_text_amount_columns(const struct annotate_look *look)
{
	return look->is_bytes ? SIZE_COLUMNS : COUNT_COLUMNS;
}

/** @inlined: nothing where there is no such column. */
static void annotate_text_print_margin(const struct annotate_look *look, struct named_total self,
				       struct named_total inlined, const struct ratio *ratio,
				       const struct spe_stats *spe)
{
	print_percent_column(look, self);
	if (look->has_inlined)
		print_percent_column(look, inlined);
	if (self.count)
		fprintf(look->stream, "%*s", annotate_text_amount_columns(look),
			look->is_bytes ? decimal_bytes(self.weight).text
				       : decimal_grouped(self.count).text);
	else
		fprintf(look->stream, "%*s", annotate_text_amount_columns(look), "");
	if (look->ratio)
		annotate_text_print_ratio(look, ratio);
	if (look->has_spe)
		spe_margin_print(spe, look->stream);
}

static void annotate_text_print_head(const struct annotate_look *look, const char *what)
{
	fprintf(look->stream, "%s%*s", style_code(&look->style, STYLE_DIM), PERCENT_COLUMNS,
		"self %");
	if (look->has_inlined)
		fprintf(look->stream, "%*s", PERCENT_COLUMNS, "inlined %");
	fprintf(look->stream, "%*s", annotate_text_amount_columns(look),
		look->is_bytes ? "size" : "samples");
	if (look->ratio)
		fprintf(look->stream, "%*s%*s", RATIO_COLUMNS, look->ratio, RANGE_COLUMNS,
			"within (95 %)");
	if (look->has_spe)
		spe_margin_print_head(look->stream);
	fprintf(look->stream, "%s%s\n", what, style_code(&look->style, STYLE_RESET));
}

static void annotate_text_print_fold(const struct annotate_look *look)
{
	int columns = PERCENT_COLUMNS * (1 + look->has_inlined) + LINE_COLUMNS;
	columns += annotate_text_amount_columns(look);
	columns += look->ratio ? RATIO_COLUMNS + RANGE_COLUMNS : 0;
	columns += look->has_spe ? SPE_MARGIN_COLUMNS : 0;
	fprintf(look->stream, "%s%*s%s\n", style_code(&look->style, STYLE_DIM), columns, "...",
		style_code(&look->style, STYLE_RESET));
}

static void annotate_text_print_percent(const struct annotate_look *look, struct named_total part,
					struct named_total all)
{
	fprintf(look->stream, "%s %%",
		decimal_fixed(named_total_percent(part, all), DECIMALS).text);
}

void annotate_text_print_function(const struct annotate_look *look, const char *name,
				  const char *module, struct named_total self,
				  struct named_total code, struct named_total all)
{
	FILE *stream = look->stream;
	fputs(style_code(&look->style, STYLE_BOLD), stream);
	annotate_text_print_safe(name, stream);
	fputs(style_code(&look->style, STYLE_RESET), stream);
	if (*module) {
		fputs("  ", stream);
		safe_text_print_module(module, stream);
	}
	fputs("  self ", stream);
	annotate_text_print_percent(look, self, all);
	if (look->is_bytes)
		fprintf(stream, ", %s", decimal_bytes(self.weight).text);
	fprintf(stream, ", %s %s", decimal_grouped(self.count).text,
		self.count == 1 ? "sample" : "samples");
	if (code.count != self.count) {
		fputs(", with inlined calls ", stream);
		annotate_text_print_percent(look, code, all);
		fprintf(stream, ", %s", decimal_grouped(code.count).text);
	}
	fputc('\n', stream);
}

static void print_source_line(const struct annotate_look *look, const struct annotate_line *line,
			      struct text_line text)
{
	annotate_text_print_margin(look, line->self, line->inlined, &line->ratio, line->spe);
	if (line->line)
		fprintf(look->stream, "%*" PRIu32, LINE_COLUMNS, line->line);
	else
		fprintf(look->stream, "%*s", LINE_COLUMNS, "?");
	if (text.length) {
		fputs("  ", look->stream);
		code_text_print(text.text, text.length, look->stream);
	}
	fputc('\n', look->stream);
}

/** Where in a source we are, from its first line on: what comes next, and what is near. */
struct source_walk {
	const struct annotate_source *source;
	size_t next; /* of the lines with samples */
};

static bool annotate_text_is_near(uint64_t line, uint64_t other)
{
	return line + LINES_AROUND >= other && other + LINES_AROUND >= line;
}

static void print_text_lines(const struct annotate_look *look, struct source_walk *walk)
{
	const struct annotate_source *source = walk->source;
	const struct text_lines *text = source->text;
	bool is_folding = false;
	for (uint32_t number = 1; number <= text->num_lines && number; number++) {
		size_t next = walk->next;
		bool is_before = next < source->num_lines &&
				 annotate_text_is_near(number, source->lines[next].line);
		bool is_behind = next && source->lines[next - 1].line &&
				 annotate_text_is_near(number, source->lines[next - 1].line);
		bool is_shown = number == source->first_line || is_before || is_behind;
		if (!look->is_unfolded && !is_shown) {
			if (!is_folding)
				annotate_text_print_fold(look);
			is_folding = true;
			continue;
		}
		is_folding = false;
		struct annotate_line line = {.line = number};
		if (next < source->num_lines && source->lines[next].line == number)
			line = source->lines[walk->next++];
		print_source_line(look, &line, text_lines_get(text, number));
	}
}

void annotate_text_print_source(const struct annotate_look *look,
				const struct annotate_source *source)
{
	fputs(style_code(&look->style, STYLE_CYAN), look->stream);
	annotate_text_print_safe(*source->path ? source->path : "source file not known",
				 look->stream);
	fputs(style_code(&look->style, STYLE_RESET), look->stream);
	if (!source->text && source->refusal) {
		fputs("  (source not shown: ", look->stream);
		annotate_text_print_safe(source->refusal, look->stream);
		fputc(')', look->stream);
	}
	fputc('\n', look->stream);
	annotate_text_print_head(look, "   line");
	struct source_walk walk = {.source = source};
	while (walk.next < source->num_lines && !source->lines[walk.next].line)
		print_source_line(look, &source->lines[walk.next++], (struct text_line){0});
	if (source->text)
		print_text_lines(look, &walk);
	while (walk.next < source->num_lines) // without their text, or behind its end
		print_source_line(look, &source->lines[walk.next++], (struct text_line){0});
}

void annotate_text_print_refusal(const struct annotate_look *look, const char *why,
				 const char *hint)
{
	fputs("cannot show instructions: ", look->stream);
	annotate_text_print_safe(why, look->stream);
	if (hint) {
		fputs("; ", look->stream);
		annotate_text_print_safe(hint, look->stream);
	}
	fputc('\n', look->stream);
}

static bool is_near_sample(const struct annotate_code *code, size_t index)
{
	size_t first = index > INSTRUCTIONS_AROUND ? index - INSTRUCTIONS_AROUND : 0;
	for (size_t i = first; i < code->num_instructions && i <= index + INSTRUCTIONS_AROUND; i++)
		if (code->instructions[i].total.count)
			return true;
	return false;
}

static bool has_same_line(const struct annotate_instruction *a,
			  const struct annotate_instruction *b)
{
	if (!a || a->line != b->line)
		return false;
	return a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);
}

/** "app.c:12  x = y;" */
static void annotate_text_print_place(const struct annotate_look *look,
				      const struct annotate_instruction *at)
{
	if (!at->file)
		return;
	const char *slash = strrchr(at->file, '/');
	int columns = PERCENT_COLUMNS + annotate_text_amount_columns(look) + 2;
	columns += look->has_spe ? SPE_MARGIN_COLUMNS : 0;
	fprintf(look->stream, "%*s%s", columns, "", style_code(&look->style, STYLE_CYAN));
	annotate_text_print_safe(slash ? slash + 1 : at->file, look->stream);
	fprintf(look->stream, ":%" PRIu32 "%s", at->line, style_code(&look->style, STYLE_RESET));
	if (at->source.length) {
		fputs("  ", look->stream);
		code_text_print(at->source.text, at->source.length, look->stream);
	}
	fputc('\n', look->stream);
}

void annotate_text_print_code(const struct annotate_look *look, const struct annotate_code *code)
{
	struct annotate_look narrow = *look;
	// An instruction belongs to one function: it has no inlined calls.
	narrow.has_inlined = false;
	// Few have enough samples, and each event is attributed some instructions late.
	narrow.ratio = NULL;
	fputs("instructions of ", look->stream);
	annotate_text_print_safe(code->name, look->stream);
	fputc('\n', look->stream);
	annotate_text_print_head(&narrow, "      address");
	const struct annotate_instruction *last = NULL;
	bool is_folding = false;
	for (size_t i = 0; i < code->num_instructions; i++) {
		const struct annotate_instruction *instruction = &code->instructions[i];
		if (!look->is_unfolded && !is_near_sample(code, i)) {
			if (!is_folding)
				annotate_text_print_fold(&narrow);
			is_folding = true;
			// Behind a fold the line is said again.
			last = NULL;
			continue;
		}
		is_folding = false;
		if (!has_same_line(last, instruction))
			annotate_text_print_place(look, instruction);
		annotate_text_print_margin(&narrow, instruction->total, (struct named_total){0},
					   NULL, instruction->spe);
		fprintf(look->stream, "  %s %8" PRIx64 "  ", instruction->is_target ? "->" : "  ",
			instruction->address);
		code_text_print(instruction->text, strlen(instruction->text), look->stream);
		fputc('\n', look->stream);
		last = instruction;
	}
}
