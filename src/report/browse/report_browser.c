// SPDX-License-Identifier: Apache-2.0
// The browser is a stack of pages: the functions are the first, and what a key opens comes on top.
// Choosing a thread or a module changes which samples count, so that the first page is made anew.
// Each key changes something, and then the whole screen is printed into memory and drawn, as `top`
// does. A window of another size ends the wait for a key, too.

#include "report/browse/report_browser.h"

#include "base/container/array.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "report/browse/browse_page.h"
#include "report/code/annotate_report.h"
#include "view/layout/decimal.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_PAGES = 8,
	MAX_SEARCH = 127,
	MAX_UNFOLDED = 100, // functions at once: each has to be computed
	MAX_EMPTY_READS = 16,
};

struct report_browser {
	const struct report_browser_request *request;
	const struct named_profile *profile;
	struct terminal_screen *screen;
	struct style style;
	struct sample_choice choice; /* with what was chosen since */
	char *thread, *module;       /* of the choice; or NULL. The module's is a pattern */
	uint32_t module_index;       /* of the one that was chosen */
	uint32_t event;
	enum hot_order order;
	enum call_tree_shape shape;
	struct browse_page pages[MAX_PAGES];
	size_t num_pages;
	char search[MAX_SEARCH + 1];
	bool is_typing; /* what is searched for */
	char *message;  /* in the status bar until the next key; or NULL */
	bool wants_to_quit;
};

static void report_browser_deinit(struct report_browser *browser)
{
	while (browser->num_pages)
		browse_page_deinit(&browser->pages[--browser->num_pages]);
	free(browser->thread);
	free(browser->module);
	free(browser->message);
}

static struct browse_page *report_browser_page(struct report_browser *browser)
{
	return &browser->pages[browser->num_pages - 1];
}

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
	if (browser->num_pages == MAX_PAGES)
		browse_page_deinit(&browser->pages[--browser->num_pages]);
	browser->pages[browser->num_pages++] = page;
}

static struct error *report_browser_open(struct report_browser *browser,
					 enum browse_purpose purpose, enum hot_key key)
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

/** Other samples count, or are sorted otherwise. */
static struct error *report_browser_begin(struct report_browser *browser)
{
	while (browser->num_pages)
		browse_page_deinit(&browser->pages[--browser->num_pages]);
	return report_browser_open(browser, BROWSE_FUNCTIONS, HOT_FUNCTION);
}

/** @text: is the browser's from now on. */
static struct error *report_browser_open_text(struct report_browser *browser,
					      struct memory_stream *text, const char *title)
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
	if (!browser->thread && !browser->module)
		return NULL;
	free(take_ptr(browser->thread));
	free(take_ptr(browser->module));
	browser->choice = browser->request->choice;
	return report_browser_begin(browser);
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
		.sysroots = browser->request->sysroots,
		.symbol_path = browser->request->symbol_path,
	};
	request.choice.symbol = name;
	request.choice.event = named_profile_text(profile, profile->events[browser->event].name);
	_cleanup_(memory_stream_deinit) struct memory_stream text = MEMORY_STREAM_INIT;
	struct error *err = memory_stream_open(&text);
	if (!err)
		err = annotate_report_print(&request, profile, text.stream);
	return err ? err : report_browser_open_text(browser, &text, name);
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

static struct error *report_browser_choose_thread(struct report_browser *browser, uint32_t thread)
{
	char tid[16];
	snprintf(tid, sizeof(tid), "%u", browser->profile->threads[thread].tid);
	free(browser->thread);
	browser->thread = strdup(tid);
	browser->choice.thread = browser->thread;
	return browser->thread ? report_browser_begin(browser) : &error_no_memory;
}

static struct error *report_browser_choose_module(struct report_browser *browser, uint32_t module)
{
	const struct named_profile *profile = browser->profile;
	free(browser->module);
	browser->module =
		report_browser_pattern(named_profile_text(profile, profile->modules[module].name));
	browser->module_index = module;
	browser->choice.module = browser->module;
	return browser->module ? report_browser_begin(browser) : &error_no_memory;
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
	uint32_t item = page->list.hot.entries[page->selected].item;
	if (item == NAMED_NONE)
		return error_create(ERROR_FAILED, "these samples have no name; choose another row");
	return page->purpose == BROWSE_THREADS ? report_browser_choose_thread(browser, item)
					       : report_browser_choose_module(browser, item);
}

