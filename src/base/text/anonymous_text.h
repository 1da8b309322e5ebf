/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_ANONYMOUS_TEXT_H
#define WPERF_BASE_TEXT_ANONYMOUS_TEXT_H

/**
 * Takes names of users and computers out of paths: the folder of a user below /home, /var/home,
 * /export/home, /media, /run/media, X:\Users and X:\Documents and Settings becomes "user", the
 * computer of \\COMPUTER\share becomes "host". Windows' own folders there (Public, Default) stay.
 * $HOME, wherever it is, becomes "/home/user".
 */

#include "base/text/string_builder.h"

#include <stdbool.h>

/** A path, or a text with paths in it. False: it has no such names, and nothing was appended. */
bool anonymous_text_append(const char *text, struct string_builder *ret);

#endif
