// SPDX-License-Identifier: Apache-2.0

#include "base/text/shell_word.h"

#include <string.h>

void shell_word_append(struct string_builder *text, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-+";
	if (*word && word[strspn(word, plain)] == '\0') {
		string_builder_append(text, word);
		return;
	}
	string_builder_append_char(text, '\'');
	for (const char *c = word; *c; c++)
		if (*c == '\'')
			string_builder_append(
				text, "'\\''"); // nothing is special in quotes but their end
		else
			string_builder_append_char(text, *c);
	string_builder_append_char(text, '\'');
}
