// SPDX-License-Identifier: Apache-2.0

#include "base/text/duration.h"

#include "base/container/array.h"

#include <string.h>

enum { MAX_DECIMALS = 2 };

// Two decimals make hundredths the smallest step, and each unit is a whole number of
// nanoseconds times 100: everything is exact in integers.
static const struct {
	const char *name;
	uint64_t hundredth_ns;
} units[] = {
	// No unit: seconds.
	{"", 10000000ull},       {"ms", 10000ull},          {"s", 10000000ull},
	{"m", 60 * 10000000ull}, {"h", 3600 * 10000000ull}, {"d", 86400 * 10000000ull},
};

static bool duration_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool append_digit(uint64_t *value, char digit)
{
	return !__builtin_mul_overflow(*value, 10, value) &&
	       !__builtin_add_overflow(*value, (uint64_t)(digit - '0'), value);
}

bool duration_parse(const char *text, uint64_t *ret_ns)
{
	uint64_t hundredths = 0;
	if (!duration_is_digit(*text) || (*text == '0' && duration_is_digit(text[1])))
		return false;
	for (; duration_is_digit(*text); text++)
		if (!append_digit(&hundredths, *text))
			return false;
	// Decimals that are not there are zeros, so that the whole part becomes hundredths.
	bool has_decimals = *text == '.';
	if (has_decimals && !duration_is_digit(*++text))
		return false;
	for (int i = 0; i < MAX_DECIMALS; i++) {
		char digit = has_decimals && duration_is_digit(*text) ? *text++ : '0';
		if (!append_digit(&hundredths, digit))
			return false;
	}
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(text, units[i].name) != 0)
			continue;
		uint64_t ns;
		// More than 584 years.
		if (__builtin_mul_overflow(hundredths, units[i].hundredth_ns, &ns))
			return false;
		*ret_ns = ns;
		return true;
	}
	return false;
}
