/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CALLS_WAIT_RULE_H
#define WPERF_REPORT_CALLS_WAIT_RULE_H

/** What a name says of what is waited for: tables of "futex" -> "lock" and the like. */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct wait_rule {
	const char *name; /* a call, or a part of the name of a function */
	const char *kind;
};

/** The kind of the first rule that fits; NULL: none does. @is_part: its name is within @name. */
static inline const char *wait_rule_find(const struct wait_rule *rules, size_t num,
					 const char *name, bool is_part)
{
	for (size_t i = 0; i < num; i++)
		if (is_part ? strstr(name, rules[i].name) != NULL
			    : strcmp(name, rules[i].name) == 0)
			return rules[i].kind;
	return NULL;
}

#endif
