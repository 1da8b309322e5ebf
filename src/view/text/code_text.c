// SPDX-License-Identifier: Apache-2.0

#include "view/text/code_text.h"

#include "view/layout/safe_text.h"

#include <string.h>

// Tabs of source code become blanks up to the next multiple of 8 columns of the code itself. Left
// to the terminal, they would depend on the width of the margin in front.
//
//	"\tif (x)\ty" becomes 8 blanks, "if (x)" and 2 blanks, "y"

enum { TAB_COLUMNS = 8 };

void code_text_print(const char *text, size_t length, FILE *stream)
{
	size_t column = 0;
	while (length) {
		const char *tab = memchr(text, '\t', length);
		size_t part = tab ? (size_t)(tab - text) : length;
		safe_text_print(text, part, stream);
		if (!tab)
			return;
		column += safe_text_width(text, part);
		size_t blanks = TAB_COLUMNS - column % TAB_COLUMNS;
		fprintf(stream, "%*s", (int)blanks, "");
		column += blanks;
		text += part + 1;
		length -= part + 1;
	}
}
