// SPDX-License-Identifier: Apache-2.0
// What needs no server; tests/pdb/symbol_server.py has one.

#include "object/fetch/symbol_server.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

// Nobody listens there.
static const char nobody[] = "http://127.0.0.1:9";
static const struct http_limits limits = {.max_bytes = 1000, .total_ms = 5000, .silence_ms = 5000};
static const struct pe_pdb_id id = {
	.guid = {0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 8, 9, 10, 11, 12, 13, 14, 15},
	.age = 0x1a,
};

static void test_the_place_of_a_pdb(void **state)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	symbol_server_append_place(&text, "a.pdb", &id);
	assert_string_equal(string_builder_peek(&text),
			    "a.pdb/001122334455667708090A0B0C0D0E0F1A/a.pdb");
}

static void test_names_that_are_none(void **state)
{
	static const char *const names[] = {"",    "..",   ".pdb", "a/b.pdb", "a\\b.pdb",
					    "a:b", "a\nb", "a*",   "\x7f",    "a?",
					    "\"",  "a|b",  "<"};
	_cleanup_(symbol_server_deinit) struct symbol_server server;
	symbol_server_init(&server, nobody, "/nonexistent/folder", &limits);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *path = NULL;
		assert_no_error(symbol_server_fetch(&server, names[i], &id, &path));
		assert_null(path);
	}
	char long_name[300];
	memset(long_name, 'a', sizeof(long_name));
	long_name[sizeof(long_name) - 1] = '\0';
	char *path = NULL;
	assert_no_error(symbol_server_fetch(&server, long_name, &id, &path));
	assert_null(path);
	assert_int_equal(server.asked.num_entries, 0);
	assert_string_equal(string_builder_peek(&server.notes), "");
}

static void test_who_is_silent_is_not_asked_again(void **state)
{
	char folder[] = "/tmp/test_symbol_server.XXXXXX";
	assert_non_null(mkdtemp(folder));
	_cleanup_(symbol_server_deinit) struct symbol_server server;
	symbol_server_init(&server, nobody, folder, &limits);
	char *path = NULL;
	assert_no_error(symbol_server_fetch(&server, "a.pdb", &id, &path));
	assert_null(path);
	assert_true(server.is_silent);
	const char *notes = string_builder_peek(&server.notes);
	static const char begin[] =
		"note: symbol server http://127.0.0.1:9 is not used any more in this run: ";
	assert_memory_equal(notes, begin, sizeof(begin) - 1);
	size_t length = server.notes.length;
	assert_no_error(symbol_server_fetch(&server, "b.pdb", &id, &path));
	assert_null(path);
	assert_int_equal(server.notes.length, length);
	assert_int_equal(server.asked.num_entries, 1);
	char command[100];
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

int symbol_server_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_place_of_a_pdb),
		cmocka_unit_test(test_names_that_are_none),
		cmocka_unit_test(test_who_is_silent_is_not_asked_again),
	};
	return cmocka_run_group_tests_name("symbol_server", tests, NULL, NULL);
}
