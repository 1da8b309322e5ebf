/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_PROBE_VALUES_H
#define WPERF_CATALOG_LINUX_PROBE_VALUES_H

/**
 * What stands behind a probe in parentheses: the values that its samples bring, and which of them
 * are samples at all.
 *
 *	"(" [ VALUE { "," VALUE } ] [ "if" CONDITION { "and" CONDITION } ] ")"
 *	VALUE = ( "arg" N | "ret" ) [ ":" TYPE ]   a number
 *	      | "str" N | "strret"                 the string that arg N, or ret, points to
 *	TYPE = "s8" "s16" "s32" "s64" "u8" "u16" "u32" "u64"
 *	CONDITION = VALUE ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) [ "-" ] number
 *
 * N counts from 1, as the arguments of a static probe do.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PROBE_VALUES_MAX = 6,
	PROBE_MAX_CONDITIONS = 4,
	PROBE_MAX_ARGUMENT = 12, /* of a static probe; functions have fewer in registers */
	PROBE_VALUE_LABEL = 16,
};

struct probe_value {
	unsigned argument; /* 0: what the function returns */
	bool is_string;
	unsigned bits; /* of a number; 0: not said */
	bool is_unsigned;
	char label[PROBE_VALUE_LABEL]; /* as it was written, without blanks */
};

enum probe_comparison {
	PROBE_EQUAL,
	PROBE_UNEQUAL,
	PROBE_LESS,
	PROBE_AT_MOST,
	PROBE_GREATER,
	PROBE_AT_LEAST,
	PROBE_NUM_COMPARISONS,
};

struct probe_condition {
	struct probe_value value;
	enum probe_comparison comparison;
	int64_t number; /* the bits of one without sign if the value has none */
};

struct probe_values {
	struct probe_value items[PROBE_VALUES_MAX];
	size_t num_items;
	struct probe_condition conditions[PROBE_MAX_CONDITIONS];
	size_t num_conditions;
};

/** @text: what is between the parentheses. NULL: read; else what is wrong with it. */
const char *probe_values_parse(const char *text, size_t length, struct probe_values *ret);

/** The same of an event's whole name. False: it has no values. */
bool probe_values_of_name(const char *event_name, struct probe_values *ret);

/** Where in @text, which begins with a probe, the "(" of its values is; 0: it has none. */
size_t probe_values_start(const char *text);

/** The length of @text up to and with the ")" of a probe's values; 0: it begins with no probe that
 *  has values. */
size_t probe_values_word_length(const char *text);

#endif
