// SPDX-License-Identifier: Apache-2.0

#include "base/text/json_scanner.h"

#include "base/container/array.h"
#include "base/text/number.h"
#include "base/text/real_number.h"
#include "base/text/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Follows RFC 8259, tokens only. A string is scanned to its end first, which checks UTF-8 and
// control characters, then decoded into memory of the same length, as no escape is shorter than its
// meaning. Line and column are computed only for errors. Numbers are checked by the grammar before
// real_number_parse() sees them; it would take more forms.

enum {
	MAX_NUMBER_LENGTH = 512, /* of a fraction; a double has 17 digits that count */
	UNIT_LENGTH = 6,         /* of \u0041 */
};

struct error *json_scanner_error(const struct json_scanner *scanner, const char *place,
				 const char *format, ...)
{
	char words[256];
	va_list args;
	va_start(args, format);
	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	size_t line = 1, column = 1;
	for (const char *at = scanner->text; at < place; at++) {
		// Columns are characters: bytes of UTF-8 that continue one do not count.
		bool continues = ((unsigned char)*at & 0xc0) == 0x80;
		column = *at == '\n' ? 1 : column + !continues;
		line += *at == '\n';
	}
	return error_create(ERROR_FAILED, "%s: line %zu, column %zu: %s", scanner->name, line,
			    column, words);
}

struct error *json_scanner_unexpected(const struct json_scanner *scanner, const char *expected)
{
	const char *at = scanner->next;
	if (at == scanner->end)
		return json_scanner_error(scanner, at, "expected %s, found the end of the file",
					  expected);
	if (*at > ' ' && *at <= '~')
		return json_scanner_error(scanner, at, "expected %s, found '%c'", expected, *at);
	return json_scanner_error(scanner, at, "expected %s, found byte 0x%02x", expected,
				  (unsigned char)*at);
}

void json_scanner_skip_blanks(struct json_scanner *scanner)
{
	while (scanner->next < scanner->end) {
		char c = *scanner->next;
		if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
			return;
		scanner->next++;
	}
}

static bool is_next(const struct json_scanner *scanner, char c)
{
	return scanner->next < scanner->end && *scanner->next == c;
}

char json_scanner_peek(struct json_scanner *scanner)
{
	json_scanner_skip_blanks(scanner);
	return scanner->next < scanner->end ? *scanner->next : '\0';
}

bool json_scanner_accept(struct json_scanner *scanner, char c)
{
	json_scanner_skip_blanks(scanner);
	if (!is_next(scanner, c))
		return false;
	scanner->next++;
	return true;
}

// Behind the opening quote. Escapes are only stepped over.
static struct error *find_closing_quote(const struct json_scanner *scanner, const char **ret)
{
	const char *at = scanner->next;
	while (at < scanner->end && *at != '"') {
		unsigned char c = (unsigned char)*at;
		size_t length = c == '\\' ? 2 : 1;
		uint32_t code_point;
		if (c >= 0x80)
			length = utf8_sequence(at, (size_t)(scanner->end - at), &code_point);
		if (!length)
			return json_scanner_error(scanner, at, "byte 0x%02x is not valid UTF-8", c);
		if (c < ' ')
			return json_scanner_error(scanner, at,
						  "control character 0x%02x in a string", c);
		if (length > (size_t)(scanner->end - at))
			break;
		at += length;
	}
	if (!(at < scanner->end && *at == '"'))
		return json_scanner_error(scanner, scanner->next - 1, "unterminated string");
	*ret = at;
	return NULL;
}

// One \uXXXX: half of a character, if that is beyond U+FFFF.
static bool json_scanner_read_unit(struct json_scanner *scanner, const char *end, uint64_t *ret)
{
	const char *at = scanner->next;
	if (end - at < UNIT_LENGTH || at[0] != '\\' || at[1] != 'u' ||
	    number_parse_hex(at + 2, UNIT_LENGTH - 2, false, ret) != NUMBER_OK)
		return false;
	scanner->next += UNIT_LENGTH;
	return true;
}

static struct error *decode_escape(struct json_scanner *scanner, const char *end, char **out)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *place = scanner->next;
	if (place[1] != 'u') {
		const char *letter = memchr(letters, place[1], sizeof(letters) - 1);
		if (!letter)
			return json_scanner_error(scanner, place, "unknown escape in a string");
		*(*out)++ = meanings[letter - letters];
		scanner->next += 2;
		return NULL;
	}
	uint64_t unit, second;
	if (!json_scanner_read_unit(scanner, end, &unit))
		return json_scanner_error(scanner, place, "\\u needs four hexadecimal digits");
	if (!unit)
		return json_scanner_error(scanner, place, "\\u0000 is not supported");
	bool is_high = unit >= 0xd800 && unit < 0xdc00;
	bool is_low = unit >= 0xdc00 && unit < 0xe000;
	if (is_high && json_scanner_read_unit(scanner, end, &second) && second >= 0xdc00 &&
	    second < 0xe000)
		// UTF-16: two halves with ten bits each (RFC 8259, section 7).
		unit = 0x10000 + ((unit - 0xd800) << 10 | (second - 0xdc00));
	else if (is_high || is_low)
		return json_scanner_error(scanner, place, "unpaired surrogate");
	*out += utf8_encode((uint32_t)unit, *out);
	return NULL;
}

