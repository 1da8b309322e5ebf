// SPDX-License-Identifier: Apache-2.0

#include "assert_error.h"
#include "base/container/array.h"
#include "server/page/page_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NOW (1772368200 * (uint64_t)STORE_SECOND_NS) /* 2026-03-01T12:30 */

static const char *label(const struct page_choice *choice, const char *key)
{
	const struct store_query *query = &choice->words.query;
	for (size_t i = 0; i < query->num_labels; i++)
		if (strcmp(query->labels[i].key, key) == 0)
			return query->labels[i].value;
	return NULL;
}

static void read_both(const struct server_argument *arguments, size_t num, struct arena *arena,
		      struct page_choice *first, struct page_choice *other)
{
	const struct server_call call = {.arguments = arguments, .num_arguments = num};
	struct error *wrong;
	assert_null(page_choice_read(&call, NULL, NOW, arena, first, &wrong));
	assert_null(wrong);
	assert_null(page_choice_read(&call, first, NOW, arena, other, &wrong));
	assert_null(wrong);
}

static void test_the_second_choice_has_what_the_first_has(void **state)
{
	const struct server_argument arguments[] = {
		{"service", "shop"}, {"event", "cycles"},    {"since", "2h"},
		{"host", "web-1"},   {"label", "version=1"}, {"until", "1h"},
	};
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	struct page_choice first = PAGE_CHOICE_INIT, other = PAGE_CHOICE_INIT;
	read_both(arguments, ARRAY_SIZE(arguments), &arena, &first, &other);
	const struct page_choice *const both[] = {&first, &other};
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(both[i]->words.query.service, "shop");
		assert_string_equal(both[i]->words.query.event, "cycles");
		assert_string_equal(label(both[i], "host.name"), "web-1");
		assert_string_equal(label(both[i], "version"), "1");
		assert_int_equal(both[i]->range.from_ns, NOW - 2 * STORE_HOUR_NS);
		assert_int_equal(both[i]->range.until_ns, NOW - STORE_HOUR_NS);
		assert_string_equal(both[i]->since, "2h");
	}
	page_choice_deinit(&first);
	page_choice_deinit(&other);
}

static void test_rows_of_the_map_are_of_one_choice(void **state)
{
	const struct server_argument arguments[] = {
		{"service", "shop"}, {"rows", "host"}, {"other-since", "3h"}};
	const struct server_argument others[] = {
		{"service", "shop"}, {"rows", "nosuch"}, {"other-rows", "host"}};
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	struct page_choice first = PAGE_CHOICE_INIT, other = PAGE_CHOICE_INIT;
	read_both(arguments, ARRAY_SIZE(arguments), &arena, &first, &other);
	assert_true(first.is_by_host && !other.is_by_host);
	page_choice_deinit(&first);
	page_choice_deinit(&other);
	first = other = (struct page_choice)PAGE_CHOICE_INIT;
	read_both(others, ARRAY_SIZE(others), &arena, &first, &other);
	assert_true(!first.is_by_host && other.is_by_host);
	page_choice_deinit(&first);
	page_choice_deinit(&other);
}

static void test_the_second_choice_may_differ(void **state)
{
	const struct server_argument arguments[] = {
		{"service", "shop"},       {"since", "2h"},     {"label", "version=1"},
		{"other-service", "mail"}, {"other-label", ""}, {"other-until", "3h"},
	};
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	struct page_choice first = PAGE_CHOICE_INIT, other = PAGE_CHOICE_INIT;
	read_both(arguments, ARRAY_SIZE(arguments), &arena, &first, &other);
	assert_string_equal(first.words.query.service, "shop");
	assert_string_equal(other.words.query.service, "mail");
	assert_string_equal(label(&first, "version"), "1");
	assert_int_equal(other.words.query.num_labels, 0);
	assert_null(other.since); // since and until go together
	assert_int_equal(other.range.until_ns, NOW - 3 * STORE_HOUR_NS);
	page_choice_deinit(&first);
	page_choice_deinit(&other);
}

static void assert_wrong(const char *key, const char *value, const char *words)
{
	const struct server_argument argument = {key, value};
	const struct server_call call = {.arguments = &argument, .num_arguments = 1};
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	struct page_choice choice = PAGE_CHOICE_INIT;
	struct error *wrong = NULL;
	assert_null(page_choice_read(&call, NULL, NOW, &arena, &choice, &wrong));
	assert_error(wrong, ERROR_USAGE, words);
	page_choice_deinit(&choice);
}

static void test_mistakes_are_said(void **state)
{
	assert_wrong("since", "yesterday", "argument 'since': not understood: 'yesterday'");
	assert_wrong("label", "version", "argument 'label': not understood: 'version'");
	assert_wrong("until", "0", "the end of the range, '0', is not after its begin");
	assert_wrong("sevrice", "shop", "unknown argument 'sevrice'");
}

int page_choice_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_second_choice_has_what_the_first_has),
		cmocka_unit_test(test_rows_of_the_map_are_of_one_choice),
		cmocka_unit_test(test_the_second_choice_may_differ),
		cmocka_unit_test(test_mistakes_are_said),
	};
	return cmocka_run_group_tests_name("page_choice", tests, NULL, NULL);
}
