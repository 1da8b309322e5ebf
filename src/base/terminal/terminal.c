// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal.h"

#include "base/text/number.h"

#include <stdlib.h>
#include <string.h>

// NO_COLOR as https://no-color.org has it: any value but an empty one. COLUMNS beats what the
// terminal says.

bool terminal_has_color(FILE *stream)
{
	const char *no_color = getenv("NO_COLOR");
	if (no_color && *no_color)
		return false;
	return terminal_has_vt(stream);
}

bool terminal_has_vt(FILE *stream)
{
	const char *term = getenv("TERM");
	if (term && strcmp(term, "dumb") == 0)
		return false;
	return terminal_is_terminal(stream) && terminal_switch_to_vt(stream);
}

size_t terminal_columns(FILE *stream)
{
	struct terminal_size size;
	if (!terminal_is_terminal(stream))
		return 0;
	const char *columns = getenv("COLUMNS");
	uint64_t number;
	if (columns && number_parse_decimal(columns, strlen(columns), &number) == NUMBER_OK &&
	    number)
		return (size_t)number;
	return terminal_size(stream, &size) ? size.columns : 0;
}