struct error *json_scanner_string(struct json_scanner *scanner, const char **ret)
{
	scanner->next++;
	const char *end = scanner->next;
	struct error *err = find_closing_quote(scanner, &end);
	if (err)
		return err;
	// No escape is shorter than what it stands for.
	char *text = arena_alloc(scanner->arena, (size_t)(end - scanner->next) + 1);
	if (!text)
		return &error_no_memory;
	char *out = text;
	while (scanner->next < end) {
		const char *stop = memchr(scanner->next, '\\', (size_t)(end - scanner->next));
		size_t length = (size_t)((stop ? stop : end) - scanner->next);
		memcpy(out, scanner->next, length);
		out += length;
		scanner->next += length;
		err = stop ? decode_escape(scanner, end, &out) : NULL;
		if (err)
			return err;
	}
	scanner->next = end + 1;
	*ret = text;
	return NULL;
}

static bool json_scanner_is_digit(const struct json_scanner *scanner)
{
	return scanner->next < scanner->end && *scanner->next >= '0' && *scanner->next <= '9';
}

static struct error *skip_digits(struct json_scanner *scanner)
{
	if (!json_scanner_is_digit(scanner))
		return json_scanner_unexpected(scanner, "a digit");
	while (json_scanner_is_digit(scanner))
		scanner->next++;
	return NULL;
}

static struct error *integer_of(const struct json_scanner *scanner, const char *text,
				struct json_value *ret)
{
	bool negative = *text == '-';
	const char *digits = text + negative;
	uint64_t magnitude;
	if (number_parse_decimal(digits, (size_t)(scanner->next - digits), &magnitude) !=
		    NUMBER_OK ||
	    magnitude > (uint64_t)INT64_MAX + negative)
		return json_scanner_error(scanner, text, "number does not fit into 64 bits");
	ret->type = JSON_VALUE_INTEGER;
	ret->integer = (int64_t)(negative ? -magnitude : magnitude);
	return NULL;
}

static struct error *real_of(const struct json_scanner *scanner, const char *text,
			     struct json_value *ret)
{
	size_t length = (size_t)(scanner->next - text);
	if (length > MAX_NUMBER_LENGTH)
		return json_scanner_error(scanner, text, "number longer than %d characters",
					  MAX_NUMBER_LENGTH);
	// The parser needs a NUL, which the text of a file does not have.
	char copy[MAX_NUMBER_LENGTH + 1];
	memcpy(copy, text, length);
	copy[length] = '\0';
	ret->type = JSON_VALUE_REAL;
	ret->real = real_number_parse(copy, NULL);
	return isinf(ret->real) ? json_scanner_error(scanner, text, "number too large for a double")
				: NULL;
}

struct error *json_scanner_number(struct json_scanner *scanner, struct json_value *ret)
{
	const char *text = scanner->next;
	// A plus sign is not allowed in front of a number.
	scanner->next += is_next(scanner, '-');
	const char *first = scanner->next;
	struct error *err = skip_digits(scanner);
	const char *whole_end = scanner->next;
	if (!err && *first == '0' && whole_end - first > 1)
		err = json_scanner_error(scanner, first, "a number cannot begin with 0");
	if (!err && is_next(scanner, '.')) {
		scanner->next++;
		err = skip_digits(scanner);
	}
	if (!err && (is_next(scanner, 'e') || is_next(scanner, 'E'))) {
		scanner->next++;
		scanner->next += is_next(scanner, '-') || is_next(scanner, '+');
		err = skip_digits(scanner);
	}
	if (err)
		return err;
	return scanner->next == whole_end ? integer_of(scanner, text, ret)
					  : real_of(scanner, text, ret);
}

struct error *json_scanner_word(struct json_scanner *scanner, struct json_value *ret)
{
	static const struct {
		const char *word;
		enum json_value_type type;
	} words[] = {
		{"null", JSON_VALUE_NULL},
		{"false", JSON_VALUE_FALSE},
		{"true", JSON_VALUE_TRUE},
	};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t length = strlen(words[i].word);
		if (length <= (size_t)(scanner->end - scanner->next) &&
		    !memcmp(scanner->next, words[i].word, length)) {
			scanner->next += length;
			ret->type = words[i].type;
			return NULL;
		}
	}
	return json_scanner_unexpected(scanner, "a value");
}