static struct error *browser_search(struct report_browser *browser)
{
	browser->is_typing = true;
	browser->search[0] = '\0';
	return NULL;
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
	const char *name, *help; // NULL: not in the help
} keys[] = {
	{{'j', TERMINAL_KEY_DOWN}, browser_go_down, "j, Down", "next line"},
	{{'k', TERMINAL_KEY_UP}, browser_go_up, "k, Up", "previous line"},
	{{' ', TERMINAL_KEY_PAGE_DOWN}, browser_page_down, "Space, PgDn", "next screen"},
	{{'b', TERMINAL_KEY_PAGE_UP}, browser_page_up, "b, PgUp", "previous screen"},
	{{'g', '<', TERMINAL_KEY_HOME}, browser_go_first, "g, Home", "first line"},
	{{'G', '>', TERMINAL_KEY_END}, browser_go_last, "G, End", "last line"},
	{{'\r', '\n'},
	 browser_enter,
	 "Enter",
	 "unfold or fold a function; show the code of a line; choose a thread or module"},
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
	{{'t'}, browser_open_threads, "t", "threads: Enter shows only the samples of one"},
	{{'d'}, browser_open_modules, "d", "modules: Enter shows only stacks with one"},
	{{'s'}, browser_switch_order, "s", "sort by total instead of self, and back"},
	{{'\t'}, browser_next_event, "Tab", "next event"},
	{{'/'}, browser_search, "/", "search: type a part of a name, then Enter"},
	{{'n'}, browser_find_next, "n", "next match"},
	{{'N'}, browser_find_before, "N", "previous match"},
	{{TERMINAL_KEY_ESCAPE, TERMINAL_KEY_BACKSPACE},
	 browser_go_back,
	 "Esc",
	 "back; on the first page: all threads and modules again"},
	{{'q'}, browser_quit, "q", "back; on the first page: quit"},
	{{'h', '?'}, browser_help, "h, ?", "this page"},
	{{TERMINAL_KEY_SUSPEND}, browser_suspend, NULL, NULL},
};

static struct error *browser_help(struct report_browser *browser)
{
	_cleanup_(memory_stream_deinit) struct memory_stream text = MEMORY_STREAM_INIT;
	struct error *err = memory_stream_open(&text);
	if (err)
		return err;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].name)
			fprintf(text.stream, "  %-12s %s\n", keys[i].name, keys[i].help);
	return report_browser_open_text(browser, &text, "keys");
}

/** A byte of what is searched for; UTF-8 is removed as a whole. */
static struct error *report_browser_type(struct report_browser *browser, int key)
{
	size_t length = strlen(browser->search);
	if (key == '\r' || key == '\n') {
		browser->is_typing = false;
		return report_browser_find(browser, false, true);
	}
	if (key == TERMINAL_KEY_ESCAPE) {
		browser->is_typing = false;
		browser->search[0] = '\0';
	} else if (key == TERMINAL_KEY_BACKSPACE) {
		while (length && ((unsigned char)browser->search[length - 1] & 0xc0) == 0x80)
			length--;
		browser->search[length ? length - 1 : 0] = '\0';
	} else if (key >= ' ' && key <= 0xff && length < MAX_SEARCH) {
		browser->search[length] = (char)key;
		browser->search[length + 1] = '\0';
	}
	return NULL;
}

static struct error *report_browser_press(struct report_browser *browser, int key)
{
	struct error *err = NULL;
	if (browser->is_typing) {
		err = report_browser_type(browser, key);
		return report_browser_say(browser, err);
	}
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		for (size_t j = 0; j < ARRAY_SIZE(keys[i].keys); j++)
			if (keys[i].keys[j] == key)
				return report_browser_say(browser, keys[i].press(browser));
	return report_browser_say(browser,
				  error_create(ERROR_FAILED, "no such key; h shows the keys"));
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
	if (browser->thread)
		string_builder_appendf(title, ", thread %s", browser->thread);
	if (browser->module)
		string_builder_appendf(
			title, ", stacks with %s",
			named_profile_text(profile, profile->modules[browser->module_index].name));
	if (profile->num_lost)
		string_builder_appendf(title, ", %s records LOST",
				       decimal_grouped(profile->num_lost).text);
	if (page->purpose == BROWSE_FUNCTIONS)
		string_builder_appendf(title, "; by %s, unfold to %s",
				       browser->order == HOT_BY_SELF ? "self" : "total",
				       browser->shape == CALL_TREE_CALLERS ? "callers" : "callees");
}

static void report_browser_status(struct report_browser *browser, struct string_builder *status)
{
	static const char *const hints[] = {
		[BROWSE_FUNCTIONS] =
			("q quit  Enter unfold  a annotate  l lines  t threads  d modules  "
			 "/ search  h help"),
		[BROWSE_LINES] = "q back  Enter annotate  / search  h help",
		[BROWSE_THREADS] = "q back  Enter choose  / search  h help",
		[BROWSE_MODULES] = "q back  Enter choose  / search  h help",
		[BROWSE_TEXT] = "q back  / search  h help",
	};
	const struct browse_page *page = report_browser_page(browser);
	if (browser->is_typing)
		string_builder_appendf(status, "/%s", browser->search);
	else if (browser->message)
		string_builder_append(status, browser->message);
	else
		string_builder_appendf(status, "%s/%s  %s",
				       decimal_grouped(page->selected + 1).text,
				       decimal_grouped(browse_page_num_lines(page)).text,
				       hints[page->purpose]);
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
		.event = sample_choice_next_event(&request->choice, profile, 0),
		.order = request->order,
		.shape = CALL_TREE_CALLERS,
	};
	struct error *err = sample_choice_check_event(&request->choice, profile);
	if (!err)
		err = terminal_screen_watch_size(screen);
	if (!err)
		err = report_browser_begin(&browser);
	return err ? err : report_browser_loop(&browser);
}
