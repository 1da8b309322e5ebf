// SPDX-License-Identifier: Apache-2.0

#include "view/text/annotate_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include "tests/unit/assert_error.h"
#include "tests/unit/capture.h"

#include <string.h>

static const char program[] = "one\ntwo\nthree\nint f(void)\n{\n\tx\t= 1;\n\ty\x1b = 2;\n}\n"
			      "nine\nten\n\n12\n13\n14\n15\n";

static struct annotate_look look(FILE *stream)
{
	return (struct annotate_look){.stream = stream, .whole = {100, 1000}};
}

static struct named_total total(uint64_t count)
{
	return (struct named_total){count, 10 * count};
}

static void assert_source(const struct annotate_look *given, const struct annotate_source *source,
			  const char *expected)
{
	FILE *stream = capture_begin();
	struct annotate_look with_stream = *given;
	with_stream.stream = stream;
	annotate_text_print_source(&with_stream, source);
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, expected);
}

static void test_lines_far_from_samples_are_folded(void **state)
{
	_cleanup_(text_lines_deinit) struct text_lines lines = TEXT_LINES_INIT;
	assert_no_error(text_lines_init(&lines, program, strlen(program)));
	static const struct annotate_line hits[] = {
		{.line = 6, .self = {5, 50}, .inlined = {0, 0}},
		{.line = 7, .self = {95, 950}, .inlined = {0, 0}}};
	const struct annotate_source source = {.path = "/src/f.c",
					       .text = &lines,
					       .first_line = 1,
					       .lines = hits,
					       .num_lines = ARRAY_SIZE(hits)};
	struct annotate_look plain = look(NULL);
	assert_source(&plain, &source,
		      "/src/f.c\n"
		      "    self %  samples   line\n"
		      "                         1  one\n"
		      "                       ...\n"
		      "                         3  three\n"
		      "                         4  int f(void)\n"
		      "                         5  {\n"
		      "      5.00        5      6          x       = 1;\n"
		      "     95.00       95      7          y\\x1b = 2;\n"
		      "                         8  }\n"
		      "                         9  nine\n"
		      "                        10  ten\n"
		      "                       ...\n");
}

static void test_whole_files(void **state)
{
	_cleanup_(text_lines_deinit) struct text_lines lines = TEXT_LINES_INIT;
	assert_no_error(text_lines_init(&lines, "a\nb\nc\nd\ne\nf\ng", 13));
	static const struct annotate_line hits[] = {
		{.line = 7, .self = {1, 10}, .inlined = {2, 20}}};
	const struct annotate_source source = {
		.path = "f.c", .text = &lines, .lines = hits, .num_lines = 1};
	struct annotate_look whole = look(NULL);
	whole.is_unfolded = true;
	whole.has_inlined = true;
	assert_source(&whole, &source,
		      "f.c\n"
		      "    self % inlined %  samples   line\n"
		      "                                   1  a\n"
		      "                                   2  b\n"
		      "                                   3  c\n"
		      "                                   4  d\n"
		      "                                   5  e\n"
		      "                                   6  f\n"
		      "      1.00      2.00        1      7  g\n");
}

