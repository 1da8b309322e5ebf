// SPDX-License-Identifier: Apache-2.0

#include "report/browse/browser_state.h"

#include "base/cleanup.h"
#include "base/text/string_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report_browser_deinit(struct report_browser *browser)
{
	while (browser->num_pages)
		browse_page_deinit(&browser->pages[--browser->num_pages]);
	free(browser->thread);
	free(browser->module);
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
	// Others can be chosen in the place of the one that was.
	struct sample_choice choice = browser->choice;
	if (purpose == BROWSE_THREADS)
		choice.thread = browser->request->choice.thread;
	if (purpose == BROWSE_MODULES)
		choice.module = browser->request->choice.module;
	struct error *err = report_browser_create_list(browser, key, &choice, &page.list);
	if (!err)
		report_browser_push(browser, page);
	return err;
}

struct error *report_browser_begin(struct report_browser *browser)
{
	while (browser->num_pages)
		browse_page_deinit(&browser->pages[--browser->num_pages]);
	return report_browser_open(browser, BROWSE_FUNCTIONS, HOT_FUNCTION);
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

/** As a pattern that fits this name and no other: see base/text/name_pattern.h. */
static char *report_browser_pattern(const char *name)
{
	_cleanup_(string_builder_deinit) struct string_builder pattern = STRING_BUILDER_INIT;
	char *ret = NULL;
	for (size_t i = 0; name[i]; i++) {
		// Without a special character, it would fit names that have it as a part. "[!"
		// begins the set of all others.
		if (i == 0 && name[i] == '!')
			string_builder_append_char(&pattern, '?');
		else if (i == 0 || strchr("*?[", name[i]))
			string_builder_appendf(&pattern, "[%c]", name[i]);
		else
			string_builder_append_char(&pattern, name[i]);
	}
	struct error *err = string_builder_finish(&pattern, &ret);
	error_destroy(err);
	return err ? NULL : ret;
}

struct error *report_browser_choose_thread(struct report_browser *browser, uint32_t thread)
{
	char tid[16];
	snprintf(tid, sizeof(tid), "%u", browser->profile->threads[thread].tid);
	free(browser->thread);
	browser->thread = strdup(tid);
	browser->choice.thread = browser->thread;
	return browser->thread ? report_browser_begin(browser) : &error_no_memory;
}

struct error *report_browser_choose_module(struct report_browser *browser, uint32_t module)
{
	const struct named_profile *profile = browser->profile;
	free(browser->module);
	browser->module =
		report_browser_pattern(named_profile_text(profile, profile->modules[module].name));
	browser->module_index = module;
	browser->choice.module = browser->module;
	return browser->module ? report_browser_begin(browser) : &error_no_memory;
}

struct error *report_browser_choose_all(struct report_browser *browser)
{
	free(take_ptr(browser->thread));
	free(take_ptr(browser->module));
	browser->choice = browser->request->choice;
	return report_browser_begin(browser);
}
