// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal.h"

#include <io.h>
#include <windows.h>

// False if the stream is no console: _isatty() would also say yes to NUL and to serial ports.
static bool get_console(FILE *stream, HANDLE *ret_console, DWORD *ret_mode)
{
	*ret_console = (HANDLE)_get_osfhandle(_fileno(stream));
	return GetConsoleMode(*ret_console, ret_mode);
}

bool terminal_is_terminal(FILE *stream)
{
	HANDLE console;
	DWORD mode;
	return get_console(stream, &console, &mode);
}

bool terminal_size(FILE *stream, struct terminal_size *ret)
{
	CONSOLE_SCREEN_BUFFER_INFO info;
	if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(_fileno(stream)), &info))
		return false;
	*ret = (struct terminal_size){
		.rows = (size_t)(info.srWindow.Bottom - info.srWindow.Top + 1),
		.columns = (size_t)(info.srWindow.Right - info.srWindow.Left + 1),
	};
	return true;
}

bool terminal_switch_to_vt(FILE *stream)
{
	HANDLE console;
	DWORD mode;
	if (!get_console(stream, &console, &mode))
		return false;
	return mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING ||
	       SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

bool terminal_is_for_browsing(void)
{
	return false;
}
