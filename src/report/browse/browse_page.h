/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_BROWSE_BROWSE_PAGE_H
#define WPERF_REPORT_BROWSE_BROWSE_PAGE_H

/** One page of the report's browser: rows or a text, with the line that is selected. */

#include "base/file/memory_stream.h"
#include "base/terminal/terminal.h"
#include "base/text/text_lines.h"
#include "report/browse/browse_list.h"

/** What Enter does. */
enum browse_purpose {
	BROWSE_FUNCTIONS, /* unfolds the row */
	BROWSE_LINES,     /* shows the code */
	BROWSE_PROCESSES, /* chooses a process ... */
	BROWSE_THREADS,   /* ... a thread, */
	BROWSE_MODULES,   /* or a module, whose samples count */
	BROWSE_TEXT,
};

struct browse_page {
	enum browse_purpose purpose;
	struct browse_list list; /* unless it is a text */
	struct memory_stream text;
	struct text_lines lines; /* of the text */
	char *title;             /* of a text */
	size_t selected, top;    /* lines; the top one is the first on the screen */
	size_t room;             /* lines on the screen, when it was drawn last */
};

#define BROWSE_PAGE_INIT \
	{                \
	}

void browse_page_deinit(struct browse_page *page);

size_t browse_page_num_lines(const struct browse_page *page);

/** Select another line; beyond the ends, the first or the last. */
void browse_page_move(struct browse_page *page, long delta);
void browse_page_select(struct browse_page *page, size_t line);

/** Select the next line with @words, whatever the case, or the one before; round the ends. False:
 *  there is none. @from_here: the selected line may be it. */
bool browse_page_find(struct browse_page *page, const char *words, bool is_backward,
		      bool from_here);

/** @title, @status: of the bars above and below. */
struct error *browse_page_print(struct browse_page *page, struct terminal_size size,
				struct style style, const char *title, const char *status,
				FILE *stream);

#endif
