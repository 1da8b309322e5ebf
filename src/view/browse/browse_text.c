// SPDX-License-Identifier: Apache-2.0
// A narrow terminal loses columns before names become unreadable: first the module, then totals and
// samples. A row of a tree has no percentage of its own, but the total of its branch.
//
//	  self %  total %    samples  module            symbol
//	> 36.58    40.01      2,082  app               - main
//	           12.20        700                      + compute

#include "view/browse/browse_text.h"

#include "base/cleanup.h"
#include "base/text/string_builder.h"
#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/layout/short_name.h"

#include <stdlib.h>
#include <string.h>

enum {
	DECIMALS = 2,
	WITH_MODULE = 70, // columns of the terminal that the columns of the table need
	WITH_TOTAL = 44,
	MODULE_COLUMNS = 18,
	MAX_INDENT = 40, // deeper calls all stand there
};

// As perf report has it: hot, warm, and the rest.
static const double hot_percent = 5, warm_percent = 0.5;

static void browse_text_pad(size_t columns, FILE *stream)
{
	fprintf(stream, "%*s", (int)columns, "");
}

/** @is_padded: to the width of @columns. */
static struct error *browse_text_print_cut(const char *text, size_t columns,
					   enum short_name_cut cut, bool is_padded, FILE *stream)
{
	if (!columns)
		return NULL;
	_cleanup_free_ char *shortened = short_name_create(text, columns, cut);
	if (!shortened)
		return &error_no_memory;
	// A wide character may have left a column.
	size_t width = safe_text_width(shortened, strlen(shortened));
	safe_text_print(shortened, strlen(shortened), stream);
	if (is_padded && width < columns)
		browse_text_pad(columns - width, stream);
	return NULL;
}

/** What is left of the terminal's width. */
static size_t browse_text_room(const struct browse_look *look, size_t taken)
{
	return look->columns > taken ? look->columns - taken : 0;
}

struct error *browse_text_print_bar(const struct browse_look *look, const char *text, FILE *stream)
{
	fputs(style_code(&look->style, STYLE_REVERSE), stream);
	struct error *err =
		browse_text_print_cut(text, look->columns, SHORT_NAME_END, true, stream);
	fprintf(stream, "%s\n", style_code(&look->style, STYLE_RESET));
	return err;
}

static bool browse_text_has_module(const struct browse_look *look)
{
	return look->with_module && look->columns >= WITH_MODULE;
}

struct error *browse_text_print_head(const struct browse_look *look, const char *name, FILE *stream)
{
	_cleanup_(string_builder_deinit) struct string_builder head = STRING_BUILDER_INIT;
	string_builder_append(&head, "  self %");
	if (look->columns >= WITH_TOTAL)
		string_builder_append(&head, "  total %     samples");
	if (browse_text_has_module(look))
		string_builder_appendf(&head, "  %-*s", MODULE_COLUMNS, "module");
	string_builder_appendf(&head, "    %s", name);
	if (head.failed)
		return &error_no_memory;
	fputs(style_code(&look->style, STYLE_BOLD), stream);
	struct error *err = browse_text_print_cut(string_builder_peek(&head), look->columns,
						  SHORT_NAME_END, false, stream);
	fprintf(stream, "%s\n", style_code(&look->style, STYLE_RESET));
	return err;
}

static enum style_part browse_text_heat(const struct browse_row *row)
{
	double percent = row->depth ? row->total_percent : row->self_percent;
	return percent >= hot_percent    ? STYLE_RED
	       : percent >= warm_percent ? STYLE_YELLOW
					 : STYLE_RESET;
}

/** @text: empty. @return: how many columns it took. */
static size_t browse_text_build_numbers(const struct browse_look *look,
					const struct browse_row *row, struct string_builder *text)
{
	struct decimal self = decimal_fixed(row->self_percent, DECIMALS);
	struct decimal total = decimal_fixed(row->total_percent, DECIMALS);
	// Without a column of totals, the branches' stand with the functions' own.
	bool with_total = look->columns >= WITH_TOTAL;
	const char *first = !row->depth ? self.text : with_total ? "" : total.text;
	string_builder_appendf(text, "%6s", first);
	if (with_total) {
		string_builder_appendf(text, "  %7s", total.text);
		string_builder_appendf(text, "  %10s", decimal_grouped(row->num_samples).text);
	}
	return strlen(string_builder_peek(text));
}

