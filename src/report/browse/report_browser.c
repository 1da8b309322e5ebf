// SPDX-License-Identifier: Apache-2.0
// The browser is a stack of pages: the functions are the first, and what a key opens comes on top.
// Choosing a thread or a module changes which samples count, so that the first page is made anew.
// Each key changes something, and then the whole screen is printed into memory and drawn, as `top`
// does. A window of another size ends the wait for a key, too.

#include "report/browse/report_browser.h"

#include "report/browse/browser_keys.h"
#include "report/browse/browser_state.h"
#include "view/layout/decimal.h"

enum { MAX_EMPTY_READS = 16 };

static void report_browser_append_pick(const struct report_browser *browser,
				       struct string_builder *title)
{
	const struct named_profile *profile = browser->profile;
	const struct profile_pick *pick = &browser->pick;
	if (pick->process != NAMED_NONE)
		string_builder_appendf(
			title, ", process %s",
			named_profile_text(profile, profile->threads[pick->process].process_name));
	if (pick->thread != NAMED_NONE)
		string_builder_appendf(title, ", thread %u %s", profile->threads[pick->thread].tid,
				       named_profile_text(profile,
							  profile->threads[pick->thread].name));
	if (pick->module != NAMED_NONE)
		string_builder_appendf(title, ", stacks with %s",
				       named_profile_text(profile,
							  profile->modules[pick->module].name));
}

static void report_browser_title(struct report_browser *browser, struct string_builder *title)
{
	const struct browse_page *page = report_browser_page(browser);
	const struct named_profile *profile = browser->profile;
	const struct browse_list *list = &browser->pages[0].list;
	const char *event = named_profile_text(profile, profile->events[browser->event].name);
	if (page->purpose == BROWSE_TEXT) {
		string_builder_appendf(title, "%s, %s", page->title, event);
		return;
	}
	string_builder_appendf(title, "%s: %s samples", event,
			       decimal_grouped(list->hot.whole.count).text);
	report_browser_append_pick(browser, title);
	if (profile->num_lost)
		string_builder_appendf(title, ", %s records LOST",
				       decimal_grouped(profile->num_lost).text);
	if (page->list.only)
		string_builder_appendf(title, "; only *%s*", page->list.only);
	if (page->purpose == BROWSE_FUNCTIONS)
		string_builder_appendf(title, "; by %s, unfold to %s",
				       browser->order == HOT_BY_SELF ? "self" : "total",
				       browser->shape == CALL_TREE_CALLERS ? "callers" : "callees");
}

static void report_browser_status(struct report_browser *browser, struct string_builder *status)
{
	static const char *const hints[] = {
		[BROWSE_FUNCTIONS] = ("q quit  h help  Enter unfold  a source  l lines  "
				      "p t d process, thread, module  / search  & filter"),
		[BROWSE_LINES] = "q back  h help  Enter source  / search  & filter",
		[BROWSE_PROCESSES] = "q back  h help  Enter choose  / search  & filter",
		[BROWSE_THREADS] = "q back  h help  Enter choose  / search  & filter",
		[BROWSE_MODULES] = "q back  h help  Enter choose  / search  & filter",
		[BROWSE_TEXT] = "q back  h help  / search",
	};
	const struct browse_page *page = report_browser_page(browser);
	size_t num_lines = browse_page_num_lines(page);
	if (browser->prompt)
		string_builder_appendf(status, "%c%s", browser->prompt, browser->typed);
	else if (browser->message)
		string_builder_append(status, browser->message);
	else
		string_builder_appendf(status, "%s/%s  %s",
				       decimal_grouped(num_lines ? page->selected + 1 : 0).text,
				       decimal_grouped(num_lines).text, hints[page->purpose]);
}

static struct error *report_browser_draw(struct report_browser *browser, struct terminal_size size)
{
	_cleanup_(memory_stream_deinit) struct memory_stream picture = MEMORY_STREAM_INIT;
	_cleanup_(text_lines_deinit) struct text_lines lines = TEXT_LINES_INIT;
	_cleanup_(string_builder_deinit) struct string_builder title = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder status = STRING_BUILDER_INIT;
	report_browser_title(browser, &title);
	report_browser_status(browser, &status);
	if (title.failed || status.failed)
		return &error_no_memory;
	struct error *err = memory_stream_open(&picture);
	if (!err)
		err = browse_page_print(report_browser_page(browser), size, browser->style,
					string_builder_peek(&title), string_builder_peek(&status),
					picture.stream);
	if (!err)
		err = memory_stream_close(&picture);
	if (!err)
		err = text_lines_init(&lines, picture.text, picture.size);
	if (!err)
		terminal_screen_show(browser->screen, &lines);
	return err;
}

/** All keys that wait are taken before anything is drawn, so that a key held down does not queue up
 *  screens. */
static struct error *report_browser_take_keys(struct report_browser *browser, size_t *num_empty)
{
	struct error *err = NULL;
	int key = terminal_screen_read_key(browser->screen);
	// A terminal that is gone is always ready.
	*num_empty = key ? 0 : *num_empty + 1;
	if (*num_empty > MAX_EMPTY_READS)
		browser->wants_to_quit = true;
	for (; !err && key && !browser->wants_to_quit;
	     key = terminal_screen_read_key(browser->screen))
		err = report_browser_press(browser, key);
	return err;
}

static struct error *report_browser_loop(struct report_browser *browser)
{
	struct terminal_size drawn = {0};
	struct error *err = NULL;
	size_t num_empty = 0;
	bool has_changed = true;
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	while (!err && !browser->wants_to_quit && wake != INTERRUPT_WAKE_REQUESTED) {
		struct terminal_size size = terminal_screen_size(browser->screen);
		if (has_changed || size.rows != drawn.rows || size.columns != drawn.columns)
			err = report_browser_draw(browser, size);
		drawn = size;
		if (!err)
			err = terminal_screen_wait(browser->screen, INTERRUPT_NO_TIMEOUT, &wake);
		has_changed = !err && wake == INTERRUPT_WAKE_READY;
		if (has_changed)
			err = report_browser_take_keys(browser, &num_empty);
	}
	return err;
}

struct error *report_browser_run(const struct report_browser_request *request,
				 const struct named_profile *profile,
				 struct terminal_screen *screen)
{
	_cleanup_(report_browser_deinit) struct report_browser browser = {
		.request = request,
		.profile = profile,
		.screen = screen,
		.style = {.color = terminal_has_color(screen->stream)},
		.choice = request->choice,
		.pick = PROFILE_PICK_ALL,
		.event = sample_choice_next_event(&request->choice, profile, 0),
		.order = request->order,
		.shape = CALL_TREE_CALLERS,
	};
	browser.choice.pick = &browser.pick;
	struct error *err = sample_choice_check_event(&request->choice, profile);
	if (!err)
		err = terminal_screen_watch_size(screen);
	if (!err)
		err = report_browser_begin(&browser);
	return err ? err : report_browser_loop(&browser);
}
