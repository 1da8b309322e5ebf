// SPDX-License-Identifier: Apache-2.0

#include "base/text/nearest_name.h"

#include "base/text/ascii.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// The distance is that of optimal string alignment (Damerau-Levenshtein without repeated edits of a
// substring), computed row by row with three rows. The limit of errors is lowered with each better
// name, and a row whose least value is above the limit ends the comparison.

enum {
	MIN_WORD = 2,
	MAX_ERRORS = 3,
	CHARS_PER_ERROR = 3,
	MAX_NAME = NEAREST_NAME_MAX_WORD + MAX_ERRORS,
};

// Row i of the table of edit distances: what it takes to make the first j characters of the name
// of the first i of the word. Swapped neighbours look back two rows.
struct rows {
	uint8_t before_last[MAX_NAME + 1];
	uint8_t last[MAX_NAME + 1];
	uint8_t row[MAX_NAME + 1];
};

static bool nearest_name_equal(char a, char b)
{
	return ascii_lower(a) == ascii_lower(b);
}

static const char *shortest_with_prefix(const char *word, const char *const *names,
					size_t num_names)
{
	const char *best = NULL;
	for (size_t i = 0; i < num_names; i++) {
		size_t length = 0;
		while (word[length] && nearest_name_equal(word[length], names[i][length]))
			length++;
		if (!word[length] && (!best || strlen(names[i]) < strlen(best)))
			best = names[i];
	}
	return best;
}

static unsigned nearest_name_min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

// Typing errors between the two, or more than @limit. @name_length: at most MAX_NAME.
static unsigned count_errors(const char *word, size_t word_length, const char *name,
			     size_t name_length, unsigned limit)
{
	struct rows rows = {0};
	for (size_t j = 0; j <= name_length; j++)
		rows.row[j] = (uint8_t)j;
	for (size_t i = 1; i <= word_length; i++) {
		memcpy(rows.before_last, rows.last, sizeof(rows.last));
		memcpy(rows.last, rows.row, sizeof(rows.row));
		rows.row[0] = (uint8_t)i;
		unsigned least = rows.row[0];
		for (size_t j = 1; j <= name_length; j++) {
			const char *a = &word[i - 1], *b = &name[j - 1];
			// A character is wrong (or right), missing, or too much ...
			unsigned errors = rows.last[j - 1] + !nearest_name_equal(*a, *b);
			errors = nearest_name_min(errors, rows.last[j] + 1u);
			errors = nearest_name_min(errors, rows.row[j - 1] + 1u);
			// ... or two are swapped.
			if (i > 1 && j > 1 && nearest_name_equal(*a, b[-1]) &&
			    nearest_name_equal(a[-1], *b))
				errors = nearest_name_min(errors, rows.before_last[j - 2] + 1u);
			rows.row[j] = (uint8_t)errors;
			least = nearest_name_min(least, errors);
		}
		// Errors only grow from row to row.
		if (least > limit)
			return least;
	}
	return rows.row[name_length];
}

const char *nearest_name(const char *word, const char *const *names, size_t num_names)
{
	size_t length = strnlen(word, NEAREST_NAME_MAX_WORD + 1);
	if (length < MIN_WORD || length > NEAREST_NAME_MAX_WORD)
		return NULL;
	const char *best = shortest_with_prefix(word, names, num_names);
	if (best)
		return best;
	unsigned limit = nearest_name_min((unsigned)length / CHARS_PER_ERROR, MAX_ERRORS);
	for (size_t i = 0; i < num_names && limit > 0; i++) {
		// Longer names differ by too many characters already.
		size_t name_length = strnlen(names[i], length + limit + 1);
		if (name_length > length + limit)
			continue;
		unsigned errors = count_errors(word, length, names[i], name_length, limit);
		// Only fewer errors are better from now on, so that of equals the first one wins.
		if (errors <= limit) {
			best = names[i];
			limit = errors - 1;
		}
	}
	return best;
}
