/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_SERVICE_RULES_H
#define WPERF_AGENT_SERVICE_RULES_H

/**
 * The user's names of services: "PATTERN=NAME". The pattern is that of name_pattern_match_glob(),
 * of a process's name or of its command line. Of several that match, the first counts.
 */

#include "base/error.h"

#include <stddef.h>

struct service_rule {
	char *pattern, *name;
};

struct service_rules {
	struct service_rule *items;
	size_t num_items, cap_items;
};

#define SERVICE_RULES_INIT \
	{                  \
	}

/** @word: the name is behind the last '='. */
struct error *service_rules_add(struct service_rules *rules, const char *word);

/** A rule in each line; empty lines and those that begin with # are ignored. */
struct error *service_rules_read(struct service_rules *rules, const char *path);

/** NULL: no rule matches. */
const char *service_rules_find(const struct service_rules *rules, const char *name,
			       const char *command);

void service_rules_deinit(struct service_rules *rules);

#endif
