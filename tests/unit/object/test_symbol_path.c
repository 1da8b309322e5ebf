// SPDX-License-Identifier: Apache-2.0

#include "object/fetch/symbol_path.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** The places in one line: folders, and servers as URL>FOLDER. */
static void assert_places(const struct symbol_path *path, const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	for (size_t i = 0; i < path->num_places; i++) {
		const struct symbol_place *place = &path->places[i];
		string_builder_append(&text, i ? " " : "");
		if (place->server)
			string_builder_appendf(&text, "%s>%s", place->server->url,
					       place->server->folder);
		else
			string_builder_append(&text, place->folder);
	}
	assert_string_equal(string_builder_peek(&text), expected);
}

static void assert_notes(struct symbol_path *path, const char *expected)
{
	_cleanup_free_ char *notes = NULL;
	assert_no_error(symbol_path_take_notes(path, &notes));
	assert_string_equal(notes, expected);
}

static int set_up(void **state)
{
	unsetenv("_NT_SYMBOL_PATH");
	unsetenv("WPERF_SYMBOL_TIMEOUT");
	setenv("XDG_CACHE_HOME", "/k", 1);
	return 0;
}

static void test_places(void **state)
{
	static const struct {
		const char *words, *places;
	} cases[] = {
		{"", ""},
		{";;", ""},
		{"/a", "/a"},
		{"/a;b.pdb;C:\\sym", "/a b.pdb C:\\sym"},
		{"srv*/a*/b", "/a /b"},
		{"srv*/a*http://h/p", "/a http://h/p>/a"},
		{"SRV*/a*/b*https://h/p//", "/a /b https://h/p>/a"},
		{"srv*/a*http://h*http://i", "/a http://h>/a http://i>/a"},
		{"symsrv*symsrv.dll*/a*http://h", "/a http://h>/a"},
		{"srv*http://h", "/k/wperf/symbols http://h>/k/wperf/symbols"},
		{"srv**http://h", "/k/wperf/symbols http://h>/k/wperf/symbols"},
		{"cache*/c;srv*http://h;/a", "/c /c http://h>/c /a"},
		{"cache*/c;srv*/a*http://h", "/c /a http://h>/a"},
		{"cache*;/a", "/k/wperf/symbols /a"},
		{"srv*/a*http://h;srv*/b*http://h/", "/a http://h>/a /b"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(symbol_path_destroyp) struct symbol_path *path = NULL;
		assert_no_error(symbol_path_create(cases[i].words, &path));
		assert_places(path, cases[i].places);
		assert_notes(path, "");
	}
}

static void test_the_variable_comes_second(void **state)
{
	setenv("_NT_SYMBOL_PATH", "/v;srv*http://h", 1);
	_cleanup_(symbol_path_destroyp) struct symbol_path *path = NULL;
	assert_no_error(symbol_path_create("cache*/c;/w", &path));
	assert_places(path, "/c /w /v /k/wperf/symbols http://h>/k/wperf/symbols");
	_cleanup_(symbol_path_destroyp) struct symbol_path *alone = NULL;
	assert_no_error(symbol_path_create(NULL, &alone));
	assert_places(alone, "/v /k/wperf/symbols http://h>/k/wperf/symbols");
}

static void test_what_is_passed_over(void **state)
{
	static const struct {
		const char *words, *notes;
	} cases[] = {
		{"http://h/p", "note: 'http://h/p' in the symbol path is ignored: write a "
			       "server as srv*FOLDER*URL\n"},
		{"srv*/a*ftp://h", "note: 'ftp://h' in the symbol path is ignored: a server "
				   "address begins with http:// or https://\n"},
		{"srv*/a*http://h/a b", "note: 'http://h/a b' in the symbol path is ignored: "
					"a server address begins with http:// or https://\n"},
		{"sv*/a", "note: 'sv' in the symbol path is ignored: only srv, symsrv and cache "
			  "can stand before '*'\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(symbol_path_destroyp) struct symbol_path *path = NULL;
		assert_no_error(symbol_path_create(cases[i].words, &path));
		assert_notes(path, cases[i].notes);
		assert_notes(path, "");
	}
}

static void test_nowhere_to_keep_what_comes(void **state)
{
	setenv("XDG_CACHE_HOME", "relative", 1);
	_cleanup_free_ char *home = strdup(getenv("HOME") ? getenv("HOME") : "");
	unsetenv("HOME");
	_cleanup_(symbol_path_destroyp) struct symbol_path *path = NULL;
	assert_no_error(symbol_path_create("srv*http://h", &path));
	assert_places(path, "");
	assert_notes(path, "note: 'http://h' in the symbol path is ignored: no folder to store "
			   "downloads; write srv*FOLDER*URL\n");
	setenv("HOME", home, 1);
}

static void test_the_time_is_said(void **state)
{
	static const char *const wrong[] = {"0", "-1", "soon", "86401", "1.5"};
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		setenv("WPERF_SYMBOL_TIMEOUT", wrong[i], 1);
		struct symbol_path *path = NULL;
		_cleanup_(error_destroyp) struct error *err = symbol_path_create(NULL, &path);
		assert_non_null(err);
		assert_int_equal(err->code, ERROR_USAGE);
		assert_null(path);
	}
	setenv("WPERF_SYMBOL_TIMEOUT", "7", 1);
	_cleanup_(symbol_path_destroyp) struct symbol_path *path = NULL;
	assert_no_error(symbol_path_create(NULL, &path));
	assert_int_equal(path->limits.total_ms, 7000);
	assert_int_equal(path->limits.silence_ms, 7000);
}

int symbol_path_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_places, set_up),
		cmocka_unit_test_setup(test_the_variable_comes_second, set_up),
		cmocka_unit_test_setup(test_what_is_passed_over, set_up),
		cmocka_unit_test_setup(test_nowhere_to_keep_what_comes, set_up),
		cmocka_unit_test_setup(test_the_time_is_said, set_up),
	};
	return cmocka_run_group_tests_name("symbol_path", tests, NULL, NULL);
}
