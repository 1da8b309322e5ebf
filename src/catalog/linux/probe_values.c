// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/probe_values.h"

#include "base/container/array.h"
#include "base/text/number.h"

#include <ctype.h>
#include <string.h>

// Read from the left, by a cursor that knows where the text ends: the text is a part of the user's
// word, or of an event's name in a file that somebody else wrote.

struct values_cursor {
	const char *text, *end;
};

static const struct {
	const char *text;
	enum probe_comparison comparison;
} comparisons[] = {
	// Those of two letters first.
	{"==", PROBE_EQUAL},    {"!=", PROBE_UNEQUAL}, {"<=", PROBE_AT_MOST},
	{">=", PROBE_AT_LEAST}, {"<", PROBE_LESS},     {">", PROBE_GREATER},
};

static void skip_blanks(struct values_cursor *cursor)
{
	while (cursor->text < cursor->end && *cursor->text == ' ')
		cursor->text++;
}

/** Is this next? Then it is behind the cursor. */
static bool take_text(struct values_cursor *cursor, const char *text)
{
	size_t length = strlen(text);
	if ((size_t)(cursor->end - cursor->text) < length ||
	    memcmp(cursor->text, text, length) != 0)
		return false;
	cursor->text += length;
	return true;
}

/** As take_text(), of a word that ends there. */
static bool take_word(struct values_cursor *cursor, const char *word)
{
	struct values_cursor next = *cursor;
	if (!take_text(&next, word) || (next.text < next.end && isalnum((unsigned char)*next.text)))
		return false;
	*cursor = next;
	return true;
}

static bool take_number(struct values_cursor *cursor, uint64_t *ret)
{
	const char *start = cursor->text;
	while (cursor->text < cursor->end && isalnum((unsigned char)*cursor->text))
		cursor->text++;
	return number_parse(start, (size_t)(cursor->text - start), ret) == NUMBER_OK;
}

static bool take_type(struct values_cursor *cursor, struct probe_value *value)
{
	static const unsigned widths[] = {8, 16, 32, 64};
	value->is_unsigned = take_text(cursor, "u");
	uint64_t bits;
	if ((!value->is_unsigned && !take_text(cursor, "s")) || !take_number(cursor, &bits))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(widths); i++)
		if (widths[i] == bits)
			value->bits = widths[i];
	return value->bits;
}

static const char *take_probe_value(struct values_cursor *cursor, struct probe_value *ret)
{
	const char *start = cursor->text;
	struct probe_value value = {0};
	uint64_t number = 0;
	bool is_string = take_text(cursor, "str");
	bool is_number = !is_string && take_text(cursor, "arg");
	value.is_string = is_string;
	if (take_word(cursor, "ret"))
		number = 0;
	else if (!is_string && !is_number)
		return "a value is arg1, str1, ret or strret";
	else if (!take_number(cursor, &number) || number < 1 || number > PROBE_MAX_ARGUMENT)
		return "arguments are numbered from 1: arg1, str2";
	else
		value.argument = (unsigned)number;
	if (is_number && !value.argument)
		return "what a function returns is ret";
	if (!is_string && take_text(cursor, ":") && !take_type(cursor, &value))
		return "a type is s8, s16, s32, s64, u8, u16, u32 or u64";
	size_t length = (size_t)(cursor->text - start);
	if (length >= sizeof(value.label))
		return "a number has too many digits";
	memcpy(value.label, start, length);
	*ret = value;
	return NULL;
}

static const char *take_condition(struct values_cursor *cursor, struct probe_condition *ret)
{
	struct probe_condition condition = {.comparison = PROBE_NUM_COMPARISONS};
	skip_blanks(cursor);
	const char *problem = take_probe_value(cursor, &condition.value);
	if (problem)
		return problem;
	if (condition.value.is_string)
		return "only numbers are compared";
	skip_blanks(cursor);
	for (size_t i = 0; i < ARRAY_SIZE(comparisons); i++)
		if (condition.comparison == PROBE_NUM_COMPARISONS &&
		    take_text(cursor, comparisons[i].text))
			condition.comparison = comparisons[i].comparison;
	if (condition.comparison == PROBE_NUM_COMPARISONS)
		return "behind a value there must be one of == != < <= > >=";
	skip_blanks(cursor);
	bool is_negative = take_text(cursor, "-");
	uint64_t number;
	if (!take_number(cursor, &number))
		return "a value is compared with a number";
	if (is_negative && (condition.value.is_unsigned || number > (uint64_t)INT64_MAX))
		return "a number is out of range";
	if (!condition.value.is_unsigned && number > (uint64_t)INT64_MAX)
		return "a number is out of range: compare arg1:u64";
	condition.number = (int64_t)(is_negative ? -number : number);
	skip_blanks(cursor);
	*ret = condition;
	return NULL;
}

