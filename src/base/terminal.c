// SPDX-License-Identifier: Apache-2.0

#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>

bool terminal_has_color(FILE *stream)
{
	const char *no_color = getenv("NO_COLOR");
	if (no_color && *no_color)
		return false;
	const char *term = getenv("TERM");
	if (term && strcmp(term, "dumb") == 0)
		return false;
	return terminal_is_terminal(stream) && terminal_switch_to_vt(stream);
}