static struct error *browse_text_print_module(const struct browse_row *row, FILE *stream)
{
	const char *module = row->depth ? "" : row->module;
	fputs("  ", stream);
	return browse_text_print_cut(module, MODULE_COLUMNS, SHORT_NAME_MIDDLE, true, stream);
}

/** @room: columns for it. */
static struct error *browse_text_print_name(const struct browse_row *row, size_t room, FILE *stream)
{
	static const char marks[] = {
		[BROWSE_LEAF] = ' ', [BROWSE_CLOSED] = '+', [BROWSE_OPEN] = '-'};
	size_t indent = 2 * row->depth < MAX_INDENT ? 2 * row->depth : MAX_INDENT;
	indent = indent < room / 3 ? indent : room / 3;
	if (room < indent + 2)
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	string_builder_append(&name, row->name);
	if (row->fold == BROWSE_OPEN && row->left_out_percent > 0)
		string_builder_appendf(&name, " (%s %% in smaller ones)",
				       decimal_fixed(row->left_out_percent, DECIMALS).text);
	size_t width =
		safe_text_width(string_builder_peek(&name), strlen(string_builder_peek(&name)));
	size_t module = safe_text_width(row->module, strlen(row->module));
	// A name in full says more than half of it and half of a module.
	if (row->depth && module && width + strlen(" []") + module <= room - indent - 2)
		string_builder_appendf(&name, row->module[0] == '[' ? " %s" : " [%s]", row->module);
	if (name.failed)
		return &error_no_memory;
	browse_text_pad(indent, stream);
	fprintf(stream, "%c ", marks[row->fold]);
	return browse_text_print_cut(string_builder_peek(&name), room - indent - 2,
				     SHORT_NAME_MIDDLE, false, stream);
}

struct error *browse_text_print_row(const struct browse_look *look, const struct browse_row *row,
				    FILE *stream)
{
	_cleanup_(string_builder_deinit) struct string_builder numbers = STRING_BUILDER_INIT;
	size_t taken = browse_text_build_numbers(look, row, &numbers) + strlen("> ") + 2;
	if (numbers.failed)
		return &error_no_memory;
	const char *reset = style_code(&look->style, STYLE_RESET);
	int mark_columns = look->columns < strlen("> ") ? (int)look->columns : (int)strlen("> ");
	if (row->is_selected)
		fprintf(stream, "%s%.*s", style_code(&look->style, STYLE_REVERSE), mark_columns,
			"> ");
	else
		fprintf(stream, "%.*s%s", mark_columns, "  ",
			style_code(&look->style, browse_text_heat(row)));
	if (look->columns > strlen("> "))
		fprintf(stream, "%.*s", (int)(look->columns - strlen("> ")),
			string_builder_peek(&numbers));
	if (!row->is_selected)
		fputs(reset, stream);
	struct error *err = NULL;
	if (browse_text_has_module(look)) {
		taken += MODULE_COLUMNS + 2;
		err = browse_text_print_module(row, stream);
	}
	if (look->columns > taken)
		fputs("  ", stream);
	if (!err)
		err = browse_text_print_name(row, browse_text_room(look, taken), stream);
	fprintf(stream, "%s\n", row->is_selected ? reset : "");
	return err;
}

struct error *browse_text_print_line(const struct browse_look *look, const char *text,
				     size_t length, bool is_selected, FILE *stream)
{
	_cleanup_free_ char *line = strndup(text, length);
	if (!line)
		return &error_no_memory;
	if (is_selected)
		fputs(style_code(&look->style, STYLE_REVERSE), stream);
	struct error *err =
		browse_text_print_cut(line, look->columns, SHORT_NAME_END, false, stream);
	fprintf(stream, "%s\n", is_selected ? style_code(&look->style, STYLE_RESET) : "");
	return err;
}
