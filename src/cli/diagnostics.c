// SPDX-License-Identifier: Apache-2.0

#include "cli/diagnostics.h"

#include "base/error.h"
#include "base/terminal.h"
#include "view/style.h"

#include <stdio.h>

void diagnostics_print_error(const struct error *err)
{
	struct style style = {.color = terminal_has_color(stderr)};
	fprintf(stderr, "%s%s%s\n", style_code(&style, STYLE_RED), err->message,
		style_code(&style, STYLE_RESET));
	if (err->hint)
		fprintf(stderr, "%shint:%s %s\n", style_code(&style, STYLE_CYAN),
			style_code(&style, STYLE_RESET), err->hint);
}

void diagnostics_print_warnings(const char *lines)
{
	struct style style = {.color = terminal_has_color(stderr)};
	if (*lines)
		fprintf(stderr, "%s%s%s", style_code(&style, STYLE_YELLOW), lines,
			style_code(&style, STYLE_RESET));
}
