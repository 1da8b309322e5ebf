// SPDX-License-Identifier: Apache-2.0

#include "session/program/program_line.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "base/os/win_error.h"
#include "base/text/string_builder.h"
#include "base/text/wide_text.h"
#include "process/program_search.h"
#include "process/quoted_words.h"

#include <stdlib.h>
#include <windows.h>

// program_line_init() searches the program as cmd.exe does, quotes the words, and makes UTF-16 of
// both at the end, as all else is UTF-8. The search is our own, since that of CreateProcessW()
// knows only .exe: npm.cmd or build.bat would not be found.
//
// CreateProcessW() also runs batch files, by starting cmd.exe behind our back with a line that was
// quoted for programs. cmd.exe reads it by other rules, so that an argument could become a command
// (CVE-2024-24576, "BatBadBut"). Therefore wperf starts cmd.exe itself, with its full path and a
// line for its rules.

// In characters, with the NUL ("CreateProcessW" of Microsoft, lpCommandLine).
enum { LONGEST_LINE = 32767 };

static bool is_file(void *context, const char *path)
{
	return file_path_kind(path) == FILE_PATH_FILE;
}

/** A variable of the environment in UTF-8, to be freed; NULL if it is not set. */
static struct error *read_variable(const wchar_t *name, char **ret)
{
	const wchar_t *value = _wgetenv(name);
	*ret = NULL;
	return value ? utf8_from_wide(value, ret) : NULL;
}

static struct error *program_line_find(const char *name, char **ret)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_free_ char *extensions = NULL;
	struct error *err = read_variable(L"PATH", &path);
	if (!err)
		err = read_variable(L"PATHEXT", &extensions);
	if (err)
		return err;
	const struct program_search search = {
		.path = path,
		.extensions = extensions,
		.skips_here = _wgetenv(L"NoDefaultCurrentDirectoryInExePath") != NULL,
		.is_file = is_file,
	};
	err = program_search_find(&search, name, ret);
	if (!err || err->code != ERROR_ABSENT)
		return err;
	error_destroy(err);
	return error_with_hint(
		error_create(ERROR_FAILED,
			     "CreateProcess failed (0x%lx).\ncannot run '%s': no such program",
			     (unsigned long)ERROR_FILE_NOT_FOUND, name),
		"give the path of a program, or the name of one in PATH, with an "
		"extension or with one of those in PATHEXT");
}

static struct error *find_shell(char **ret)
{
	wchar_t folder[MAX_PATH];
	UINT length = GetSystemDirectoryW(folder, ARRAY_SIZE(folder));
	if (!length || length >= ARRAY_SIZE(folder))
		return win_error(GetLastError(), "cannot find cmd.exe");
	_cleanup_free_ char *text = NULL;
	struct error *err = utf8_from_wide(folder, &text);
	if (err)
		return err;
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s\\cmd.exe", text);
	return string_builder_finish(&path, ret);
}

/** @path: of the program; cmd.exe takes its place if it is a batch file. */
static struct error *program_line_write(char **path, char *const *words,
					struct string_builder *line)
{
	if (!program_search_is_batch(*path))
		return quoted_words_join(words, line);
	char *shell;
	struct error *err = find_shell(&shell);
	if (err)
		return err;
	err = quoted_words_join_batch(shell, *path, words, line);
	free(*path);
	*path = shell;
	return err;
}

void program_line_deinit(struct program_line *line)
{
	free(line->path);
	free(line->text);
	*line = (struct program_line){0};
}

struct error *program_line_init(struct program_line *line, char *const *words)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	struct error *err = program_line_find(words[0], &path);
	if (!err)
		err = program_line_write(&path, words, &text);
	if (!err)
		err = wide_from_utf8(path, &line->path);
	if (!err)
		err = wide_from_utf8(string_builder_peek(&text), &line->text);
	if (err || wcslen(line->text) < LONGEST_LINE)
		return err;
	return error_create(ERROR_USAGE,
			    "cannot run '%s': its command line has more than %d characters",
			    words[0], LONGEST_LINE);
}
