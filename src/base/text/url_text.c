// SPDX-License-Identifier: Apache-2.0

#include "base/text/url_text.h"

#include <string.h>

void url_text_append(struct string_builder *url, const char *text)
{
	static const char unreserved[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					 "0123456789-._~";
	for (; *text; text++) {
		if (strchr(unreserved, *text))
			string_builder_append_char(url, *text);
		else
			string_builder_appendf(url, "%%%02X", (unsigned char)*text);
	}
}
