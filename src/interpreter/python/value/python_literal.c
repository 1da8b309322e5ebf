// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_literal.h"

#include "interpreter/python/value/python_string.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Writes values as CPython's repr() does: Objects/floatobject.c (the shortest digits that read back
// as the same double, an exponent below 1e-4 and from 1e16 on), Objects/unicodeobject.c and
// Objects/bytesobject.c (quotes and escapes). Shortest digits are found by printing with growing
// precision until strtod() returns the value: at most 17 attempts, and no algorithm of our own that
// could be wrong. Large integers are divided by 10^9 again and again, which is quadratic;
// PYTHON_LITERAL_MAX_DIGITS limits it.

/** A number's digits, and where its point is: value = 0.DIGITS * 10^point. 1234.5 is 12345 and 4,
 *  0.001 is 1 and -2. */
struct decimal_digits {
	char digits[24];
	int num, point;
};

static struct decimal_digits shortest_digits(double value)
{
	enum { ENOUGH = 17 }; // digits, for any double (DBL_DECIMAL_DIG of C11)
	char text[40];
	for (int precision = 0; precision < ENOUGH; precision++) {
		snprintf(text, sizeof(text), "%.*e", precision, value);
		if (strtod(text, NULL) == value)
			break;
	}
	struct decimal_digits decimal = {0};
	const char *at = text;
	for (; *at && *at != 'e'; at++)
		if (*at >= '0' && *at <= '9') // the point may be a comma: see setlocale(3)
			decimal.digits[decimal.num++] = *at;
	decimal.point = atoi(at + 1) + 1;
	while (decimal.num > 1 && decimal.digits[decimal.num - 1] == '0')
		decimal.num--;
	return decimal;
}

static void append_zeros(struct string_builder *text, int num)
{
	for (int i = 0; i < num; i++)
		string_builder_append_char(text, '0');
}

static void append_scientific(struct string_builder *text, const struct decimal_digits *decimal)
{
	string_builder_append_char(text, decimal->digits[0]);
	if (decimal->num > 1) {
		string_builder_append_char(text, '.');
		string_builder_append_n(text, decimal->digits + 1, (size_t)decimal->num - 1);
	}
	string_builder_appendf(text, "e%+03d", decimal->point - 1);
}

static void append_positional(struct string_builder *text, const struct decimal_digits *decimal)
{
	int before = decimal->point < decimal->num ? decimal->point : decimal->num;
	if (before > 0)
		string_builder_append_n(text, decimal->digits, (size_t)before);
	else
		string_builder_append_char(text, '0');
	append_zeros(text, decimal->point - decimal->num);
	string_builder_append_char(text, '.');
	append_zeros(text, -decimal->point);
	before = before > 0 ? before : 0;
	if (before < decimal->num)
		string_builder_append_n(text, decimal->digits + before,
					(size_t)(decimal->num - before));
	else
		string_builder_append_char(text, '0');
}

void python_literal_append_float(struct string_builder *text, double value)
{
	// Those that Python writes with an exponent: 0.0001 has the point -3, 1e+16 has 17.
	enum { LEAST_POINT = -3, MOST_POINT = 16 };
	if (isnan(value)) {
		string_builder_append(text, "nan");
		return;
	}
	if (signbit(value))
		string_builder_append_char(text, '-');
	if (isinf(value)) {
		string_builder_append(text, "inf");
		return;
	}
	struct decimal_digits decimal = shortest_digits(fabs(value));
	if (decimal.point < LEAST_POINT || decimal.point > MOST_POINT)
		append_scientific(text, &decimal);
	else
		append_positional(text, &decimal);
}

enum { BILLION = 1000000000 };

/** Divide by a billion; what is left over is the answer. */
static uint32_t take_decimals(uint32_t *digits, size_t num)
{
	uint64_t rest = 0;
	for (size_t i = num; i-- > 0;) {
		uint64_t value = rest << PYTHON_LITERAL_DIGIT_BITS | digits[i];
		digits[i] = (uint32_t)(value / BILLION);
		rest = value % BILLION;
	}
	return (uint32_t)rest;
}

static size_t num_used(const uint32_t *digits, size_t num)
{
	while (num && !digits[num - 1])
		num--;
	return num;
}

