// SPDX-License-Identifier: Apache-2.0

#include "report/browse/browser_state.h"

#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

void report_browser_deinit(struct report_browser *browser)
{
	while (browser->num_pages)
		browse_page_deinit(&browser->pages[--browser->num_pages]);
	free(browser->message);
}

static struct error *report_browser_create_list(const struct report_browser *browser,
						enum hot_key key,
						const struct sample_choice *choice,
						struct browse_list *ret)
{
	struct profile_filter *filter = NULL;
	struct error *err = sample_choice_filter(choice, browser->profile, browser->event, &filter);
	const struct browse_list_request request = {
		.profile = browser->profile,
		.event = browser->event,
		.key = key,
		.order = browser->order,
		.shape = browser->shape,
		.min_percent = browser->request->min_percent,
		.has_min_percent = browser->request->has_min_percent,
	};
	return err ? err : browse_list_create(&request, filter, ret);
}

/** @page: belongs to the browser now. */
static void report_browser_push(struct report_browser *browser, struct browse_page page)
{
	if (browser->num_pages == BROWSER_MAX_PAGES)
		browse_page_deinit(&browser->pages[--browser->num_pages]);
	browser->pages[browser->num_pages++] = page;
}

struct error *report_browser_open(struct report_browser *browser, enum browse_purpose purpose,
				  enum hot_key key)
{
	struct browse_page page = {.purpose = purpose};
	// Others can be picked in the place of the one that was.
	struct profile_pick pick = browser->pick;
	if (purpose == BROWSE_PROCESSES)
		pick.process = pick.thread = NAMED_NONE;
	if (purpose == BROWSE_THREADS)
		pick.thread = NAMED_NONE;
	if (purpose == BROWSE_MODULES)
		pick.module = NAMED_NONE;
	struct sample_choice choice = browser->choice;
	choice.pick = &pick;
	struct error *err = report_browser_create_list(browser, key, &choice, &page.list);
	if (!err)
		report_browser_push(browser, page);
	return err;
}

struct error *report_browser_begin(struct report_browser *browser)
{
	_cleanup_free_ char *only =
		browser->num_pages ? take_ptr(browser->pages[0].list.only) : NULL;
	while (browser->num_pages)
		browse_page_deinit(&browser->pages[--browser->num_pages]);
	struct error *err = report_browser_open(browser, BROWSE_FUNCTIONS, HOT_FUNCTION);
	return err || !only ? err : browse_list_show_only(&browser->pages[0].list, only);
}

struct error *report_browser_open_text(struct report_browser *browser, struct memory_stream *text,
				       const char *title)
{
	struct browse_page page = {.purpose = BROWSE_TEXT};
	struct error *err = memory_stream_close(text);
	page.text = *text; // complete, so that it may move
	*text = (struct memory_stream)MEMORY_STREAM_INIT;
	page.title = strdup(title);
	if (!err && !page.title)
		err = &error_no_memory;
	if (!err)
		err = text_lines_init(&page.lines, page.text.text, page.text.size);
	if (err)
		browse_page_deinit(&page);
	else
		report_browser_push(browser, page);
	return err;
}

struct error *report_browser_choose(struct report_browser *browser, struct profile_pick pick)
{
	browser->pick = pick;
	return report_browser_begin(browser);
}

struct error *report_browser_choose_all(struct report_browser *browser)
{
	browser->pick = (struct profile_pick)PROFILE_PICK_ALL;
	free(take_ptr(browser->pages[0].list.only));
	return report_browser_begin(browser);
}

bool report_browser_is_limited(const struct report_browser *browser)
{
	const struct profile_pick *pick = &browser->pick;
	return pick->thread != NAMED_NONE || pick->process != NAMED_NONE ||
	       pick->module != NAMED_NONE || browser->pages[0].list.only;
}
