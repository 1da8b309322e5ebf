// SPDX-License-Identifier: Apache-2.0
#include "view/layout/style.h"

// SGR sequences of ECMA-48 (ISO 6429), which all terminals know, among them the console of Windows
// since version 10. Without colors all codes are empty texts, so that callers need no branches.

static const char *const style_codes[] = {
	[STYLE_BOLD] = "\033[1m",    [STYLE_DIM] = "\033[2m",   [STYLE_RED] = "\033[31m",
	[STYLE_YELLOW] = "\033[33m", [STYLE_CYAN] = "\033[36m", [STYLE_REVERSE] = "\033[7m",
	[STYLE_RESET] = "\033[0m",
};

const char *style_code(const struct style *style, enum style_part part)
{
	return style->color ? style_codes[part] : "";
}
