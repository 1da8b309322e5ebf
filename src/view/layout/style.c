// SPDX-License-Identifier: Apache-2.0
#include "view/layout/style.h"

static const char *const style_codes[] = {
	[STYLE_BOLD] = "\033[1m",    [STYLE_DIM] = "\033[2m",   [STYLE_RED] = "\033[31m",
	[STYLE_YELLOW] = "\033[33m", [STYLE_CYAN] = "\033[36m", [STYLE_RESET] = "\033[0m",
};

const char *style_code(const struct style *style, enum style_part part)
{
	return style->color ? style_codes[part] : "";
}