void python_literal_append_int(struct string_builder *text, const uint32_t *digits, size_t num,
			       bool is_negative)
{
	uint32_t left[PYTHON_LITERAL_MAX_DIGITS];
	// Nine decimals are less than 30 bits: a group more for each 300 digits.
	uint32_t groups[PYTHON_LITERAL_MAX_DIGITS + 2];
	size_t num_groups = 0;
	num = num < PYTHON_LITERAL_MAX_DIGITS ? num : PYTHON_LITERAL_MAX_DIGITS;
	for (size_t i = 0; i < num; i++)
		left[i] = digits[i] & ((UINT32_C(1) << PYTHON_LITERAL_DIGIT_BITS) - 1);
	while ((num = num_used(left, num)))
		groups[num_groups++] = take_decimals(left, num);
	if (is_negative && num_groups)
		string_builder_append_char(text, '-');
	string_builder_appendf(text, "%" PRIu32, num_groups ? groups[num_groups - 1] : 0);
	for (size_t i = num_groups; i-- > 1;)
		string_builder_appendf(text, "%09" PRIu32, groups[i - 1]);
}

// Ranges that are never seen, or that move what is around them. Python also escapes what no
// version of Unicode had yet.
static const struct {
	uint32_t first, last;
} unseen[] = {
	{0x7f, 0xa0},     {0xad, 0xad},       {0x61c, 0x61c},        {0x1680, 0x1680},
	{0x180e, 0x180e}, {0x2000, 0x200f},   {0x2028, 0x202f},      {0x205f, 0x206f},
	{0x3000, 0x3000}, {0xd800, 0xf8ff},   {0xfeff, 0xfeff},      {0xfff0, 0xfffb},
	{0xfffe, 0xffff}, {0xe0000, 0xe0fff}, {0xf0000, UINT32_MAX},
};

static bool is_seen(uint32_t c)
{
	if (c < ' ')
		return false;
	for (size_t i = 0; i < sizeof(unseen) / sizeof(*unseen); i++)
		if (c >= unseen[i].first && c <= unseen[i].last)
			return false;
	return true;
}

static bool append_short_escape(struct string_builder *text, uint32_t c, char quote)
{
	static const char escaped[] = "\n\r\t\\", letters[] = "nrt\\";
	const char *found = c && c < 0x80 ? strchr(escaped, (int)c) : NULL;
	if (found)
		string_builder_appendf(text, "\\%c", letters[found - escaped]);
	else if (c == (uint32_t)quote)
		string_builder_appendf(text, "\\%c", quote);
	else
		return false;
	return true;
}

static void append_escape(struct string_builder *text, uint32_t c)
{
	const char *format = c < 0x100     ? "\\x%02" PRIx32
			     : c < 0x10000 ? "\\u%04" PRIx32
					   : "\\U%08" PRIx32;
	string_builder_appendf(text, format, c);
}

static void append_more(struct string_builder *text, uint64_t num_more)
{
	if (num_more)
		string_builder_appendf(text, "... %" PRIu64 " more", num_more);
}

/** ' unless there are such ones and none of ". */
static char choose_quote(bool has_single, bool has_double)
{
	return has_single && !has_double ? '"' : '\'';
}

void python_literal_append_str(struct string_builder *text, const uint32_t *characters, size_t num,
			       uint64_t num_more)
{
	bool has_single = false, has_double = false;
	for (size_t i = 0; i < num; i++) {
		has_single |= characters[i] == '\'';
		has_double |= characters[i] == '"';
	}
	char quote = choose_quote(has_single, has_double);
	string_builder_append_char(text, quote);
	for (size_t i = 0; i < num; i++) {
		if (append_short_escape(text, characters[i], quote))
			continue;
		if (is_seen(characters[i]))
			python_string_append_character(text, characters[i]);
		else
			append_escape(text, characters[i]);
	}
	string_builder_append_char(text, quote);
	append_more(text, num_more);
}

void python_literal_append_bytes(struct string_builder *text, const uint8_t *bytes, size_t num,
				 uint64_t num_more)
{
	char quote =
		choose_quote(memchr(bytes, '\'', num) != NULL, memchr(bytes, '"', num) != NULL);
	string_builder_appendf(text, "b%c", quote);
	for (size_t i = 0; i < num; i++) {
		if (append_short_escape(text, bytes[i], quote))
			continue;
		if (bytes[i] >= ' ' && bytes[i] < 0x7f)
			string_builder_append_char(text, (char)bytes[i]);
		else
			append_escape(text, bytes[i]);
	}
	string_builder_append_char(text, quote);
	append_more(text, num_more);
}
