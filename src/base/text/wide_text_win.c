// SPDX-License-Identifier: Apache-2.0

#include "base/text/wide_text.h"

#include "base/os/win_error.h"

#include <windows.h>

struct error *wide_from_utf8(const char *text, wchar_t **ret)
{
	// The system counts the NUL, too: a length of -1 means that the text ends with one.
	int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
	if (length <= 0)
		return win_error(GetLastError(), "'%s' is not valid UTF-8", text);
	wchar_t *wide = calloc((size_t)length, sizeof(*wide));
	if (!wide)
		return &error_no_memory;
	MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, length);
	*ret = wide;
	return NULL;
}

struct error *utf8_from_wide(const wchar_t *wide, char **ret)
{
	int length = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
	if (length <= 0)
		return win_error(GetLastError(), "cannot convert a name to UTF-8");
	char *text = malloc((size_t)length);
	if (!text)
		return &error_no_memory;
	WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, length, NULL, NULL);
	*ret = text;
	return NULL;
}
