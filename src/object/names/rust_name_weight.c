// SPDX-License-Identifier: Apache-2.0

// The grammar is that of RFC 2603.

#include "object/names/rust_name_weight.h"

#include "base/text/ascii.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A parser for the grammar of RFC 2603 that adds up how much libiberty would print, instead of
// printing it. A back reference ("B" and a number) prints the part at an earlier place again, so
// nested references double with each level. weigh_at() remembers the weight of each place and kind
// in `weights`: a part is weighed once, and a reference adds its number. So the time does not
// depend on the text that would be printed.
//
// IS_OPEN marks a part while it is weighed; to meet it again means a part that contains itself.
// MAX_STEPS and MAX_DEPTH bound the rest. It must accept what libiberty accepts, also its quirks:
// numbers wrap, and the path of an impl is parsed but not printed (skip_path()).

enum {
	MAX_WEIGHT = 1 << 18, // some milliseconds of printing
	MAX_STEPS = 1 << 16,  // ... and of weighing
	MAX_DEPTH = 1100,     // libiberty gives up at 1,024
	PART_WEIGHT = 8,      // of the words around its parts
	BYTES_PER_CHARACTER = 4,
	IS_OPEN = UINT32_MAX, // it is being weighed
};

/** What a part that is referred to can be. */
enum kind { PATH, TYPE, CONSTANT, NUM_KINDS };

struct scale {
	const char *text;
	size_t length, next;
	bool failed, is_heavy;
	bool is_hidden; // it is not printed, so that nothing is looked up
	unsigned depth, steps;
	uint32_t weight;   // so far
	uint32_t *weights; // of parts that were referred to, by place and kind
};

static void fail(struct scale *scale)
{
	scale->failed = true;
	scale->next = scale->length;
}

static void give_up(struct scale *scale)
{
	scale->is_heavy = true;
	fail(scale);
}

static void add(struct scale *scale, uint64_t weight)
{
	if (weight >= MAX_WEIGHT || scale->weight + weight >= MAX_WEIGHT ||
	    ++scale->steps > MAX_STEPS)
		give_up(scale);
	else
		scale->weight += (uint32_t)weight;
}

static char peek(const struct scale *scale)
{
	return scale->next < scale->length ? scale->text[scale->next] : '\0';
}

static char next(struct scale *scale)
{
	char c = peek(scale);
	if (c)
		scale->next++;
	else
		fail(scale);
	return c;
}

static bool eat(struct scale *scale, char c)
{
	if (scale->failed || peek(scale) != c)
		return false;
	scale->next++;
	return true;
}

static bool ends(struct scale *scale)
{
	return scale->failed || eat(scale, 'E');
}

static uint64_t digit_of(char c)
{
	enum { NONE = 62 };
	if (ascii_is_digit(c))
		return (uint64_t)(c - '0');
	if (c >= 'a' && c <= 'z')
		return (uint64_t)(c - 'a') + 10;
	return c >= 'A' && c <= 'Z' ? (uint64_t)(c - 'A') + 36 : NONE;
}

/** Numbers of 62 digits with '_' behind them; they wrap, as in libiberty. */
static uint64_t read_number(struct scale *scale)
{
	uint64_t number = 0;
	if (eat(scale, '_'))
		return 0;
	while (!scale->failed && !eat(scale, '_')) {
		uint64_t digit = digit_of(next(scale));
		if (digit >= 62)
			fail(scale);
		number = number * 62 + digit;
	}
	return number + 1;
}

static uint64_t read_optional_number(struct scale *scale, char tag)
{
	return eat(scale, tag) ? 1 + read_number(scale) : 0;
}

static void read_identifier(struct scale *scale)
{
	eat(scale, 'u');
	char c = next(scale);
	size_t length = (size_t)(c - '0');
	if (!ascii_is_digit(c))
		fail(scale);
	while (c != '0' && ascii_is_digit(peek(scale)) && length < scale->length)
		length = length * 10 + (size_t)(next(scale) - '0');
	eat(scale, '_');
	if (scale->failed || length > scale->length - scale->next) {
		fail(scale);
		return;
	}
	scale->next += length;
	add(scale, BYTES_PER_CHARACTER * length);
}

static void weigh(struct scale *scale, enum kind kind);

/** Weighs what is at @place, once; the scale's own place and weight stay. */
static uint32_t weigh_at(struct scale *scale, size_t place, enum kind kind)
{
	uint32_t *known = &scale->weights[place * NUM_KINDS + kind];
	if (*known == IS_OPEN) // a part of itself has no end
		give_up(scale);
	if (*known)
		return *known;
	uint32_t weight_here = scale->weight;
	size_t next_here = scale->next;
	scale->next = place;
	scale->weight = 0;
	*known = IS_OPEN;
	weigh(scale, kind);
	*known = scale->weight;
	scale->weight = weight_here;
	scale->next = scale->failed ? scale->length : next_here;
	return *known;
}

static void weigh_reference(struct scale *scale, enum kind kind)
{
	uint64_t place = read_number(scale);
	if (scale->failed || scale->is_hidden)
		return;
	if (place >= scale->length)
		fail(scale);
	else
		add(scale, weigh_at(scale, place, kind));
}

