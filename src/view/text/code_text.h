/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_CODE_TEXT_H
#define WPERF_VIEW_TEXT_CODE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/** A line of code, made safe; its tabs go to multiples of 8 from where the text begins. */
void code_text_print(const char *text, size_t length, FILE *stream);

#endif
