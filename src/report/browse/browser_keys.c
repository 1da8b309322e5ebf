// SPDX-License-Identifier: Apache-2.0

#include "report/browse/browser_keys.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "report/code/annotate_report.h"
#include "view/layout/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNFOLDED = 100 }; // functions at once: each has to be computed

/** @err: is destroyed. The browser goes on, but without memory. */
static struct error *report_browser_say(struct report_browser *browser, struct error *err)
{
	free(take_ptr(browser->message));
	if (!err || err == &error_no_memory)
		return err;
	browser->message = strdup(err->message);
	error_destroy(err);
	return browser->message ? NULL : &error_no_memory;
}

static struct error *browser_quit(struct report_browser *browser)
{
	if (browser->num_pages > 1)
		browse_page_deinit(&browser->pages[--browser->num_pages]);
	else
		browser->wants_to_quit = true;
	return NULL;
}

static struct error *browser_go_back(struct report_browser *browser)
{
	if (browser->num_pages > 1)
		return browser_quit(browser);
	return report_browser_is_limited(browser) ? report_browser_choose_all(browser) : NULL;
}

static struct error *browser_go_down(struct report_browser *browser)
{
	browse_page_move(report_browser_page(browser), 1);
	return NULL;
}

static struct error *browser_go_up(struct report_browser *browser)
{
	browse_page_move(report_browser_page(browser), -1);
	return NULL;
}

static struct error *browser_page_down(struct report_browser *browser)
{
	struct browse_page *page = report_browser_page(browser);
	page->top += page->room;
	browse_page_move(page, (long)page->room);
	return NULL;
}

static struct error *browser_page_up(struct report_browser *browser)
{
	struct browse_page *page = report_browser_page(browser);
	page->top = page->top > page->room ? page->top - page->room : 0;
	browse_page_move(page, -(long)page->room);
	return NULL;
}

static struct error *browser_go_first(struct report_browser *browser)
{
	browse_page_select(report_browser_page(browser), 0);
	return NULL;
}

static struct error *browser_go_last(struct report_browser *browser)
{
	browse_page_select(report_browser_page(browser), SIZE_MAX);
	return NULL;
}

/** NULL: nothing here can be unfolded. */
static struct browse_list *report_browser_tree(struct report_browser *browser)
{
	struct browse_page *page = report_browser_page(browser);
	return page->purpose == BROWSE_FUNCTIONS && page->list.num_lines ? &page->list : NULL;
}

static struct error *report_browser_fold(struct report_browser *browser, bool is_open,
					 bool with_below)
{
	struct browse_list *list = report_browser_tree(browser);
	return list ? browse_list_fold(list, report_browser_page(browser)->selected, is_open,
				       with_below)
		    : NULL;
}

static struct error *browser_switch_fold(struct report_browser *browser)
{
	struct browse_list *list = report_browser_tree(browser);
	size_t line = report_browser_page(browser)->selected;
	return list ? report_browser_fold(browser, browse_list_state(list, line) == BROWSE_CLOSED,
					  false)
		    : NULL;
}

static struct error *browser_unfold(struct report_browser *browser)
{
	return report_browser_fold(browser, true, false);
}

/** What is folded already leads to the row above it. */
static struct error *browser_fold(struct report_browser *browser)
{
	struct browse_list *list = report_browser_tree(browser);
	struct browse_page *page = report_browser_page(browser);
	if (!list)
		return NULL;
	if (browse_list_state(list, page->selected) == BROWSE_OPEN)
		return browse_list_fold(list, page->selected, false, false);
	page->selected = browse_list_parent(list, page->selected);
	return NULL;
}

static struct error *browser_unfold_below(struct report_browser *browser)
{
	return report_browser_fold(browser, true, true);
}

static struct error *browser_fold_below(struct report_browser *browser)
{
	return report_browser_fold(browser, false, true);
}

