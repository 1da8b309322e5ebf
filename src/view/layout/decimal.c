// SPDX-License-Identifier: Apache-2.0
#include "view/layout/decimal.h"

#include <inttypes.h>
#include <math.h>
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

/** The word for what has no digits, or NULL: printf's words differ from system to system. */
static const char *word_for(double value)
{
	if (isnan(value))
		return "nan";
	if (isinf(value))
		return value > 0 ? "inf" : "-inf";
	return NULL;
}

/** Put '.' where printf wrote the decimal point of the locale, which may be several bytes. */
static void replace_decimal_point(char *text)
{
	char *point = text + strspn(text, "-0123456789");
	size_t length = strcspn(point, "e0123456789");
	if (length == 0)
		return;
	*point = '.';
	memmove(point + 1, point + length, strlen(point + length) + 1);
}

/** @format: of printf, for a precision and a double. */
static struct decimal format_double(const char *format, int precision, double value)
{
	struct decimal decimal;
	const char *word = word_for(value);
	if (word) {
		snprintf(decimal.text, sizeof(decimal.text), "%s", word);
		return decimal;
	}
	snprintf(decimal.text, sizeof(decimal.text), format, precision, value);
	replace_decimal_point(decimal.text);
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

static int decimals_of_seconds(uint64_t time_ns)
{
	// Six significant digits: each digit of the time takes away a decimal, within the two
	// bounds.
	int decimals = SECONDS_DIGITS + SECONDS_MAX_DECIMALS;
	for (uint64_t rest = time_ns; rest; rest /= 10)
		decimals--;
	if (decimals < SECONDS_MIN_DECIMALS)
		return SECONDS_MIN_DECIMALS;
	return decimals > SECONDS_MAX_DECIMALS ? SECONDS_MAX_DECIMALS : decimals;
}

struct decimal decimal_seconds(uint64_t time_ns)
{
	struct decimal decimal = decimal_fixed((double)time_ns / 1e9, decimals_of_seconds(time_ns));
	char *decimals = strchr(decimal.text, '.') + 1;
	size_t length = strlen(decimals);
	while (length && decimals[length - 1] == '0')
		length--;
	decimals[length ? length : SECONDS_MIN_DECIMALS] = '\0';
	return decimal;
}
