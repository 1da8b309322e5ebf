// SPDX-License-Identifier: Apache-2.0

#include "base/os/win_error.h"

#include "base/container/array.h"

#include <errno.h>
#include <string.h>
#include <windows.h>

// The few codes that have an errno of the same meaning get the words of strerror(), so that
// expected outputs of tests are the same on both systems; the rest gets the words of Windows.

enum { MAX_WORDS = 256 };

/** What other systems have as well is said in the same words everywhere; 0 if it is not that. */
static int errno_of(DWORD code)
{
	static const struct {
		DWORD code;
		int errnum;
	} rows[] = {
		{ERROR_FILE_NOT_FOUND, ENOENT}, {ERROR_PATH_NOT_FOUND, ENOENT},
		{ERROR_ACCESS_DENIED, EACCES},  {ERROR_DIRECTORY, ENOTDIR},
		{ERROR_DISK_FULL, ENOSPC},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (code == rows[i].code)
			return rows[i].errnum;
	}
	return 0;
}

struct error *win_error(unsigned long code, const char *format, ...)
{
	static const DWORD missing[] = {ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND,
					ERROR_INVALID_NAME, ERROR_BAD_NETPATH};
	enum error_code kind = ERROR_FAILED;
	for (size_t i = 0; i < ARRAY_SIZE(missing); i++)
		if (code == missing[i])
			kind = ERROR_ABSENT;
	va_list args;
	va_start(args, format);
	_cleanup_(error_destroyp) struct error *what = error_create_va(kind, format, args);
	va_end(args);
	int errnum = errno_of(code);
	if (errnum)
		return error_create(what->code, "%s: %s", what->message, strerror(errnum));
	wchar_t wide[MAX_WORDS];
	// IGNORE_INSERTS: "%1" stays as it is, since we have no arguments. MAX_WIDTH_MASK: line
	// breaks within the text become blanks.
	DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS |
					      FORMAT_MESSAGE_MAX_WIDTH_MASK,
				      NULL, code, 0, wide, ARRAY_SIZE(wide), NULL);
	// The system ends its sentences with a full stop, a blank and a line end; ours end with
	// nothing.
	while (length && wcschr(L" .\r\n", wide[length - 1]))
		length--;
	char words[3 * MAX_WORDS];
	int size = WideCharToMultiByte(CP_UTF8, 0, wide, (int)length, words, sizeof(words), NULL,
				       NULL);
	if (size <= 0)
		return error_create(what->code, "%s: error %lu", what->message, code);
	return error_create(what->code, "%s: %.*s", what->message, size, words);
}
