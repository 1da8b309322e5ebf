// SPDX-License-Identifier: Apache-2.0

#include "catalog/placement.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static const struct event letters[] = {
#define LETTER(letter)                                                         \
	{                                                                      \
		.name = #letter, .event_class = EVENT_CORE, .code = #letter[0] \
	}
	LETTER(a), LETTER(b), LETTER(c), LETTER(d), LETTER(e), LETTER(f), LETTER(g), LETTER(h),
	LETTER(i), LETTER(j), LETTER(k), LETTER(l), LETTER(m), LETTER(n), LETTER(o), LETTER(p),
};

/** `ab c def`: one letter is ungrouped, more are a group. */
static void make_list(const char *words, struct event_list *list)
{
	while (*words) {
		size_t length = strcspn(words, " ");
		size_t first = list->num_items;
		for (size_t i = 0; i < length; i++)
			assert_no_error(event_list_add(
				list, &(struct event_request){.event = &letters[words[i] - 'a'],
							      .group = EVENT_UNGROUPED}));
		if (length > 1)
			event_list_group(list, first);
		words += length + (words[length] == ' ');
	}
}

static void describe(const struct placement *placement, struct string_builder *events,
		     struct string_builder *notes)
{
	for (size_t i = 0; i < placement->num_events; i++) {
		const struct placed_event *event = &placement->events[i];
		char note[PLACEMENT_NOTE_MAX];
		string_builder_append(events, event->request ? event->event->name : "P");
		string_builder_appendf(notes, "%s%s", i ? " " : "", placement_note(event, note));
	}
}

