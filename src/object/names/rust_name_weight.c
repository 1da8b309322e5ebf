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

static void rust_name_weight_fail(struct scale *scale)
{
	scale->failed = true;
	scale->next = scale->length;
}

static void rust_name_weight_give_up(struct scale *scale)
{
	scale->is_heavy = true;
	rust_name_weight_fail(scale);
}

static void rust_name_weight_add(struct scale *scale, uint64_t weight)
{
	if (weight >= MAX_WEIGHT || scale->weight + weight >= MAX_WEIGHT ||
	    ++scale->steps > MAX_STEPS)
		rust_name_weight_give_up(scale);
	else
		scale->weight += (uint32_t)weight;
}

static char rust_name_weight_peek(const struct scale *scale)
{
	return scale->next < scale->length ? scale->text[scale->next] : '\0';
}

static char rust_name_weight_next(struct scale *scale)
{
	char c = rust_name_weight_peek(scale);
	if (c)
		scale->next++;
	else
		rust_name_weight_fail(scale);
	return c;
}

static bool rust_name_weight_eat(struct scale *scale, char c)
{
	if (scale->failed || rust_name_weight_peek(scale) != c)
		return false;
	scale->next++;
	return true;
}

static bool rust_name_weight_ends(struct scale *scale)
{
	return scale->failed || rust_name_weight_eat(scale, 'E');
}

/** Numbers of 62 digits with '_' behind them; they wrap, as in libiberty. */
static uint64_t rust_name_weight_read_number(struct scale *scale)
{
	enum { BASE = 62 };
	uint64_t number = 0;
	if (rust_name_weight_eat(scale, '_'))
		return 0;
	while (!scale->failed && !rust_name_weight_eat(scale, '_')) {
		char c = rust_name_weight_next(scale);
		uint64_t digit = ascii_is_digit(c)      ? (uint64_t)(c - '0')
				 : c >= 'a' && c <= 'z' ? (uint64_t)(c - 'a') + 10
				 : c >= 'A' && c <= 'Z' ? (uint64_t)(c - 'A') + 36
							: BASE;
		if (digit == BASE)
			rust_name_weight_fail(scale);
		number = number * BASE + digit;
	}
	return number + 1;
}

static uint64_t read_optional_number(struct scale *scale, char tag)
{
	return rust_name_weight_eat(scale, tag) ? 1 + rust_name_weight_read_number(scale) : 0;
}

static void read_identifier(struct scale *scale)
{
	// "u" for Punycode, a length in decimal, "_" if the name itself begins with a digit or "_".
	rust_name_weight_eat(scale, 'u');
	char c = rust_name_weight_next(scale);
	size_t length = (size_t)(c - '0');
	if (!ascii_is_digit(c))
		rust_name_weight_fail(scale);
	while (c != '0' && ascii_is_digit(rust_name_weight_peek(scale)) && length < scale->length)
		length = length * 10 + (size_t)(rust_name_weight_next(scale) - '0');
	rust_name_weight_eat(scale, '_');
	if (scale->failed || length > scale->length - scale->next) {
		rust_name_weight_fail(scale);
		return;
	}
	scale->next += length;
	rust_name_weight_add(scale, BYTES_PER_CHARACTER * length);
}

static void rust_name_weight_weigh(struct scale *scale, enum kind kind);

/** Weighs what is at @place, once; the scale's own place and weight stay. */
static uint32_t weigh_at(struct scale *scale, size_t place, enum kind kind)
{
	uint32_t *known = &scale->weights[place * NUM_KINDS + kind];
	if (*known == IS_OPEN) // a part of itself has no end
		rust_name_weight_give_up(scale);
	if (*known)
		return *known;
	uint32_t weight_here = scale->weight;
	size_t next_here = scale->next;
	scale->next = place;
	scale->weight = 0;
	*known = IS_OPEN;
	rust_name_weight_weigh(scale, kind);
	*known = scale->weight;
	scale->weight = weight_here;
	scale->next = scale->failed ? scale->length : next_here;
	return *known;
}

static void weigh_reference(struct scale *scale, enum kind kind)
{
	uint64_t place = rust_name_weight_read_number(scale);
	if (scale->failed || scale->is_hidden)
		return;
	if (place >= scale->length)
		rust_name_weight_fail(scale);
	else
		rust_name_weight_add(scale, weigh_at(scale, place, kind));
}

static void weigh_arguments(struct scale *scale)
{
	while (!rust_name_weight_ends(scale)) {
		if (rust_name_weight_eat(scale, 'L'))
			rust_name_weight_read_number(scale);
		else if (rust_name_weight_eat(scale, 'K'))
			rust_name_weight_weigh(scale, CONSTANT);
		else
			rust_name_weight_weigh(scale, TYPE);
	}
}

/** The path of an implementation is read, but not printed. */
static void skip_path(struct scale *scale)
{
	bool was_hidden = scale->is_hidden;
	scale->is_hidden = true;
	rust_name_weight_weigh(scale, PATH);
	scale->is_hidden = was_hidden;
}