static const char *take_conditions(struct values_cursor *cursor, struct probe_values *values)
{
	do {
		if (values->num_conditions == PROBE_MAX_CONDITIONS)
			return "there may be at most four conditions";
		const char *problem =
			take_condition(cursor, &values->conditions[values->num_conditions]);
		if (problem)
			return problem;
		values->num_conditions++;
	} while (take_word(cursor, "and"));
	return cursor->text == cursor->end ? NULL : "conditions are joined by 'and'";
}

/** @ret_has_conditions: "if" was behind them. */
static const char *take_items(struct values_cursor *cursor, struct probe_values *values,
			      bool *ret_has_conditions)
{
	skip_blanks(cursor);
	bool is_expected = false; // behind a comma
	for (;;) {
		*ret_has_conditions = !is_expected && take_word(cursor, "if");
		if (*ret_has_conditions || (!is_expected && cursor->text == cursor->end))
			return NULL;
		if (values->num_items == PROBE_VALUES_MAX)
			return "there may be at most six values";
		const char *problem = take_probe_value(cursor, &values->items[values->num_items]);
		if (problem)
			return problem;
		values->num_items++;
		skip_blanks(cursor);
		is_expected = take_text(cursor, ",");
		skip_blanks(cursor);
		bool is_last = cursor->text == cursor->end || *cursor->text == 'i';
		if (!is_expected && !is_last)
			return "values are separated by commas";
	}
}

const char *probe_values_parse(const char *text, size_t length, struct probe_values *ret)
{
	struct values_cursor cursor = {text, text + length};
	struct probe_values values = {0};
	bool has_conditions = false;
	const char *problem = take_items(&cursor, &values, &has_conditions);
	if (!problem && has_conditions)
		problem = take_conditions(&cursor, &values);
	if (!problem && !values.num_items && !values.num_conditions)
		problem = "name a value between the parentheses: arg1, str1 or ret";
	if (!problem)
		*ret = values;
	return problem;
}

static const struct values_prefix {
	const char *text;
	size_t num_before; // parts before the last one; a static probe may have a file as well
	bool may_have_file;
} values_prefixes[] = {
	{"u:", 1, false},  {"ur:", 1, false},  {"k:", 0, false},
	{"kr:", 0, false}, {"usdt:", 1, true},
};

/** Where the last part of a place begins; NULL: there are not so many. Files may have parentheses
 *  in their names. */
static const char *find_last_part(const struct values_prefix *prefix, const char *text)
{
	text += strlen(prefix->text);
	size_t first = strcspn(text, ":,{}");
	size_t num = prefix->num_before;
	num += prefix->may_have_file && memchr(text, '/', first);
	for (; num; num--) {
		text += strcspn(text, ":,{}");
		if (*text != ':')
			return NULL;
		text++;
	}
	return text;
}

size_t probe_values_start(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(values_prefixes); i++) {
		const struct values_prefix *prefix = &values_prefixes[i];
		if (strncmp(text, prefix->text, strlen(prefix->text)) != 0)
			continue;
		const char *last = find_last_part(prefix, text);
		const char *open = last ? last : text;
		open += strcspn(open, "(,{}");
		return *open == '(' ? (size_t)(open - text) : 0;
	}
	return 0;
}

size_t probe_values_word_length(const char *text)
{
	size_t start = probe_values_start(text);
	const char *end = start ? strchr(text + start, ')') : NULL;
	return end ? (size_t)(end + 1 - text) : 0;
}

bool probe_values_of_name(const char *event_name, struct probe_values *ret)
{
	size_t length = probe_values_word_length(event_name);
	if (!length)
		return false;
	const char *open = event_name + probe_values_start(event_name);
	size_t inside = (size_t)(event_name + length - 1 - (open + 1));
	return !probe_values_parse(open + 1, inside, ret);
}
