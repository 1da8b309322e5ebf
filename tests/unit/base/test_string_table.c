// SPDX-License-Identifier: Apache-2.0

#include "base/container/string_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"

#include <stdio.h>
#include <string.h>

static uint32_t intern(struct string_table *table, const char *text)
{
	uint32_t id = HASH_TABLE_NONE;
	assert_null(string_table_intern(table, text, &id));
	return id;
}

static void test_equal_strings_have_one_id(void **state)
{
	_cleanup_(string_table_deinit) struct string_table table = STRING_TABLE_INIT;
	assert_int_equal(intern(&table, "main"), 0);
	assert_int_equal(intern(&table, "x_mul"), 1);
	assert_int_equal(intern(&table, "main"), 0);
	assert_int_equal(intern(&table, ""), 2);
	assert_int_equal(intern(&table, "Main"), 3);
	assert_int_equal(intern(&table, ""), 2);
	assert_int_equal(table.num_entries, 4);
	assert_string_equal(string_table_get(&table, 1), "x_mul");
	assert_int_equal(string_table_length(&table, 1), 5);
	assert_string_equal(string_table_get(&table, 2), "");
}

static void test_the_text_is_copied(void **state)
{
	_cleanup_(string_table_deinit) struct string_table table = STRING_TABLE_INIT;
	char text[] = "main";
	uint32_t id = intern(&table, text);
	text[0] = 'x';
	assert_string_equal(string_table_get(&table, id), "main");
	assert_int_equal(intern(&table, text), 1);
}

static void test_strings_are_bytes(void **state)
{
	_cleanup_(string_table_deinit) struct string_table table = STRING_TABLE_INIT;
	uint32_t whole, part, cut, none;
	assert_null(string_table_intern_n(&table, "a\0b", 3, &whole));
	assert_null(string_table_intern_n(&table, "a\0c", 2, &part));
	assert_null(string_table_intern_n(&table, "abc", 1, &cut));
	assert_null(string_table_intern_n(&table, NULL, 0, &none));
	assert_int_equal(table.num_entries, 4);
	assert_int_equal(string_table_length(&table, whole), 3);
	assert_memory_equal(string_table_get(&table, whole), "a\0b", 4);
	assert_int_equal(string_table_length(&table, part), 2);
	assert_string_equal(string_table_get(&table, cut), "a");
	assert_int_equal(intern(&table, "a"), cut);
	assert_int_equal(intern(&table, ""), none);
}

static void test_find_adds_nothing(void **state)
{
	_cleanup_(string_table_deinit) struct string_table table = STRING_TABLE_INIT;
	assert_int_equal(string_table_find(&table, "main"), HASH_TABLE_NONE);
	uint32_t id = intern(&table, "main");
	assert_int_equal(string_table_find(&table, "main"), id);
	assert_int_equal(string_table_find(&table, "mai"), HASH_TABLE_NONE);
	assert_int_equal(table.num_entries, 1);
}

static void test_ids_and_places_are_stable(void **state)
{
	enum { NUM_STRINGS = 50000 };
	static const char *places[NUM_STRINGS];
	_cleanup_(string_table_deinit) struct string_table table = STRING_TABLE_INIT;
	char text[32];
	for (uint32_t i = 0; i < NUM_STRINGS; i++) {
		snprintf(text, sizeof(text), "function_%u", i);
		assert_int_equal(intern(&table, text), i);
		places[i] = string_table_get(&table, i);
		// An old string again, now and then.
		snprintf(text, sizeof(text), "function_%u", i / 2);
		assert_int_equal(intern(&table, text), i / 2);
	}
	for (uint32_t i = 0; i < NUM_STRINGS; i++) {
		snprintf(text, sizeof(text), "function_%u", i);
		assert_ptr_equal(string_table_get(&table, i), places[i]);
		assert_string_equal(places[i], text);
		assert_int_equal(string_table_find(&table, text), i);
	}
	assert_int_equal(table.num_entries, NUM_STRINGS);
}

static void test_a_text_is_replaced(void **state)
{
	_cleanup_(string_table_deinit) struct string_table table = STRING_TABLE_INIT;
	uint32_t old = intern(&table, "old"), other = intern(&table, "other");
	assert_no_error(string_table_replace(&table, old, "new"));
	assert_string_equal(string_table_get(&table, old), "new");
	assert_int_equal(string_table_find(&table, "new"), old);
	assert_int_equal(string_table_find(&table, "old"), HASH_TABLE_NONE);
	assert_no_error(string_table_replace(&table, old, "other"));
	assert_string_equal(string_table_get(&table, old), "other");
	assert_int_equal(string_table_find(&table, "other"), other);
}

static void test_deinit_twice(void **state)
{
	struct string_table table = STRING_TABLE_INIT;
	intern(&table, "main");
	string_table_deinit(&table);
	string_table_deinit(&table);
	assert_int_equal(intern(&table, "other"), 0);
	string_table_deinit(&table);
}

int string_table_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_strings_have_one_id),
		cmocka_unit_test(test_the_text_is_copied),
		cmocka_unit_test(test_strings_are_bytes),
		cmocka_unit_test(test_find_adds_nothing),
		cmocka_unit_test(test_ids_and_places_are_stable),
		cmocka_unit_test(test_a_text_is_replaced),
		cmocka_unit_test(test_deinit_twice),
	};
	return cmocka_run_group_tests_name("string_table", tests, NULL, NULL);
}
