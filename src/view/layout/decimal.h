/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_LAYOUT_DECIMAL_H
#define WPERF_VIEW_LAYOUT_DECIMAL_H

/** Numbers as text, the same in every locale: '.' before decimals, ',' between thousands. */

#include <stdint.h>

struct decimal {
	char text[336]; /* the longest: -DBL_MAX (310 characters) with DECIMAL_MAX_DECIMALS */
};

enum { DECIMAL_MAX_DECIMALS = 17 };

/** 1,234,567 */
struct decimal decimal_grouped(uint64_t value);

/** Always @decimals (0 to DECIMAL_MAX_DECIMALS) of them; "nan", "inf", "-inf". */
struct decimal decimal_fixed(double value, int decimals);

/** Six significant digits, as short as possible: 68.9062, 100, 1e+20; "nan", "inf", "-inf". */
struct decimal decimal_short(double value);

/**
 * A time in seconds: six significant digits like decimal_short(), but always with decimals and
 * never with an exponent, because clients of WindowsPerf match "\d+\.\d+": 1.000, 1.17, 0.00623877.
 */
struct decimal decimal_seconds(uint64_t time_ns);

/** An amount of memory in the unit that fits, with up to four digits: 512 B, 1.5 KiB, 972.5 MiB. */
struct decimal decimal_bytes(uint64_t bytes);

#endif
