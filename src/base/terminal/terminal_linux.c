// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is_terminal(FILE *stream)
{
	return isatty(fileno(stream));
}

bool terminal_size(FILE *stream, struct terminal_size *ret)
{
	struct winsize size;
	if (ioctl(fileno(stream), TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
		return false;
	*ret = (struct terminal_size){size.ws_row, size.ws_col};
	return true;
}

// Terminals understand escape sequences from the start; terminal.c asks for the one that does not.
bool terminal_switch_to_vt(FILE *stream)
{
	return true;
}

bool terminal_is_for_browsing(void)
{
	return true;
}
