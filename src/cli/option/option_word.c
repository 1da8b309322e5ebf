// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_word.h"

#include "base/text/ascii.h"

#include <stdio.h>
#include <string.h>

// The forms are tried in this order: exactly as in the table; as another tool spells it; "--" with
// a value behind "=" or abbreviated; one dash before a long name, as older instructions of
// WindowsPerf have it; and a bundle of letters. The order decides what is ambiguous: a spelling of
// the table always wins, and a word that could be a long name is not taken apart into letters.

enum { MAX_SPELLING = 64 }; // longer than any

/** One that a command takes, or that any may take as long as none was named. */
static bool is_taken(const struct option *option, unsigned takers)
{
	return option && (!takers || option->commands & takers);
}

static const char *value_behind(const char *word, size_t length)
{
	return word[length] ? word + length + 1 : NULL;
}

/** @value: that is in the word, or NULL. */
static bool read_foreign(const char *spelling, size_t length, unsigned takers, const char *value,
			 struct option_word *ret)
{
	const struct foreign_option *foreign = foreign_option_find(spelling, length, takers);
	if (!foreign)
		return false;
	const struct option *option =
		foreign->option ? option_find(foreign->option, strlen(foreign->option), takers)
				: NULL;
	// Our option is not one of this command.
	if (foreign->option && !option)
		return false;
	ret->foreign = foreign;
	ret->option = option;
	ret->value = foreign->value ? foreign->value : value;
	return true;
}

/** "-pe_file" of older instructions for "--pe_file". */
static bool read_single_dash(const char *word, unsigned takers, struct option_word *ret)
{
	char spelling[MAX_SPELLING];
	size_t length = strcspn(word, "=");
	// "-x" and "-=" are no long names.
	if (length < 3 || length + 2 > sizeof(spelling))
		return false;
	snprintf(spelling, sizeof(spelling), "-%.*s", (int)length, word);
	const struct option *option = option_find(spelling, length + 1, takers);
	if (!option)
		return false;
	ret->option = option;
	ret->value = value_behind(word, length);
	return true;
}

/** Can it be the value of an option without a blank between the two? */
static bool fits_glued(const struct option *option, const char *word, const char *value)
{
	if (option->kind == OPTION_NUMBER || option->kind == OPTION_DURATION)
		return *value >= '0' && *value <= '9';
	if (option->kind == OPTION_RATE)
		return (*value >= '0' && *value <= '9') || !strcmp(value, "max");
	// Of texts, a letter may be the second one of a mistyped long name: "-sorce x" is no symbol
	// "orce", but "--source".
	char first = ascii_lower(*value), spelling[MAX_SPELLING];
	if (first < 'a' || first > 'z' ||
	    (size_t)snprintf(spelling, sizeof(spelling), "-%s", word) >= sizeof(spelling))
		return true;
	const char *nearest = option_nearest(spelling);
	return !nearest || strncmp(nearest, "--", 2) != 0;
}

static bool read_bundle(const char *word, unsigned takers, struct option_word *ret)
{
	for (const char *next = word + 1; *next; next++) {
		// "-agF99": the flags -a and -g, then -F with its value.
		const char letter[] = {'-', *next, 0};
		const struct option *option = option_find(letter, 2, takers);
		const char *rest = next[1] ? next + 1 : NULL;
		if (!is_taken(option, takers)) {
			// A letter that only another tool knows ends it, unless it changes nothing.
			if (!read_foreign(letter, 2, takers, rest, ret))
				return false;
			bool has_value =
				ret->option ? ret->option->value != NULL : ret->foreign->has_value;
			return has_value || !rest || ret->foreign->hint;
		}
		if (option->kind == OPTION_COMMAND)
			return false;
		if (option->value) {
			// The rest of the word is its value: "99" of "-F99".
			if (rest && !fits_glued(option, word, rest))
				return false;
			ret->option = option;
			ret->value = rest;
			return true;
		}
		if (!rest) {
			ret->option = option;
			return true;
		}
		if (ret->num_flags == OPTION_WORD_MAX_FLAGS)
			return false;
		ret->flags[ret->num_flags++] = option;
	}
	return false;
}

struct error *option_word_read(const char *word, unsigned takers, struct option_word *ret)
{
	*ret = (struct option_word){0};
	const struct option *exact = option_find(word, strlen(word), takers);
	ret->option = exact;
	if (is_taken(exact, takers) || word[0] != '-' || !word[1] || !strcmp(word, "--"))
		return NULL;
	size_t length = strcspn(word, "=");
	const char *value = value_behind(word, length);
	if (read_foreign(word, length, takers, value, ret) || exact)
		return NULL;
	if (word[1] == '-') {
		// "--opt=value" and abbreviations.
		ret->value = value;
		ret->option = option_find(word, length, takers);
		return ret->option ? NULL
				   : option_find_abbreviation(word, length, takers, &ret->option);
	}
	if (read_single_dash(word, takers, ret) || read_bundle(word, takers, ret))
		return NULL;
	*ret = (struct option_word){0};
	return NULL;
}

bool option_word_wants_value(const struct option_word *word)
{
	if (word->value)
		return false;
	return word->option ? word->option->value && !word->option->value_if_left_out
			    : word->foreign && word->foreign->has_value;
}
