// SPDX-License-Identifier: Apache-2.0

#include "agent/service_rules.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "base/text/name_pattern.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 4096 };

struct error *service_rules_add(struct service_rules *rules, const char *word)
{
	const char *equals = strrchr(word, '=');
	if (!equals || equals == word || !equals[1])
		return error_with_hint(error_create(ERROR_USAGE, "not a service rule: '%s'", word),
				       "write PATTERN=NAME, as in '*gunicorn*shop*=shop'");
	struct error *err = array_reserve(&rules->items, &rules->cap_items, rules->num_items + 1);
	if (err)
		return err;
	struct service_rule rule = {strndup(word, (size_t)(equals - word)), strdup(equals + 1)};
	rules->items[rules->num_items++] = rule;
	return rule.pattern && rule.name ? NULL : &error_no_memory;
}

struct error *service_rules_read(struct service_rules *rules, const char *path)
{
	FILE *file = file_path_open(path, "r");
	if (!file)
		return error_create_errno(errno, "cannot read '%s'", path);
	struct error *err = NULL;
	char line[MAX_LINE];
	while (!err && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\r\n")] = '\0';
		const char *word = line + strspn(line, " \t");
		if (*word && *word != '#')
			err = service_rules_add(rules, word);
	}
	if (!err && ferror(file))
		err = error_create_errno(errno, "cannot read '%s'", path);
	fclose(file);
	return err;
}

const char *service_rules_find(const struct service_rules *rules, const char *name,
			       const char *command)
{
	for (size_t i = 0; i < rules->num_items; i++) {
		const struct service_rule *rule = &rules->items[i];
		if (name_pattern_match_glob(rule->pattern, name) ||
		    name_pattern_match_glob(rule->pattern, command))
			return rule->name;
	}
	return NULL;
}

void service_rules_deinit(struct service_rules *rules)
{
	for (size_t i = 0; i < rules->num_items; i++) {
		free(rules->items[i].pattern);
		free(rules->items[i].name);
	}
	free(rules->items);
	*rules = (struct service_rules)SERVICE_RULES_INIT;
}