/** The selected row stays, or becomes the function that it is below of. */
static struct error *report_browser_fold_all(struct report_browser *browser, bool is_open)
{
	struct browse_list *list = report_browser_tree(browser);
	struct browse_page *page = report_browser_page(browser);
	if (!list)
		return NULL;
	struct browse_line selected = list->lines[page->selected];
	struct error *err = browse_list_fold_all(list, is_open, is_open ? MAX_UNFOLDED : 0);
	page->selected = browse_list_find(list, selected);
	if (!err && is_open && list->hot.num_entries > MAX_UNFOLDED)
		err = error_create(ERROR_FAILED, "unfolded the first %d functions of %s",
				   MAX_UNFOLDED, decimal_grouped(list->hot.num_entries).text);
	return err;
}

static struct error *browser_fold_all(struct report_browser *browser)
{
	return report_browser_fold_all(browser, false);
}

static struct error *browser_unfold_all(struct report_browser *browser)
{
	return report_browser_fold_all(browser, true);
}

static struct error *browser_switch_shape(struct report_browser *browser)
{
	struct browse_list *list = report_browser_tree(browser);
	if (!list)
		return NULL;
	browser->shape =
		browser->shape == CALL_TREE_CALLERS ? CALL_TREE_CALLEES : CALL_TREE_CALLERS;
	struct browse_page *page = report_browser_page(browser);
	const struct browse_line selected = {.entry = list->lines[page->selected].entry};
	const struct browse_tree *tree = &list->trees[selected.entry];
	bool was_open = tree->tree.num_nodes && tree->is_open[0];
	struct error *err = browse_list_set_shape(list, browser->shape);
	page->selected = browse_list_find(list, selected);
	return err || !was_open ? err : browser_unfold(browser);
}

static struct error *browser_switch_order(struct report_browser *browser)
{
	browser->order = browser->order == HOT_BY_SELF ? HOT_BY_TOTAL : HOT_BY_SELF;
	return report_browser_begin(browser);
}

static struct error *browser_next_event(struct report_browser *browser)
{
	const struct named_profile *profile = browser->profile;
	uint32_t next = sample_choice_next_event(&browser->choice, profile, browser->event + 1);
	browser->event = next < profile->num_events
				 ? next
				 : sample_choice_next_event(&browser->choice, profile, 0);
	return report_browser_begin(browser);
}

static struct error *browser_open_lines(struct report_browser *browser)
{
	bool is_interpreted = interpreted_stacks_are_there(browser->profile);
	return report_browser_open(browser, BROWSE_LINES,
				   is_interpreted ? HOT_INTERPRETED_LINE : HOT_LINE);
}

static struct error *browser_open_processes(struct report_browser *browser)
{
	return report_browser_open(browser, BROWSE_PROCESSES, HOT_PROCESS);
}

static struct error *browser_open_threads(struct report_browser *browser)
{
	return report_browser_open(browser, BROWSE_THREADS, HOT_THREAD);
}

static struct error *browser_open_modules(struct report_browser *browser)
{
	return report_browser_open(browser, BROWSE_MODULES, HOT_MODULE);
}

/** The function of the selected row with its source and hits. */
static struct error *browser_annotate(struct report_browser *browser)
{
	struct browse_page *page = report_browser_page(browser);
	const struct named_profile *profile = browser->profile;
	bool has_function = (page->purpose == BROWSE_FUNCTIONS || page->purpose == BROWSE_LINES) &&
			    page->list.num_lines;
	uint32_t function =
		has_function ? browse_list_function(&page->list, page->selected) : NAMED_NONE;
	if (function == NAMED_NONE)
		return error_create(ERROR_FAILED, "no function to annotate here");
	const char *name = named_profile_text(profile, profile->functions[function].name);
	struct annotate_request request = {
		.choice = browser->choice,
		.function = &function,
		.sysroots = browser->request->sysroots,
		.symbol_path = browser->request->symbol_path,
	};
	// By number: its name may be that of others, or have what is special in --symbol.
	request.choice.symbol = NULL;
	request.choice.event = named_profile_text(profile, profile->events[browser->event].name);
	_cleanup_(memory_stream_deinit) struct memory_stream text = MEMORY_STREAM_INIT;
	struct error *err = memory_stream_open(&text);
	if (!err)
		err = annotate_report_print(&request, profile, text.stream);
	return err ? err : report_browser_open_text(browser, &text, name);
}

