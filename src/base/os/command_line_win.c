// SPDX-License-Identifier: Apache-2.0

#include "base/os/command_line.h"

#include "base/os/win_error.h"
#include "base/text/wide_text.h"

#include <windows.h>

#include <shellapi.h>

// main() gets its words in the code page of the system. The words are therefore taken from the
// original command line, in UTF-16, and divided as the C runtime does (CommandLineToArgvW()).

static void free_words(wchar_t ***words)
{
	LocalFree(*words);
}

// @argv is not used: it has lost the characters that the code page lacks.
struct error *command_line_init(struct command_line *line, int argc, char **argv)
{
	int num_words;
	_cleanup_(free_words) wchar_t **words = CommandLineToArgvW(GetCommandLineW(), &num_words);
	if (!words)
		return win_error(GetLastError(), "cannot read the command line");
	line->argv = calloc((size_t)num_words + 1, sizeof(*line->argv));
	if (!line->argv)
		return &error_no_memory;
	// Counted one by one, as an error leaves what is there to command_line_deinit().
	for (; line->argc < num_words; line->argc++) {
		struct error *err = utf8_from_wide(words[line->argc], &line->argv[line->argc]);
		if (err)
			return err;
	}
	return NULL;
}

void command_line_deinit(struct command_line *line)
{
	for (int i = 0; i < line->argc; i++)
		free(line->argv[i]);
	free(line->argv);
	*line = (struct command_line)COMMAND_LINE_INIT;
}
