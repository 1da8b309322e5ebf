// SPDX-License-Identifier: Apache-2.0

#include "session/control/control_command.h"

#include "base/container/array.h"

#include <stdbool.h>
#include <string.h>

static const struct {
	const char *word;
	enum control_verb verb;
} verbs[] = {
	{"enable", CONTROL_ENABLE}, {"disable", CONTROL_DISABLE}, {"snapshot", CONTROL_SNAPSHOT},
	{"evlist", CONTROL_EVLIST}, {"ping", CONTROL_PING},       {"stop", CONTROL_STOP},
};

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

/** Messages repeat the line: what a terminal would take for orders does not get into it. */
static bool control_command_copy(struct control_command *command, const char *line, size_t length)
{
	bool is_whole = length <= CONTROL_LINE_MAX, prints = true;
	size_t kept = is_whole ? length : CONTROL_LINE_MAX;
	for (size_t i = 0; i < kept; i++) {
		bool byte_prints = (line[i] >= ' ' && line[i] <= '~') || line[i] == '\t';
		command->line[i] = line[i];
		if (!byte_prints)
			command->line[i] = '?';
		prints = prints && byte_prints;
	}
	command->line[kept] = '\0';
	return is_whole && prints;
}

void control_command_parse(const char *line, size_t length, struct control_command *ret)
{
	while (length && is_blank(line[length - 1]))
		length--;
	for (; length && is_blank(*line); length--)
		line++;
	ret->verb = CONTROL_UNKNOWN;
	bool is_text = control_command_copy(ret, line, length);
	ret->argument_at = strlen(ret->line);
	size_t word = strcspn(ret->line, " \t");
	for (size_t i = 0; is_text && i < ARRAY_SIZE(verbs); i++)
		if (strlen(verbs[i].word) == word && !strncmp(verbs[i].word, ret->line, word)) {
			ret->verb = verbs[i].verb;
			ret->argument_at = word + strspn(ret->line + word, " \t");
		}
}
