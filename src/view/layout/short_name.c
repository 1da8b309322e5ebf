// SPDX-License-Identifier: Apache-2.0

#include "view/layout/short_name.h"

#include "base/cleanup.h"
#include "base/text/string_builder.h"
#include "view/layout/safe_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A name that is too wide loses what says least, in two steps: first the arguments of templates,
// which can be hundreds of characters, then its middle. The beginning names the library or folder,
// and the end the function or file. Columns and bytes are different things: characters are skipped
// as a whole, and what is escaped on the screen counts with its escape (safe_text.c).

static const char ellipsis[] = "…";

static bool short_name_fits(const char *text, size_t max_columns)
{
	return safe_text_width(text, strlen(text)) <= max_columns;
}

/** Does the '<' at @at open template arguments? "operator<" and "<module>" do not. */
static bool opens_arguments(const char *text, const char *at)
{
	static const char word[] = "operator";
	size_t length = (size_t)(at - text);
	char c = length ? at[-1] : 0;
	bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
	// Arguments stand behind an identifier.
	if (!is_letter && !(c >= '0' && c <= '9') && c != '_')
		return false;
	return length < strlen(word) || strncmp(at - strlen(word), word, strlen(word)) != 0;
}

/** Behind the '>' that closes the '<' at @at; NULL if there is none. "->" closes nothing. */
static const char *end_of_arguments(const char *at)
{
	size_t depth = 0;
	for (const char *begin = at; *at; at++) {
		if (*at == '<')
			depth++;
		else if (*at == '>' && at > begin && at[-1] != '-' && --depth == 0)
			return at + 1;
	}
	return NULL;
}

/** The text with "<…>" for all template arguments; to be freed, NULL: no memory. */
static char *without_arguments(const char *text)
{
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	for (const char *at = text; *at;) {
		const char *end =
			*at == '<' && opens_arguments(text, at) ? end_of_arguments(at) : NULL;
		if (end)
			string_builder_appendf(&name, "<%s>", ellipsis);
		else
			string_builder_append_char(&name, *at);
		at = end ? end : at + 1;
	}
	char *ret = NULL;
	struct error *err = string_builder_finish(&name, &ret);
	error_destroy(err);
	return ret;
}

static char *cut_text(const char *text, size_t max_columns, enum short_name_cut cut)
{
	// The end of a name says more than its beginning: it is the function, or the file.
	size_t head_columns = cut == SHORT_NAME_END ? max_columns - 1 : (max_columns - 1) / 3;
	size_t tail_columns = max_columns - 1 - head_columns;
	const char *head_end = safe_text_head(text, head_columns);
	const char *tail = safe_text_tail(text, tail_columns);
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	string_builder_append_n(&name, text, (size_t)(head_end - text));
	string_builder_append(&name, ellipsis);
	string_builder_append(&name, tail);
	char *ret = NULL;
	struct error *err = string_builder_finish(&name, &ret);
	error_destroy(err);
	return ret;
}

char *short_name_create(const char *text, size_t max_columns, enum short_name_cut cut)
{
	if (short_name_fits(text, max_columns))
		return strdup(text);
	if (cut == SHORT_NAME_END)
		return cut_text(text, max_columns, cut);
	_cleanup_free_ char *name = without_arguments(text);
	if (!name)
		return NULL;
	return short_name_fits(name, max_columns) ? take_ptr(name)
						  : cut_text(name, max_columns, cut);
}