static void worked_examples_come_out(void **state)
{
	static const struct {
		const char *words;
		unsigned num_counters;
		const char *events;
		const char *notes;
	} cases[] = {
		{"ab c", 6, "abcPPP", "g0 g0 e p p p"},
		{"ab cde", 6, "abcdeP", "g0 g0 g1 g1 g1 p"},
		{"abcd efg h", 6, "abcdhPefgPPP", "g0 g0 g0 g0 e p g1 g1 g1 p p p"},
		{"abcd efg h i j k", 6, "abcdhiefgjkP", "g0 g0 g0 g0 e e g1 g1 g1 e e p"},
		{"ab cd ef", 4, "abcdefPP", "g0 g0 g1 g1 g2 g2 p p"},
		{"a b c d e f g", 6, "abcdefg", "e e e e e e e"},
		{"a", 5, "a", "e"},
		{"", 5, "", ""},
		{"abc def g", 5, "abcgPdefPP", "g0 g0 g0 e p g1 g1 g1 p p"},
		{"a b c d e fgh", 6, "fghabcdePPPP", "g0 g0 g0 e e e e e p p p p"},
		{"abcdef", 6, "abcdef", "g0 g0 g0 g0 g0 g0"},
		{"abcde fg hi", 6, "abcdePfghiPP", "g0 g0 g0 g0 g0 p g1 g1 g2 g2 p p"},
		{"ab cd e fg", 6, "abecdPfgPPPP", "g0 g0 e g1 g1 p g2 g2 p p p p"},
		{"a a a", 2, "aaa", "e e e"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
		make_list(cases[i].words, &list);
		_cleanup_(placement_deinit) struct placement placement = PLACEMENT_INIT;
		assert_no_error(
			placement_create(&list, EVENT_CORE, cases[i].num_counters, 0, &placement));
		_cleanup_(string_builder_deinit) struct string_builder events = STRING_BUILDER_INIT;
		_cleanup_(string_builder_deinit) struct string_builder notes = STRING_BUILDER_INIT;
		describe(&placement, &events, &notes);
		assert_string_equal(string_builder_peek(&events), cases[i].events);
		assert_string_equal(string_builder_peek(&notes), cases[i].notes);
		assert_true(placement.multiplexed ==
			    (placement.num_events > cases[i].num_counters));
	}
}

static void many_small_groups_share_windows(void **state)
{
	static const struct {
		unsigned num_counters;
		size_t num_events;
	} cases[] = {{5, 80}, {6, 66}};
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	for (int i = 0; i < 31; i++)
		make_list(i == 14 ? "abc" : "de", &list);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(placement_deinit) struct placement placement = PLACEMENT_INIT;
		assert_no_error(
			placement_create(&list, EVENT_CORE, cases[i].num_counters, 0, &placement));
		assert_int_equal(placement.num_events, cases[i].num_events);
		assert_true(placement.multiplexed);
	}
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void make_random_list(uint32_t *random, unsigned num_counters, struct event_list *list)
{
	static const struct event of_dsu = {.name = "x", .event_class = EVENT_DSU};
	unsigned num_items = next_random(random) % 24;
	for (unsigned i = 0; i < num_items; i++) {
		bool is_group = num_counters > 1 && next_random(random) % 2;
		unsigned size = is_group ? 2 + next_random(random) % (num_counters - 1) : 1;
		size_t first = list->num_items;
		struct event_request request = {.event = &letters[i % ARRAY_SIZE(letters)],
						.group = EVENT_UNGROUPED};
		for (unsigned k = 0; k < size; k++)
			assert_no_error(event_list_add(list, &request));
		if (is_group)
			event_list_group(list, first);
		// Another class may stand between, and must not matter.
		request.event = &of_dsu;
		if (next_random(random) % 4 == 0)
			assert_no_error(event_list_add(list, &request));
	}
}

enum { MAX_WINDOWS = 64, MAX_WINDOW = 16 };

/** The same task thought of in windows that are open until the next one is. NULL: padding. */
struct windows {
	const struct event_request *events[MAX_WINDOWS][MAX_WINDOW];
	unsigned used[MAX_WINDOWS];
	unsigned num_windows;
};

static void put(struct windows *windows, const struct event_request *request, unsigned capacity)
{
	if (!windows->num_windows || windows->used[windows->num_windows - 1] == capacity)
		windows->num_windows++;
	unsigned last = windows->num_windows - 1;
	windows->events[last][windows->used[last]++] = request;
}

static size_t find_ungrouped(const struct event_list *list, size_t from)
{
	while (from < list->num_items && (list->items[from].group != EVENT_UNGROUPED ||
					  list->items[from].event->event_class != EVENT_CORE))
		from++;
	return from;
}

static void place_in_windows(const struct event_list *list, unsigned capacity,
			     struct windows *windows)
{
	size_t ungrouped = find_ungrouped(list, 0);
	bool has_groups = list->num_groups[EVENT_CORE] > 0;
	for (int group = 0; group < list->num_groups[EVENT_CORE]; group++) {
		const struct event_request *members[MAX_WINDOW];
		unsigned size = 0;
		for (size_t i = 0; i < list->num_items; i++) {
			if (list->items[i].event->event_class == EVENT_CORE &&
			    list->items[i].group == group)
				members[size++] = &list->items[i];
		}
		unsigned last = windows->num_windows - 1;
		if (!windows->num_windows || capacity - windows->used[last] < size) {
			windows->num_windows++;
			last++;
		}
		for (unsigned i = 0; i < size; i++)
			windows->events[last][windows->used[last]++] = members[i];
		while (windows->used[last] < capacity && ungrouped < list->num_items) {
			windows->events[last][windows->used[last]++] = &list->items[ungrouped];
			ungrouped = find_ungrouped(list, ungrouped + 1);
		}
	}
	// What is left of the last window belongs to padding.
	if (has_groups && ungrouped < list->num_items)
		windows->used[windows->num_windows - 1] = capacity;
	for (; ungrouped < list->num_items; ungrouped = find_ungrouped(list, ungrouped + 1))
		put(windows, &list->items[ungrouped], capacity);
	if (has_groups)
		windows->used[windows->num_windows - 1] = capacity;
}

static void assert_same(const struct placement *placement, const struct windows *windows)
{
	size_t at = 0;
	for (unsigned window = 0; window < windows->num_windows; window++) {
		bool is_last = window + 1 == windows->num_windows;
		unsigned size = is_last ? windows->used[window] : placement->num_counters;
		for (unsigned i = 0; i < size; i++, at++) {
			assert_true(at < placement->num_events);
			assert_ptr_equal(placement->events[at].request, windows->events[window][i]);
		}
	}
	assert_int_equal(at, placement->num_events);
}

static void assert_groups_stand_together(const struct placement *placement)
{
	for (size_t i = 1; i < placement->num_events; i++) {
		const struct event_request *a = placement->events[i - 1].request;
		const struct event_request *b = placement->events[i].request;
		bool is_one = a && b && a->group == b->group && a->group != EVENT_UNGROUPED;
		if (is_one)
			assert_int_equal((i - 1) / placement->num_counters,
					 i / placement->num_counters);
	}
}

static void assert_sound(const struct placement *placement, const struct event_list *list)
{
	bool has_groups = list->num_groups[EVENT_CORE] > 0;
	if (has_groups)
		assert_int_equal(placement->num_events % placement->num_counters, 0);
	_cleanup_free_ unsigned *times = calloc(list->num_items + 1, sizeof(*times));
	const struct event_request *last_ungrouped = NULL;
	for (size_t i = 0; i < placement->num_events; i++) {
		const struct event_request *request = placement->events[i].request;
		if (!request) {
			assert_true(has_groups);
			assert_int_equal(placement->events[i].event->code, 0x1b);
			continue;
		}
		assert_ptr_equal(placement->events[i].event, request->event);
		times[request - list->items]++;
		if (request->group == EVENT_UNGROUPED) {
			assert_true(!last_ungrouped || last_ungrouped < request);
			last_ungrouped = request;
		}
	}
	for (size_t i = 0; i < list->num_items; i++)
		assert_int_equal(times[i], list->items[i].event->event_class == EVENT_CORE);
	assert_groups_stand_together(placement);
}

static void any_list_is_placed_soundly(void **state)
{
	uint32_t random = 20250117;
	for (int run = 0; run < 20000; run++) {
		unsigned num_counters = 1 + next_random(&random) % 12;
		_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
		make_random_list(&random, num_counters, &list);
		_cleanup_(placement_deinit) struct placement placement = PLACEMENT_INIT;
		assert_no_error(placement_create(&list, EVENT_CORE, num_counters, 0, &placement));
		assert_sound(&placement, &list);
		struct windows windows = {0};
		place_in_windows(&list, num_counters, &windows);
		assert_same(&placement, &windows);
	}
}

static void what_the_device_cannot_take_is_refused(void **state)
{
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	make_list("ab cde fgh", &list);
	struct placement placement = PLACEMENT_INIT;
	assert_error(placement_create(&list, EVENT_CORE, 6, 11, &placement), ERROR_USAGE,
		     "error: too many core (including padding) events: 12 > 11");
	assert_error(placement_create(&list, EVENT_CORE, 2, 0, &placement), ERROR_FAILED,
		     "cannot place a group of 3 core events on 2 counters");
	assert_error(placement_create(&list, EVENT_CORE, 0, 0, &placement), ERROR_FAILED,
		     "no free counters for core events");
	assert_null(placement.events);
	assert_no_error(placement_create(&list, EVENT_DSU, 0, 4, &placement));
	assert_int_equal(placement.num_events, 0);
	assert_no_error(placement_create(&list, EVENT_CORE, 6, 12, &placement));
	placement_deinit(&placement);
}

static void padding_is_of_the_class_it_pads(void **state)
{
	static const struct event of_dsu = {.name = "x", .event_class = EVENT_DSU};
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	struct event_request request = {.event = &of_dsu, .group = EVENT_UNGROUPED};
	assert_no_error(event_list_add(&list, &request));
	assert_no_error(event_list_add(&list, &request));
	event_list_group(&list, 0);
	_cleanup_(placement_deinit) struct placement placement = PLACEMENT_INIT;
	assert_no_error(placement_create(&list, EVENT_DSU, 3, 0, &placement));
	assert_int_equal(placement.num_events, 3);
	assert_null(placement.events[2].request);
	assert_string_equal(placement.events[2].event->name, "inst_spec");
	assert_int_equal(placement.events[2].event->code, 0x1b);
	assert_int_equal(placement.events[2].event->event_class, EVENT_DSU);
}

static void notes_name_group_and_metric(void **state)
{
	char long_metric[300];
	memset(long_metric, 'm', sizeof(long_metric) - 1);
	long_metric[sizeof(long_metric) - 1] = '\0';
	struct event_request request = {.event = &letters[0], .group = EVENT_UNGROUPED};
	const struct placed_event placed = {.request = &request, .event = &letters[0]};
	const struct placed_event padding = {.event = &letters[0]};
	char note[PLACEMENT_NOTE_MAX];
	assert_string_equal(placement_note(&padding, note), "p");
	assert_string_equal(placement_note(&placed, note), "e");
	request.metric = "imix";
	assert_string_equal(placement_note(&placed, note), "e,imix");
	request.group = 12;
	assert_string_equal(placement_note(&placed, note), "g12,imix");
	request.metric = NULL;
	assert_string_equal(placement_note(&placed, note), "g12");
	request.metric = long_metric;
	assert_int_equal(strlen(placement_note(&placed, note)), PLACEMENT_NOTE_MAX - 1);
}

int placement_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worked_examples_come_out),
		cmocka_unit_test(many_small_groups_share_windows),
		cmocka_unit_test(any_list_is_placed_soundly),
		cmocka_unit_test(what_the_device_cannot_take_is_refused),
		cmocka_unit_test(padding_is_of_the_class_it_pads),
		cmocka_unit_test(notes_name_group_and_metric),
	};
	return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
