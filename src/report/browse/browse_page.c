// SPDX-License-Identifier: Apache-2.0
// A page is printed whole for each key, but only the lines on the screen: with 100,000 rows, a key
// costs what it costs with fifty. Searching is the exception, as it reads names until one fits.

#include "report/browse/browse_page.h"

#include "profile/hot/hot_label.h"

#include <stdlib.h>
#include <string.h>

enum {
	BARS = 2,   // title and status
	UNUSED = 1, // of terminal_screen_show()
};

static const char *const row_names[] = {
	[BROWSE_FUNCTIONS] = "function", [BROWSE_LINES] = "line",
	[BROWSE_PROCESSES] = "process",  [BROWSE_THREADS] = "thread",
	[BROWSE_MODULES] = "module",
};

void browse_page_deinit(struct browse_page *page)
{
	browse_list_deinit(&page->list);
	text_lines_deinit(&page->lines);
	memory_stream_deinit(&page->text);
	free(page->title);
	*page = (struct browse_page)BROWSE_PAGE_INIT;
}

size_t browse_page_num_lines(const struct browse_page *page)
{
	return page->purpose == BROWSE_TEXT ? page->lines.num_lines : page->list.num_lines;
}

void browse_page_select(struct browse_page *page, size_t line)
{
	size_t num_lines = browse_page_num_lines(page);
	page->selected = line < num_lines ? line : num_lines ? num_lines - 1 : 0;
}

void browse_page_move(struct browse_page *page, long delta)
{
	size_t step = (size_t)(delta < 0 ? -delta : delta);
	if (delta < 0)
		browse_page_select(page, page->selected > step ? page->selected - step : 0);
	else
		browse_page_select(page, page->selected + step);
}

static bool browse_page_matches(const struct browse_page *page, size_t line, const char *words,
				struct string_builder *name)
{
	struct browse_row row;
	if (page->purpose == BROWSE_TEXT) {
		struct text_line text = text_lines_get(&page->lines, line + 1);
		return browse_list_has_words(text.text, text.length, words);
	}
	string_builder_clear(name);
	struct error *err = browse_list_row(&page->list, line, name, &row);
	error_destroy(err);
	return !err && browse_list_has_words(row.name, strlen(row.name), words);
}

bool browse_page_find(struct browse_page *page, const char *words, bool is_backward, bool from_here)
{
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	size_t num_lines = browse_page_num_lines(page);
	for (size_t i = from_here ? 0 : 1; i <= num_lines && num_lines; i++) {
		size_t line = page->selected + (is_backward ? num_lines - i : i);
		if (!browse_page_matches(page, line % num_lines, words, &name))
			continue;
		page->selected = line % num_lines;
		return true;
	}
	return false;
}

/** The selected line has to be in sight. */
static void browse_page_scroll(struct browse_page *page, size_t room)
{
	size_t num_lines = browse_page_num_lines(page);
	page->room = room;
	browse_page_select(page, page->selected);
	if (page->top > page->selected)
		page->top = page->selected;
	if (page->selected >= page->top + room)
		page->top = page->selected - room + 1;
	// A window that grew, or what was folded: no empty lines while there are others above.
	if (page->top + room > num_lines)
		page->top = num_lines > room ? num_lines - room : 0;
}

static struct error *browse_page_print_line(const struct browse_page *page,
					    const struct browse_look *look, size_t line,
					    FILE *stream)
{
	bool is_selected = line == page->selected;
	if (page->purpose == BROWSE_TEXT) {
		struct text_line text = text_lines_get(&page->lines, line + 1);
		return browse_text_print_line(look, text.text, text.length, is_selected, stream);
	}
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	struct browse_row row;
	struct error *err = browse_list_row(&page->list, line, &name, &row);
	row.is_selected = is_selected;
	return err ? err : browse_text_print_row(look, &row, stream);
}

struct error *browse_page_print(struct browse_page *page, struct terminal_size size,
				struct style style, const char *title, const char *status,
				FILE *stream)
{
	bool is_text = page->purpose == BROWSE_TEXT;
	const struct browse_look look = {
		.style = style,
		.columns = size.columns,
		.with_module = page->purpose == BROWSE_FUNCTIONS || page->purpose == BROWSE_LINES,
	};
	size_t taken = BARS + UNUSED + (is_text ? 0 : 1);
	browse_page_scroll(page, size.rows > taken ? size.rows - taken : 1);
	struct error *err = browse_text_print_bar(&look, title, stream);
	if (!err && !is_text)
		err = browse_text_print_head(&look, row_names[page->purpose], stream);
	for (size_t i = 0; !err && i < page->room; i++) {
		if (page->top + i < browse_page_num_lines(page))
			err = browse_page_print_line(page, &look, page->top + i, stream);
		else
			fputc('\n', stream);
	}
	return err ? err : browse_text_print_bar(&look, status, stream);
}
