// SPDX-License-Identifier: Apache-2.0

#include "base/text/name_pattern.h"

#include "base/text/ascii.h"

#include <stddef.h>
#include <string.h>

// match_shell() goes back only to the last `*` instead of recursing: if what follows that one
// fails, no other assignment of earlier ones can help. So a pattern with many stars takes at most
// the product of both lengths.

static bool equal_letters(const char *a, const char *b, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (ascii_lower(a[i]) != ascii_lower(b[i]))
			return false;
	}
	return true;
}

bool name_pattern_match_symbol(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);
	bool at_start = length && pattern[0] == '^';
	if (at_start) {
		pattern++;
		length--;
	}
	bool at_end = length && pattern[length - 1] == '$';
	if (at_end)
		length--;

	size_t name_length = strlen(name);
	// Neither mark or both: the whole name.
	if (name_length < length || (at_start == at_end && name_length != length))
		return false;
	return equal_letters(pattern, at_end ? name + name_length - length : name, length);
}

static bool in_range(char c, char first, char last)
{
	return (unsigned char)first <= (unsigned char)c && (unsigned char)c <= (unsigned char)last;
}

static bool match_set(const char *set, const char *end, char c)
{
	bool inverted = *++set == '!';
	if (inverted)
		set++;
	bool found = false;
	while (set < end) {
		// The range is as written, the character in both cases: [a-z] has all letters.
		char first = *set++;
		char last = first;
		if (*set == '-' && set + 1 < end) {
			last = set[1];
			// A '-' that ends the set is a member, not a range.
			set += 2;
		}
		found |= in_range(ascii_lower(c), first, last) ||
			 in_range(ascii_upper(c), first, last);
	}
	return found != inverted;
}

// Does the first element of the pattern, which is no '*', match this character? The element
// behind it, or NULL.
static const char *match_element(const char *pattern, char c)
{
	if (*pattern == '?')
		return pattern + 1;
	// A ']' in the first place of a set is a member; without one that ends it, '[' is a letter.
	const char *set_end = NULL;
	if (*pattern == '[') {
		const char *first = pattern[1] == '!' ? pattern + 2 : pattern + 1;
		set_end = *first ? strchr(first + 1, ']') : NULL;
	}
	if (set_end)
		return match_set(pattern, set_end, c) ? set_end + 1 : NULL;
	return *pattern && ascii_lower(*pattern) == ascii_lower(c) ? pattern + 1 : NULL;
}

// Only the last '*' is ever taken back: if what follows it matches later in the name, an earlier
// '*' could gain nothing by taking more. So the time is at most pattern times name.
static bool match_shell(const char *pattern, const char *name)
{
	const char *star = NULL;
	const char *star_name = NULL;
	while (*name) {
		if (*pattern == '*') {
			star = ++pattern;
			star_name = name;
			continue;
		}
		// NULL: this character does not match here.
		pattern = match_element(pattern, *name);
		name++;
		if (pattern)
			continue;
		if (!star)
			return false;
		pattern = star;
		name = ++star_name;
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

bool name_pattern_match_glob(const char *pattern, const char *name)
{
	if (strpbrk(pattern, "*?["))
		return match_shell(pattern, name);
	// Without a wildcard: any part of the name.
	size_t length = strlen(pattern);
	size_t name_length = strlen(name);
	for (size_t i = 0; i + length <= name_length; i++)
		if (equal_letters(name + i, pattern, length))
			return true;
	return false;
}