static void weigh_name(struct scale *scale)
{
	read_optional_number(scale, 's');
	read_identifier(scale);
}

/** C: a crate; N: in a namespace; M, X, Y: of a type; I: with arguments; B: a reference. */
static void weigh_path(struct scale *scale)
{
	char tag = rust_name_weight_next(scale);
	switch (tag) {
	case 'C':
		weigh_name(scale);
		break;
	case 'N':
		rust_name_weight_next(scale); // the namespace
		rust_name_weight_weigh(scale, PATH);
		weigh_name(scale);
		break;
	case 'M':
	case 'X':
		read_optional_number(scale, 's');
		skip_path(scale);
		rust_name_weight_weigh(scale, TYPE);
		if (tag == 'X')
			rust_name_weight_weigh(scale, PATH);
		break;
	case 'Y':
		rust_name_weight_weigh(scale, TYPE);
		rust_name_weight_weigh(scale, PATH);
		break;
	case 'I':
		rust_name_weight_weigh(scale, PATH);
		weigh_arguments(scale);
		break;
	case 'B':
		weigh_reference(scale, PATH);
		break;
	default:
		rust_name_weight_fail(scale);
	}
}

/** Lifetimes, each of which is printed. */
static void weigh_binder(struct scale *scale)
{
	uint64_t count = read_optional_number(scale, 'G');
	rust_name_weight_add(scale, count < MAX_WEIGHT ? count * PART_WEIGHT : MAX_WEIGHT);
}

static void rust_name_weight_weigh_function(struct scale *scale)
{
	weigh_binder(scale);
	rust_name_weight_eat(scale, 'U');
	if (rust_name_weight_eat(scale, 'K') && !rust_name_weight_eat(scale, 'C'))
		read_identifier(scale);
	while (!rust_name_weight_ends(scale))
		rust_name_weight_weigh(scale, TYPE);
	rust_name_weight_weigh(scale, TYPE); // what it returns
}

static void weigh_traits(struct scale *scale)
{
	weigh_binder(scale);
	while (!rust_name_weight_ends(scale)) {
		rust_name_weight_weigh(scale, PATH);
		while (rust_name_weight_eat(scale, 'p')) {
			read_identifier(scale);
			rust_name_weight_weigh(scale, TYPE);
		}
	}
	if (!rust_name_weight_eat(scale, 'L'))
		rust_name_weight_fail(scale);
	rust_name_weight_read_number(scale);
}

/** R, Q: references; P, O: pointers; S, A: slices and arrays; T: tuples; F: functions; D: dyn. */
static void weigh_type(struct scale *scale)
{
	char tag = rust_name_weight_next(scale);
	switch (tag) {
	case 'R':
	case 'Q':
		if (rust_name_weight_eat(scale, 'L'))
			rust_name_weight_read_number(scale);
		rust_name_weight_weigh(scale, TYPE);
		break;
	case 'P':
	case 'O':
	case 'S':
		rust_name_weight_weigh(scale, TYPE);
		break;
	case 'A':
		rust_name_weight_weigh(scale, TYPE);
		rust_name_weight_weigh(scale, CONSTANT);
		break;
	case 'T':
		while (!rust_name_weight_ends(scale))
			rust_name_weight_weigh(scale, TYPE);
		break;
	case 'F':
		rust_name_weight_weigh_function(scale);
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
		rust_name_weight_weigh(scale, PATH);
	}
}

static void weigh_constant(struct scale *scale)
{
	if (rust_name_weight_eat(scale, 'B')) {
		weigh_reference(scale, CONSTANT);
		return;
	}
	if (rust_name_weight_next(scale) == 'p')
		return;
	rust_name_weight_eat(scale, 'n'); // it is negative
	size_t first = scale->next;
	while (!scale->failed && !rust_name_weight_eat(scale, '_'))
		rust_name_weight_next(scale);
	rust_name_weight_add(scale, scale->next - first);
}

static void rust_name_weight_weigh(struct scale *scale, enum kind kind)
{
	static void (*const weighers[NUM_KINDS])(struct scale *) = {
		[PATH] = weigh_path,
		[TYPE] = weigh_type,
		[CONSTANT] = weigh_constant,
	};
	if (scale->depth == MAX_DEPTH)
		rust_name_weight_fail(scale);
	if (scale->failed)
		return;
	rust_name_weight_add(scale, PART_WEIGHT);
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
	rust_name_weight_weigh(&scale, PATH);
	if (!scale.failed && scale.next < scale.length)
		skip_path(&scale); // the crate that made it
	free(scale.weights);
	if (scale.is_heavy)
		return RUST_NAME_IS_HEAVY;
	return scale.failed || scale.next < scale.length ? RUST_NAME_IS_DAMAGED
							 : RUST_NAME_IS_LIGHT;
}
