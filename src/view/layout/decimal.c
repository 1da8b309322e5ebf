// SPDX-License-Identifier: Apache-2.0
#include "view/layout/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Numbers as text, the same on every system: printf() differs in the decimal point, which follows
// the locale, and in the words for NaN and infinity. The text is in the returned structure, so that
// nothing has to be freed.
//
//	grouped    1234567             1,234,567
//	fixed      0.126, 2 decimals   0.13
//	seconds    153693000 ns        0.153693
//	           1000000000 ns       1.000

struct decimal decimal_grouped(uint64_t value)
{
	char digits[24];
	size_t num_digits = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, value);

	struct decimal decimal;
	char *out = decimal.text;
	for (size_t i = 0; i < num_digits; i++) {
		if (i > 0 && (num_digits - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = '\0';
	return decimal;
}

/** @format: of printf, for a precision and a double. */
static struct decimal format_double(const char *format, int precision, double value)
{
	struct decimal decimal;
	// printf's words differ from system to system.
	if (!isfinite(value)) {
		const char *infinity = value > 0 ? "inf" : "-inf";
		snprintf(decimal.text, sizeof(decimal.text), "%s", isnan(value) ? "nan" : infinity);
		return decimal;
	}
	snprintf(decimal.text, sizeof(decimal.text), format, precision, value);
	// The decimal point of the locale, which may be several bytes, becomes '.'.
	char *point = decimal.text + strspn(decimal.text, "-0123456789");
	size_t length = strcspn(point, "e0123456789");
	if (length) {
		*point = '.';
		memmove(point + 1, point + length, strlen(point + length) + 1);
	}
	return decimal;
}

struct decimal decimal_fixed(double value, int decimals)
{
	if (decimals < 0)
		decimals = 0;
	if (decimals > DECIMAL_MAX_DECIMALS)
		decimals = DECIMAL_MAX_DECIMALS;
	return format_double("%.*f", decimals, value);
}

struct decimal decimal_short(double value)
{
	return format_double("%.*g", 6, value);
}

enum { SECONDS_DIGITS = 6, SECONDS_MIN_DECIMALS = 3, SECONDS_MAX_DECIMALS = 9 };

struct decimal decimal_seconds(uint64_t time_ns)
{
	// Six significant digits: each digit of the time takes away a decimal, within the two
	// bounds.
	int num_decimals = SECONDS_DIGITS + SECONDS_MAX_DECIMALS;
	for (uint64_t rest = time_ns; rest; rest /= 10)
		num_decimals--;
	if (num_decimals < SECONDS_MIN_DECIMALS)
		num_decimals = SECONDS_MIN_DECIMALS;
	if (num_decimals > SECONDS_MAX_DECIMALS)
		num_decimals = SECONDS_MAX_DECIMALS;
	struct decimal decimal = decimal_fixed((double)time_ns / 1e9, num_decimals);
	char *decimals = strchr(decimal.text, '.') + 1;
	size_t length = strlen(decimals);
	while (length && decimals[length - 1] == '0')
		length--;
	decimals[length ? length : SECONDS_MIN_DECIMALS] = '\0';
	return decimal;
}

struct decimal decimal_bytes(uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	enum { STEP = 1024, LAST = sizeof(units) / sizeof(units[0]) - 1, DECIMALS_BELOW = 1000 };
	unsigned unit = 0;
	double value = (double)bytes;
	for (; value >= STEP && unit < LAST; unit++)
		value /= STEP;
	// A whole number of units, as most periods are, needs no decimals.
	bool is_whole = value == (double)(uint64_t)value || value >= DECIMALS_BELOW;
	struct decimal decimal = decimal_fixed(value, is_whole ? 0 : 1);
	size_t length = strlen(decimal.text);
	snprintf(decimal.text + length, sizeof(decimal.text) - length, " %s", units[unit]);
	return decimal;
}
