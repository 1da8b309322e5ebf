// SPDX-License-Identifier: Apache-2.0

#include "process/quoted_words.h"

#include <stdbool.h>
#include <string.h>

// CreateProcess() takes one string, which the program splits again. The rules for backslashes
// before quotes are those of CommandLineToArgvW() ("Parsing C command-line arguments" of
// Microsoft). Batch files are run by cmd.exe, which splits by other rules and expands %NAME% even
// within quotes: quoted_words_join_batch() puts every word in quotes and refuses the characters
// that would end them or be expanded.

/** Backslashes are themselves, unless a quote comes behind them: then each is written twice. */
static void append_quoted(struct string_builder *line, const char *word)
{
	string_builder_append_char(line, '"');
	for (;;) {
		size_t num_backslashes = strspn(word, "\\");
		word += num_backslashes;
		bool is_before_quote = *word == '"' || !*word;
		if (is_before_quote)
			num_backslashes *= 2;
		for (; num_backslashes; num_backslashes--)
			string_builder_append_char(line, '\\');
		if (!*word)
			break;
		if (*word == '"')
			string_builder_append_char(line, '\\');
		string_builder_append_char(line, *word++);
	}
	string_builder_append_char(line, '"');
}

struct error *quoted_words_join(char *const *words, struct string_builder *ret)
{
	// In the first word a backslash is a backslash and nothing more.
	if (strchr(words[0], '"'))
		return error_create(ERROR_USAGE,
				    "cannot run '%s': a program name cannot contain '\"'",
				    words[0]);
	string_builder_append_char(ret, '"');
	string_builder_append(ret, words[0]);
	string_builder_append_char(ret, '"');
	for (size_t i = 1; words[i]; i++) {
		string_builder_append_char(ret, ' ');
		if (*words[i] && !strpbrk(words[i], " \t\n\v\""))
			string_builder_append(ret, words[i]);
		else
			append_quoted(ret, words[i]);
	}
	return ret->failed ? &error_no_memory : NULL;
}

static struct error *check_batch_word(const char *path, const char *word)
{
	if (!strpbrk(word, "\"%\r\n"))
		return NULL;
	return error_with_hint(
		error_create(
			ERROR_USAGE,
			"cannot run batch file '%s' with argument '%s': cmd.exe would misread it",
			path, word),
		"arguments of batch files cannot contain quotes, '%%' or line ends; run the "
		"program that the file starts");
}

// Between quotes cmd.exe takes all else as it is, and /s has it drop only the outermost pair.
struct error *quoted_words_join_batch(const char *shell, const char *path, char *const *words,
				      struct string_builder *ret)
{
	// No AutoRun of the registry (/d), extensions on (/e:on), no expansion of !NAME! (/v:off).
	string_builder_appendf(ret, "\"%s\" /d /e:on /v:off /s /c \"\"%s\"", shell, path);
	struct error *err = check_batch_word(path, path);
	for (size_t i = 1; !err && words[i]; i++) {
		err = check_batch_word(path, words[i]);
		string_builder_appendf(ret, " \"%s\"", words[i]);
	}
	string_builder_append_char(ret, '"');
	return err || !ret->failed ? err : &error_no_memory;
}
