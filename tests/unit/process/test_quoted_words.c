// SPDX-License-Identifier: Apache-2.0

#include "process/quoted_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "tests/unit/assert_error.h"

enum { MAX_WORDS = 16, MAX_LENGTH = 200 };

/** What the documentation of CommandLineToArgvW() says that it does. */
struct parsed {
	char words[MAX_WORDS][MAX_LENGTH];
	size_t num_words;
};

static const char *skip_blanks(const char *line)
{
	return line + strspn(line, " \t");
}

static const char *parse_first(const char *line, char *word)
{
	bool is_quoted = *line == '"';
	line += is_quoted;
	size_t length = strcspn(line, is_quoted ? "\"" : " \t");
	memcpy(word, line, length);
	return line + length + (is_quoted && line[length]);
}

// 2n backslashes and a quote: n backslashes, and the quote begins or ends quoting; 2n + 1: n
// backslashes and a quote; backslashes without a quote are themselves.
static const char *parse_other(const char *line, char *word)
{
	bool is_quoted = false;
	while (*line && (is_quoted || !strchr(" \t", *line))) {
		size_t num = strspn(line, "\\");
		line += num;
		bool is_before_quote = *line == '"';
		size_t kept = is_before_quote ? num / 2 : num;
		memset(word, '\\', kept);
		word += kept;
		if (is_before_quote && num % 2)
			*word++ = '"';
		else if (is_before_quote)
			is_quoted = !is_quoted;
		else if (!num)
			*word++ = *line;
		line += is_before_quote || !num;
	}
	return line;
}

static void parse(const char *line, struct parsed *ret)
{
	memset(ret, 0, sizeof(*ret));
	line = parse_first(line, ret->words[ret->num_words++]);
	for (line = skip_blanks(line); *line; line = skip_blanks(line))
		line = parse_other(line, ret->words[ret->num_words++]);
}

static void assert_comes_back(char *const *words)
{
	static struct parsed parsed;
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	assert_no_error(quoted_words_join(words, &line));
	parse(string_builder_peek(&line), &parsed);
	size_t num = 0;
	for (; words[num]; num++)
		assert_string_equal(parsed.words[num], words[num]);
	assert_int_equal(parsed.num_words, num);
}

static void they_are_written_as_simply_as_can_be(void **state)
{
	static const struct {
		const char *words[4];
		const char *line;
	} rows[] = {
		{{"a", "b", "c:\\d\\"}, "\"a\" b c:\\d\\"},
		{{"C:\\Program Files\\x", ""}, "\"C:\\Program Files\\x\" \"\""},
		{{"a", "b c\\", "\""}, "\"a\" \"b c\\\\\" \"\\\"\""},
		{{"a", "b\\\"c"}, "\"a\" \"b\\\\\\\"c\""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
		assert_no_error(quoted_words_join((char *const *)rows[i].words, &line));
		assert_string_equal(string_builder_peek(&line), rows[i].line);
		assert_comes_back((char *const *)rows[i].words);
	}
}

static void any_words_come_back(void **state)
{
	static const char letters[] = "\\\\\\\"\" \tab%&^";
	srand(1);
	for (int round = 0; round < 20000; round++) {
		char texts[4][10] = {"C:\\a b\\c\\"};
		char *words[5] = {texts[0]};
		size_t num = 1 + (size_t)rand() % 4;
		for (size_t i = 1; i < num; i++) {
			size_t length = (size_t)rand() % (sizeof(texts[i]) - 1);
			memset(texts[i], 0, sizeof(texts[i]));
			for (size_t k = 0; k < length; k++)
				texts[i][k] = letters[(size_t)rand() % (sizeof(letters) - 1)];
			words[i] = texts[i];
		}
		assert_comes_back(words);
	}
}

static void a_program_has_no_quote_in_its_name(void **state)
{
	char *words[] = {(char *)"a\"b", NULL};
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	struct error *err = quoted_words_join(words, &line);
	assert_non_null(err);
	assert_int_equal(err->code, ERROR_USAGE);
	error_destroy(err);
}

static void batch_files_get_only_what_is_safe(void **state)
{
	char *words[] = {(char *)"x", (char *)"a&b", (char *)"c d\\", NULL};
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	assert_no_error(quoted_words_join_batch("C:\\s\\cmd.exe", "C:\\x y.bat", words, &line));
	assert_string_equal(string_builder_peek(&line), "\"C:\\s\\cmd.exe\" /d /e:on /v:off /s /c "
							"\"\"C:\\x y.bat\" \"a&b\" \"c d\\\"\"");
	static const char *const refused[] = {"a\"b", "%PATH%", "a\nb", "a\rb"};
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		words[1] = (char *)refused[i];
		struct error *err = quoted_words_join_batch("cmd.exe", "x.bat", words, &line);
		assert_non_null(err);
		assert_non_null(err->hint);
		error_destroy(err);
	}
}

int quoted_words_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_written_as_simply_as_can_be),
		cmocka_unit_test(any_words_come_back),
		cmocka_unit_test(a_program_has_no_quote_in_its_name),
		cmocka_unit_test(batch_files_get_only_what_is_safe),
	};
	return cmocka_run_group_tests_name("quoted_words", tests, NULL, NULL);
}
