/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_BYTE_SIZE_H
#define WPERF_BASE_TEXT_BYTE_SIZE_H

/** Sizes on the command line: `4096`, `64k`, `16M`, `1G`; the units are 1024, 1024^2 and 1024^3. */

#include <stdbool.h>
#include <stdint.h>

/** False if @text is not a size or does not fit; then @ret is not set. */
bool byte_size_parse(const char *text, uint64_t *ret);

#endif
