/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_BROWSE_BROWSER_STATE_H
#define WPERF_REPORT_BROWSE_BROWSER_STATE_H

/** Private to the browser: what it shows, as a stack of pages, and of which samples. */

#include "base/file/memory_stream.h"
#include "base/terminal/terminal_screen.h"
#include "report/browse/browse_page.h"
#include "report/browse/browser_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BROWSER_MAX_PAGES = 8, BROWSER_MAX_SEARCH = 127 };

struct report_browser {
	const struct report_browser_request *request;
	const struct named_profile *profile;
	struct terminal_screen *screen;
	struct style style;
	struct sample_choice choice; /* with what was chosen since */
	struct profile_pick pick;    /* of the choice */
	uint32_t event;
	enum hot_order order;
	enum call_tree_shape shape;
	struct browse_page pages[BROWSER_MAX_PAGES];
	size_t num_pages;
	char search[BROWSER_MAX_SEARCH + 1]; /* what was searched for last */
	char typed[BROWSER_MAX_SEARCH + 1];
	char prompt;   /* "/" or "&" in front of what is typed; '\0': keys are commands */
	char *message; /* in the status bar until the next key; or NULL */
	bool wants_to_quit;
};

void report_browser_deinit(struct report_browser *browser);

/** The one that is shown. */
static inline struct browse_page *report_browser_page(struct report_browser *browser)
{
	return &browser->pages[browser->num_pages - 1];
}

/** Only the first page, made anew: other samples count, or are sorted otherwise. */
struct error *report_browser_begin(struct report_browser *browser);

/** A page on top. */
struct error *report_browser_open(struct report_browser *browser, enum browse_purpose purpose,
				  enum hot_key key);

/** The same of text. @text: is the browser's from now on. */
struct error *report_browser_open_text(struct report_browser *browser, struct memory_stream *text,
				       const char *title);

/** Only samples of what is picked count from now on. */
struct error *report_browser_choose(struct report_browser *browser, struct profile_pick pick);

/** All processes, threads and modules count again, and all functions are shown. */
struct error *report_browser_choose_all(struct report_browser *browser);

/** Does any of them not? */
bool report_browser_is_limited(const struct report_browser *browser);

#endif