static struct error *browser_enter(struct report_browser *browser)
{
	struct browse_page *page = report_browser_page(browser);
	if (page->purpose == BROWSE_TEXT)
		return browser_go_down(browser);
	if (page->purpose == BROWSE_FUNCTIONS)
		return browser_switch_fold(browser);
	if (page->purpose == BROWSE_LINES)
		return browser_annotate(browser);
	if (!page->list.num_lines)
		return NULL;
	uint32_t item = page->list.hot.entries[page->list.lines[page->selected].entry].item;
	if (item == NAMED_NONE)
		return error_create(ERROR_FAILED, "these samples have no name; choose another row");
	struct profile_pick pick = browser->pick;
	if (page->purpose == BROWSE_MODULES) {
		pick.module = item;
	} else if (page->purpose == BROWSE_THREADS) {
		pick.thread = item;
	} else {
		pick.process = item;
		pick.thread = NAMED_NONE;
	}
	return report_browser_choose(browser, pick);
}

static struct error *report_browser_ask(struct report_browser *browser, char prompt)
{
	browser->prompt = prompt;
	browser->typed[0] = '\0';
	return NULL;
}

static struct error *browser_search(struct report_browser *browser)
{
	return report_browser_ask(browser, '/');
}

static struct error *browser_filter(struct report_browser *browser)
{
	if (report_browser_page(browser)->purpose == BROWSE_TEXT)
		return error_create(ERROR_FAILED, "& is for lists; / searches a text");
	return report_browser_ask(browser, '&');
}

static struct error *report_browser_find(struct report_browser *browser, bool is_backward,
					 bool from_here)
{
	if (!browser->search[0])
		return error_create(ERROR_FAILED, "nothing to search for: type / and a word");
	if (browse_page_find(report_browser_page(browser), browser->search, is_backward, from_here))
		return NULL;
	return error_create(ERROR_FAILED, "not found: %s", browser->search);
}

/** The selected row stays, if it is shown. */
static struct error *report_browser_show_only(struct report_browser *browser)
{
	struct browse_page *page = report_browser_page(browser);
	struct browse_line selected = {0};
	if (page->list.num_lines)
		selected = page->list.lines[page->selected];
	struct error *err = browse_list_show_only(&page->list, browser->typed);
	page->selected = browse_list_find(&page->list, selected);
	return err;
}

static struct error *browser_find_next(struct report_browser *browser)
{
	return report_browser_find(browser, false, false);
}

static struct error *browser_find_before(struct report_browser *browser)
{
	return report_browser_find(browser, true, false);
}

static struct error *browser_suspend(struct report_browser *browser)
{
	return terminal_screen_suspend(browser->screen);
}

static struct error *browser_help(struct report_browser *browser);

