/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_CHARACTER_WIDTH_H
#define WPERF_BASE_TEXT_CHARACTER_WIDTH_H

/**
 * How many columns of a terminal a character takes: 2 for those of East Asian scripts and most
 * emoji, 0 for marks that combine with the one before, else 1. A table of our own (what wcwidth()
 * of glibc says in Unicode 15), since wcwidth() depends on the locale and Windows has none.
 *
 * Terminals that draw a sequence of emoji as one (family, flags) use fewer columns than the sum.
 */

#include <stdint.h>

unsigned character_width(uint32_t code_point);

#endif
