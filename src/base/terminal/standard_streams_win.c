// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/standard_streams.h"

#include "base/container/array.h"
#include "base/terminal/terminal.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

// Text mode would write a carriage return before each line end, and end standard input at a Ctrl-Z.
// The code page belongs to the console and not to the process: it must be restored, and is not
// touched if nothing is printed there.

void standard_streams_init(struct standard_streams *streams)
{
	FILE *const all[] = {stdin, stdout, stderr};
	*streams = (struct standard_streams){0};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		_setmode(_fileno(all[i]), _O_BINARY);
	if (!terminal_is_terminal(stdout) && !terminal_is_terminal(stderr))
		return;
	UINT before = GetConsoleOutputCP();
	if (before != CP_UTF8 && SetConsoleOutputCP(CP_UTF8))
		streams->page_before = before;
}

void standard_streams_deinit(struct standard_streams *streams)
{
	fflush(stdout);
	if (streams->page_before)
		SetConsoleOutputCP(streams->page_before);
}