static void weigh_argument(struct scale *scale)
{
	if (eat(scale, 'L'))
		read_number(scale);
	else if (eat(scale, 'K'))
		weigh(scale, CONSTANT);
	else
		weigh(scale, TYPE);
}

static void weigh_arguments(struct scale *scale)
{
	while (!ends(scale))
		weigh_argument(scale);
}

/** The path of an implementation is read, but not printed. */
static void skip_path(struct scale *scale)
{
	bool was_hidden = scale->is_hidden;
	scale->is_hidden = true;
	weigh(scale, PATH);
	scale->is_hidden = was_hidden;
}

static void weigh_name(struct scale *scale)
{
	read_optional_number(scale, 's');
	read_identifier(scale);
}

static void weigh_path(struct scale *scale)
{
	char tag = next(scale);
	switch (tag) {
	case 'C':
		weigh_name(scale);
		break;
	case 'N':
		next(scale); // the namespace
		weigh(scale, PATH);
		weigh_name(scale);
		break;
	case 'M':
	case 'X':
		read_optional_number(scale, 's');
		skip_path(scale);
		weigh(scale, TYPE);
		if (tag == 'X')
			weigh(scale, PATH);
		break;
	case 'Y':
		weigh(scale, TYPE);
		weigh(scale, PATH);
		break;
	case 'I':
		weigh(scale, PATH);
		weigh_arguments(scale);
		break;
	case 'B':
		weigh_reference(scale, PATH);
		break;
	default:
		fail(scale);
	}
}

/** Lifetimes, each of which is printed. */
static void weigh_binder(struct scale *scale)
{
	uint64_t count = read_optional_number(scale, 'G');
	add(scale, count < MAX_WEIGHT ? count * PART_WEIGHT : MAX_WEIGHT);
}

static void weigh_function(struct scale *scale)
{
	weigh_binder(scale);
	eat(scale, 'U');
	if (eat(scale, 'K') && !eat(scale, 'C'))
		read_identifier(scale);
	while (!ends(scale))
		weigh(scale, TYPE);
	weigh(scale, TYPE); // what it returns
}

static void weigh_traits(struct scale *scale)
{
	weigh_binder(scale);
	while (!ends(scale)) {
		weigh(scale, PATH);
		while (eat(scale, 'p')) {
			read_identifier(scale);
			weigh(scale, TYPE);
		}
	}
	if (!eat(scale, 'L'))
		fail(scale);
	read_number(scale);
}

static void weigh_type(struct scale *scale)
{
	char tag = next(scale);
	switch (tag) {
	case 'R':
	case 'Q':
		if (eat(scale, 'L'))
			read_number(scale);
		weigh(scale, TYPE);
		break;
	case 'P':
	case 'O':
	case 'S':
		weigh(scale, TYPE);
		break;
	case 'A':
		weigh(scale, TYPE);
		weigh(scale, CONSTANT);
		break;
	case 'T':
		while (!ends(scale))
			weigh(scale, TYPE);
		break;
	case 'F':
		weigh_function(scale);
		break;
	case 'D':
		weigh_traits(scale);
		break;
	case 'B':
		weigh_reference(scale, TYPE);
		break;
	default:
		if (tag >= 'a' && tag <= 'z')
			return; // "i32" and its like
		scale->next -= !scale->failed;
		weigh(scale, PATH);
	}
}

static void weigh_constant(struct scale *scale)
{
	if (eat(scale, 'B')) {
		weigh_reference(scale, CONSTANT);
		return;
	}
	if (next(scale) == 'p')
		return;
	eat(scale, 'n'); // it is negative
	size_t first = scale->next;
	while (!scale->failed && !eat(scale, '_'))
		next(scale);
	add(scale, scale->next - first);
}

static void weigh(struct scale *scale, enum kind kind)
{
	static void (*const weighers[NUM_KINDS])(struct scale *) = {
		[PATH] = weigh_path,
		[TYPE] = weigh_type,
		[CONSTANT] = weigh_constant,
	};
	if (scale->depth == MAX_DEPTH)
		fail(scale);
	if (scale->failed)
		return;
	add(scale, PART_WEIGHT);
	scale->depth++;
	weighers[kind](scale);
	scale->depth--;
}

enum rust_name_weight rust_name_weigh(const char *mangled)
{
	static const char prefix[] = "_R";
	if (strncmp(mangled, prefix, strlen(prefix)) != 0)
		return RUST_NAME_IS_DAMAGED;
	struct scale scale = {.text = mangled + strlen(prefix)};
	scale.length = strcspn(scale.text, ".");
	scale.weights = calloc(scale.length + 1, NUM_KINDS * sizeof(*scale.weights));
	if (!scale.weights)
		return RUST_NAME_IS_HEAVY;
	weigh(&scale, PATH);
	if (!scale.failed && scale.next < scale.length)
		skip_path(&scale); // the crate that made it
	free(scale.weights);
	if (scale.is_heavy)
		return RUST_NAME_IS_HEAVY;
	return scale.failed || scale.next < scale.length ? RUST_NAME_IS_DAMAGED
							 : RUST_NAME_IS_LIGHT;
}
