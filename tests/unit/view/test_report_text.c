// SPDX-License-Identifier: Apache-2.0

#include "view/text/report_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/capture.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/profile_total.h"

// main calls parse (60 and, within it, 30 of copy) and copy (10).
static void init_profile(struct named_profile *profile)
{
	assert_no_error(named_profile_init(profile));
	fixture_thread(profile, 7, 8, "worker", "app");
	fixture_event(profile, "cycles");
	uint32_t app = fixture_module(profile, "app");
	uint32_t main_frame =
		fixture_frame(profile, fixture_function(profile, "main", app), 11, 16);
	uint32_t parse = fixture_frame(profile, fixture_function(profile, "parse", app), 12, 32);
	uint32_t copy = fixture_frame(
		profile, fixture_function(profile, "copy", fixture_module(profile, "libc.so.6")), 0,
		48);
	fixture_sample(profile, (uint32_t[]){parse, main_frame}, 2, 60);
	fixture_sample(profile, (uint32_t[]){copy, parse, main_frame}, 3, 30);
	fixture_sample(profile, (uint32_t[]){copy, main_frame}, 2, 10);
}

static char *print_hot(const struct named_profile *profile, enum hot_key key, size_t max_rows)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	assert_no_error(hot_list_create(profile, key, HOT_BY_SELF, NULL, &list));
	FILE *stream = capture_begin();
	assert_no_error(report_text_print_hot(profile, &list, NULL, 0, max_rows, TABLE_LAYOUT_WIDE,
					      stream));
	return capture_end(stream);
}

static void assert_hot(const struct named_profile *profile, enum hot_key key, size_t max_rows,
		       const char *expected)
{
	_cleanup_free_ char *text = print_hot(profile, key, max_rows);
	assert_string_equal(text, expected);
}

static void test_hot_tables(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	init_profile(&profile);
	assert_hot(&profile, HOT_FUNCTION, 0,
		   "        self %  total %  samples  module     symbol\n"
		   "        ======  =======  =======  ======     ======\n"
		   "         60.00    90.00        1  app        parse\n"
		   "         40.00    40.00        2  libc.so.6  copy\n"
		   "          0.00   100.00        0  app        main\n");
	assert_hot(&profile, HOT_LINE, 1,
		   "        self %  total %  samples  module  symbol  place\n"
		   "        ======  =======  =======  ======  ======  =====\n"
		   "         60.00    90.00        1  app     parse   app.c:12\n"
		   "      ... and 2 more\n");
	assert_hot(&profile, HOT_ADDRESS, 1,
		   "        self %  total %  samples  module  symbol  place\n"
		   "        ======  =======  =======  ======  ======  =====\n"
		   "         60.00    90.00        1  app     parse   app+0x20\n"
		   "      ... and 2 more\n");
	assert_hot(&profile, HOT_MODULE, 0,
		   "        self %  total %  samples  module\n"
		   "        ======  =======  =======  ======\n"
		   "         60.00   100.00        1  app\n"
		   "         40.00    40.00        2  libc.so.6\n");
	assert_hot(&profile, HOT_THREAD, 0,
		   "        self %  samples  tid  thread\n"
		   "        ======  =======  ===  ======\n"
		   "        100.00        3    8  worker\n");
	assert_hot(&profile, HOT_PROCESS, 0,
		   "        self %  samples  process\n"
		   "        ======  =======  =======\n"
		   "        100.00        3  app\n");
	assert_hot(&profile, HOT_CPU, 0,
		   "        self %  samples  cpu\n"
		   "        ======  =======  ===\n"
		   "        100.00        3  cpu 0\n");
}

static void assert_tree(const struct named_profile *profile, struct call_tree_request request,
			const char *expected)
{
	_cleanup_(call_tree_deinit) struct call_tree tree = CALL_TREE_INIT;
	assert_no_error(call_tree_create(profile, &request, &tree));
	FILE *stream = capture_begin();
	report_text_print_tree(profile, &tree, stream);
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, expected);
}

