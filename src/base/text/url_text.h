/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_URL_TEXT_H
#define WPERF_BASE_TEXT_URL_TEXT_H

#include "base/text/string_builder.h"

/** Append a text as a part of a URL: everything but letters, digits and -._~ (RFC 3986, 2.3) is
 *  written as %XX. */
void url_text_append(struct string_builder *url, const char *text);

#endif