/** What cannot be read is said; lines that are not known, and lines behind the end, are there. */
static void test_lines_without_text(void **state)
{
	static const struct annotate_line hits[] = {
		{.line = 0, .self = {1, 10}, .inlined = {0, 0}},
		{.line = 3, .self = {2, 20}, .inlined = {0, 0}},
		{.line = 9, .self = {3, 30}, .inlined = {0, 0}}};
	struct annotate_source source = {.path = "gone.c",
					 .refusal = "cannot open 'gone.c'",
					 .lines = hits,
					 .num_lines = ARRAY_SIZE(hits)};
	struct annotate_look plain = look(NULL);
	assert_source(&plain, &source,
		      "gone.c  (source not shown: cannot open 'gone.c')\n"
		      "    self %  samples   line\n"
		      "      1.00        1      ?\n"
		      "      2.00        2      3\n"
		      "      3.00        3      9\n");
	_cleanup_(text_lines_deinit) struct text_lines lines = TEXT_LINES_INIT;
	assert_no_error(text_lines_init(&lines, "a\nb\nc\n", 6));
	source.text = &lines;
	source.refusal = NULL;
	assert_source(&plain, &source,
		      "gone.c\n"
		      "    self %  samples   line\n"
		      "      1.00        1      ?\n"
		      "                         1  a\n"
		      "                         2  b\n"
		      "      2.00        2      3  c\n"
		      "      3.00        3      9\n");
	source = (struct annotate_source){.path = "", .lines = hits, .num_lines = 1};
	assert_source(&plain, &source,
		      "source file not known\n"
		      "    self %  samples   line\n"
		      "      1.00        1      ?\n");
}

static void assert_function(struct named_total self, struct named_total code, const char *module,
			    const char *expected)
{
	FILE *stream = capture_begin();
	struct annotate_look plain = look(stream);
	annotate_text_print_function(&plain, "f\n()", module, self, code, total(1000));
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, expected);
}

static void test_heads(void **state)
{
	assert_function(total(100), total(100), "app",
			"f\\x0a()  [app]  self 10.00 %, 100 samples\n");
	assert_function(total(1), total(500), "",
			"f\\x0a()  self 0.10 %, 1 sample, with inlined calls 50.00 %, 500\n");
}

static void test_instructions(void **state)
{
	static const struct text_line line = {"\twork();", 8};
	const struct annotate_instruction instructions[] = {
		{.address = 0x10, .text = "push\trbp"},
		{.address = 0x11, .text = "nop"},
		{.address = 0x12, .text = "nop"},
		{.address = 0x13,
		 .text = "mov\teax, 1",
		 .file = "/a/f.c",
		 .line = 7,
		 .source = line},
		{.address = 0x14,
		 .text = "div\tecx",
		 .file = "/a/f.c",
		 .line = 7,
		 .source = line,
		 .is_target = true,
		 .total = total(95)},
		{.address = 0x16, .text = "jne\t0x14", .file = "/a/f.h", .line = 8},
	};
	const struct annotate_code code = {"f", instructions, ARRAY_SIZE(instructions)};
	FILE *stream = capture_begin();
	struct annotate_look plain = look(stream);
	annotate_text_print_code(&plain, &code);
	annotate_text_print_refusal(&plain, "no such file", NULL);
	annotate_text_print_refusal(&plain, "no library", "install one");
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, "instructions of f\n"
				  "    self %  samples      address\n"
				  "                       ...\n"
				  "                              12  nop\n"
				  "                     f.c:7          work();\n"
				  "                              13  mov     eax, 1\n"
				  "     95.00       95  ->       14  div     ecx\n"
				  "                     f.h:8\n"
				  "                              16  jne     0x14\n"
				  "cannot show instructions: no such file\n"
				  "cannot show instructions: no library; install one\n");
}

static void test_colours_end(void **state)
{
	static const struct annotate_line hits[] = {
		{.line = 1, .self = {5, 50}, .inlined = {0, 0}},
		{.line = 2, .self = {95, 950}, .inlined = {0, 0}}};
	const struct annotate_source source = {.path = "f.c", .lines = hits, .num_lines = 2};
	struct annotate_look coloured = look(NULL);
	coloured.style.color = true;
	assert_source(&coloured, &source,
		      "\033[36mf.c\033[0m\n"
		      "\033[2m    self %  samples   line\033[0m\n"
		      "\033[33m      5.00\033[0m        5      1\n"
		      "\033[31m     95.00\033[0m       95      2\n");
}

int annotate_text_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_far_from_samples_are_folded),
		cmocka_unit_test(test_whole_files),
		cmocka_unit_test(test_lines_without_text),
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_colours_end),
	};
	return cmocka_run_group_tests_name("annotate_text", tests, NULL, NULL);
}