static void test_trees(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	init_profile(&profile);
	assert_tree(&profile, (struct call_tree_request){.shape = CALL_TREE_TOP_DOWN},
		    "total %  self %\n"
		    "=======  ======\n"
		    "100.00%   0.00%  all\n"
		    "100.00%   0.00%  └─main [app]\n"
		    " 90.00%  60.00%    ├─parse [app]\n"
		    " 30.00%  30.00%    │ └─copy [libc.so.6]\n"
		    " 10.00%  10.00%    └─copy [libc.so.6]\n");
	assert_tree(&profile, (struct call_tree_request){.shape = CALL_TREE_CALLERS, .function = 2},
		    "total %  self %\n"
		    "=======  ======\n"
		    " 40.00%   0.00%  copy [libc.so.6]\n"
		    " 30.00%   0.00%  ├─parse [app]\n"
		    " 30.00%  30.00%  │ └─main [app]\n"
		    " 10.00%  10.00%  └─main [app]\n");
	assert_tree(&profile,
		    (struct call_tree_request){
			    .shape = CALL_TREE_CALLEES, .function = 0, .min_percent = 20},
		    "total %  self %\n"
		    "=======  ======\n"
		    "100.00%   0.00%  main [app]  (10.00% below not shown)\n"
		    " 90.00%  60.00%  └─parse [app]\n"
		    " 30.00%  30.00%    └─copy [libc.so.6]\n");
}

static void test_the_header_says_what_was_lost(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	init_profile(&profile);
	profile.num_lost = 1234;
	FILE *stream = capture_begin();
	report_text_print_header(&profile, 0, profile_total(&profile, 0), stream);
	profile.num_lost = 0;
	report_text_print_header(&profile, NAMED_NONE, profile_total(&profile, NAMED_NONE), stream);
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, "event cycles (every 1,000), 3 samples, 100 events, "
				  "1,234 records LOST\n"
				  "3 samples, 100 events\n");
}

static void test_diff(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile before;
	_cleanup_(named_profile_deinit) struct named_profile after;
	init_profile(&before);
	init_profile(&after);
	fixture_sample(&after, (uint32_t[]){2}, 1, 100);
	_cleanup_(hot_list_deinit) struct hot_list old = HOT_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list new = HOT_LIST_INIT;
	assert_no_error(hot_list_create(&before, HOT_FUNCTION, HOT_BY_SELF, NULL, &old));
	assert_no_error(hot_list_create(&after, HOT_FUNCTION, HOT_BY_SELF, NULL, &new));
	_cleanup_(profile_diff_deinit) struct profile_diff diff = PROFILE_DIFF_INIT;
	assert_no_error(profile_diff_create(
		&(struct profile_diff_side){&before, &old, false, false},
		&(struct profile_diff_side){&after, &new, false, false}, &diff));
	FILE *stream = capture_begin();
	assert_no_error(report_text_print_diff(&diff, 2, TABLE_LAYOUT_WIDE, stream));
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, "        delta %   within (95 %)  before %  after %  delta total "
				  "%  module     symbol\n"
				  "        =======   =============  ========  =======  "
				  "=============  ======     ======\n"
				  "         -30.00  -69.5 to +30.9     60.00    30.00         "
				  "-45.00  app        parse\n"
				  "         +30.00  -30.9 to +69.5     40.00    70.00         "
				  "+30.00  libc.so.6  copy\n"
				  "      ... and 1 more\n");
	diff.before.is_measured = diff.after.is_measured = true;
	stream = capture_begin();
	assert_no_error(report_text_print_diff(&diff, 1, TABLE_LAYOUT_WIDE, stream));
	_cleanup_free_ char *measured = capture_end(stream);
	assert_non_null(strstr(measured, " -30.00       measured     60.00 "));
}

int report_text_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hot_tables),
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_the_header_says_what_was_lost),
		cmocka_unit_test(test_diff),
	};
	return cmocka_run_group_tests_name("report_text", tests, NULL, NULL);
}