// Keys of less and of perf report, where they have one.
static const struct {
	int keys[3];
	struct error *(*press)(struct report_browser *browser);
	const char *name, *help;
} keys[] = {
	{{'j', TERMINAL_KEY_DOWN}, browser_go_down, "j, Down", "next line"},
	{{'k', TERMINAL_KEY_UP}, browser_go_up, "k, Up", "previous line"},
	{{' ', TERMINAL_KEY_PAGE_DOWN}, browser_page_down, "Space, PgDn", "next screen"},
	{{'b', TERMINAL_KEY_PAGE_UP}, browser_page_up, "b, PgUp", "previous screen"},
	{{'g', '<', TERMINAL_KEY_HOME}, browser_go_first, "g, <, Home", "first line"},
	{{'G', '>', TERMINAL_KEY_END}, browser_go_last, "G, >, End", "last line"},
	{{'\r', '\n'},
	 browser_enter,
	 "Enter",
	 "unfold or fold a function; show the code of a line; choose a process, thread "
	 "or module"},
	{{'+'}, browser_switch_fold, "+", "unfold or fold a function"},
	{{TERMINAL_KEY_RIGHT}, browser_unfold, "Right", "unfold"},
	{{'-', TERMINAL_KEY_LEFT},
	 browser_fold,
	 "-, Left",
	 "fold; on a folded row: go to its parent"},
	{{'e'}, browser_unfold_below, "e", "unfold the row and everything below it"},
	{{'c'}, browser_fold_below, "c", "fold the row and everything below it"},
	{{'E'}, browser_unfold_all, "E", "unfold all (the first 100 functions)"},
	{{'C'}, browser_fold_all, "C", "fold all"},
	{{'x'}, browser_switch_shape, "x", "unfold to callees instead of callers, and back"},
	{{'a'}, browser_annotate, "a", "annotate: source and samples of the function"},
	{{'l'}, browser_open_lines, "l", "hot lines; Python lines, if there are any"},
	{{'p'}, browser_open_processes, "p", "processes: Enter shows only the samples of one name"},
	{{'t'}, browser_open_threads, "t", "threads: Enter shows only the samples of one"},
	{{'d'}, browser_open_modules, "d", "modules: Enter shows only stacks with one"},
	{{'s'}, browser_switch_order, "s", "sort by total instead of self, and back"},
	{{'\t'}, browser_next_event, "Tab", "next event"},
	{{'&'},
	 browser_filter,
	 "&",
	 "show only rows with a part of a name; nothing and Enter: all"},
	{{'/'}, browser_search, "/", "search: type a part of a name, then Enter"},
	{{'n'}, browser_find_next, "n", "next match"},
	{{'N'}, browser_find_before, "N", "previous match"},
	{{TERMINAL_KEY_ESCAPE, TERMINAL_KEY_BACKSPACE},
	 browser_go_back,
	 "Esc, Backsp.",
	 "back; on the first page: all processes, threads, modules and rows again"},
	{{'q'}, browser_quit, "q", "back; on the first page: quit"},
	{{'h', '?'}, browser_help, "h, ?", "this page"},
	{{TERMINAL_KEY_SUSPEND},
	 browser_suspend,
	 "Ctrl-Z",
	 "back to the shell until fg; Linux only"},
	{{TERMINAL_KEY_NONE}, NULL, "Ctrl-C", "quit"}, // a signal: base/os/interrupt.h
};

static struct error *browser_help(struct report_browser *browser)
{
	_cleanup_(memory_stream_deinit) struct memory_stream text = MEMORY_STREAM_INIT;
	struct error *err = memory_stream_open(&text);
	if (err)
		return err;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		fprintf(text.stream, "  %-12s %s\n", keys[i].name, keys[i].help);
	return report_browser_open_text(browser, &text, "keys");
}

/** Enter: what was typed counts. As in less, nothing repeats the last search. */
static struct error *report_browser_take_typed(struct report_browser *browser)
{
	char prompt = browser->prompt;
	browser->prompt = '\0';
	if (prompt == '&')
		return report_browser_show_only(browser);
	if (browser->typed[0])
		memcpy(browser->search, browser->typed, sizeof(browser->search));
	return report_browser_find(browser, false, browser->typed[0] != '\0');
}

/** A byte of what is searched for; UTF-8 is removed as a whole. */
static struct error *report_browser_type(struct report_browser *browser, int key)
{
	char *typed = browser->typed;
	size_t length = strlen(typed);
	if (key == '\r' || key == '\n')
		return report_browser_take_typed(browser);
	if (key == TERMINAL_KEY_ESCAPE || (key == TERMINAL_KEY_BACKSPACE && !length)) {
		browser->prompt = '\0';
	} else if (key == TERMINAL_KEY_BACKSPACE) {
		while (length && ((unsigned char)typed[length - 1] & 0xc0) == 0x80)
			length--;
		typed[length ? length - 1 : 0] = '\0';
	} else if (key >= ' ' && key <= 0xff && length < BROWSER_MAX_SEARCH) {
		typed[length] = (char)key;
		typed[length + 1] = '\0';
	}
	return NULL;
}

struct error *report_browser_press(struct report_browser *browser, int key)
{
	if (browser->prompt)
		return report_browser_say(browser, report_browser_type(browser, key));
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		for (size_t j = 0; j < ARRAY_SIZE(keys[i].keys); j++)
			if (keys[i].keys[j] == key && key)
				return report_browser_say(browser, keys[i].press(browser));
	return report_browser_say(browser,
				  error_create(ERROR_FAILED, "no such key; h shows the keys"));
}
