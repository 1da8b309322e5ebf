// SPDX-License-Identifier: Apache-2.0

#include "cli/options.h"

#include "base/array.h"
#include "base/duration.h"
#include "base/number.h"
#include "cli/option.h"
#include "object/symbol_path.h"

#include <string.h>

/** Where the parser is: the words, and what they have said so far. */
struct parser {
	size_t num_words;
	char *const *words;
	size_t next;
	struct options *options;
	unsigned commands_named; /* of all words: which of two options is meant hangs on them */
	unsigned commands_seen;
	enum command_id first_word; /* the first command that is a word, not -l or --help */
	size_t num_used; /* of used[]: options that were said, to be checked against the command */
	const struct option **used;
	size_t cap_used;
};

static void *member_of(struct options *options, const struct option *option)
{
	return (char *)options + option->offset;
}

static struct error *add_text(struct text_list *list, const char *text)
{
	struct error *err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
	if (!err)
		list->items[list->num_items++] = text;
	return err;
}

static struct error *add_counted(struct options *options, bool is_metric, const char *spec)
{
	struct error *err =
		array_reserve(&options->counted, &options->cap_counted, options->num_counted + 1);
	if (!err)
		options->counted[options->num_counted++] = (struct counted_word){is_metric, spec};
	return err;
}

static struct error *invalid_value(const char *spelling, const char *value)
{
	return error_create(ERROR_USAGE, "input: \"%s\" to argument '%s' is invalid", value,
			    spelling);
}

static struct error *set_number(const struct option *option, const char *spelling,
				const char *value, uint32_t *ret)
{
	uint64_t number;
	if (number_parse_decimal(value, strlen(value), &number) == NUMBER_OK &&
	    number >= option->min && number <= option->max) {
		*ret = (uint32_t)number;
		return NULL;
	}
	return error_with_hint(invalid_value(spelling, value), "a whole number of %u to %u",
			       option->min, option->max);
}

static struct error *set_duration(const struct parser *parser, const struct option *option,
				  const char *spelling, const char *value, uint64_t *ret)
{
	uint64_t duration_ns;
	if (!duration_parse(value, &duration_ns))
		return error_with_hint(
			invalid_value(spelling, value),
			"a number with at most two decimals, and ms, s, m, h or d: 1.5, 250ms");
	// The peer takes no time at all for all the time there is.
	if (duration_ns < option->min && !parser->options->compat)
		return error_with_hint(invalid_value(spelling, value),
				       "leave it out to go on until Ctrl-C or the end of the "
				       "program");
	*ret = duration_ns;
	return NULL;
}

static struct error *set_value(struct parser *parser, const struct option *option,
			       const char *spelling, const char *value)
{
	struct options *options = parser->options;
	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)member_of(options, option) = true;
		return NULL;
	case OPTION_TEXT:
		*(const char **)member_of(options, option) = value;
		return NULL;
	case OPTION_TEXTS:
		return add_text(member_of(options, option), value);
	case OPTION_EVENTS:
		return add_counted(options, false, value);
	case OPTION_METRICS:
		return add_counted(options, true, value);
	case OPTION_DURATION:
		return set_duration(parser, option, spelling, value, member_of(options, option));
	case OPTION_NUMBER:
		return set_number(option, spelling, value, member_of(options, option));
	case OPTION_COMMAND:
		parser->commands_seen |= 1U << option->offset;
		return NULL;
	}
	return NULL;
}

static struct error *use_option(struct parser *parser, const struct option *option,
				const char *spelling, const char *inline_value)
{
	struct error *err = array_reserve(&parser->used, &parser->cap_used, parser->num_used + 1);
	if (err)
		return err;
	parser->used[parser->num_used++] = option;

	if (!option->value) {
		if (inline_value)
			return error_create(ERROR_USAGE, "option '%s' takes no value",
					    option->spellings[0]);
		return set_value(parser, option, spelling, NULL);
	}
	if (inline_value)
		return set_value(parser, option, spelling, inline_value);
	if (parser->next < parser->num_words)
		return set_value(parser, option, spelling, parser->words[parser->next++]);
	if (parser->options->compat)
		return NULL; // the peer says nothing
	return error_with_hint(error_create(ERROR_USAGE, "option '%s' has no value", spelling),
			       "write %s %s", spelling, option->value);
}

/** `--opt=value` and abbreviations; @ret stays NULL for a word that is no option. */
static struct error *find_long_option(const struct parser *parser, const char *word,
				      const struct option **ret, const char **ret_value)
{
	*ret = NULL;
	if (strncmp(word, "--", 2) != 0)
		return NULL;
	size_t length = strcspn(word, "=");
	*ret_value = word[length] ? word + length + 1 : NULL;
	*ret = option_find(word, length, parser->commands_named);
	return *ret ? NULL : option_find_abbreviation(word, length, parser->commands_named, ret);
}

static struct error *unexpected_word(const char *word)
{
	struct error *err = error_create(ERROR_USAGE, "unexpected arg '%s'", word);
	const char *nearest = option_nearest(word);
	if (nearest)
		return error_with_hint(err, "did you mean '%s'?", nearest);
	return error_with_hint(err, "wperf help shows what there is");
}

/** Behind `man` and `list` the name of a command is a word like others; `help help` is meant so. */
static bool is_argument(const struct parser *parser, enum command_id command)
{
	enum command_id first = parser->first_word;
	if (first == COMMAND_NONE || parser->options->compat)
		return false;
	return first == COMMAND_HELP ? command == COMMAND_HELP : commands[first].arguments != NULL;
}

static bool take_command(struct parser *parser, const char *word)
{
	enum command_id command = command_find(word);
	if (command == COMMAND_NONE || is_argument(parser, command))
		return false;
	parser->commands_seen |= 1U << command;
	if (parser->first_word == COMMAND_NONE)
		parser->first_word = command;
	return true;
}

static struct error *take_word(struct parser *parser, const char *word)
{
	const struct option *option = option_find(word, strlen(word), parser->commands_named);
	if (option)
		return use_option(parser, option, word, NULL);
	if (take_command(parser, word))
		return NULL;
	if (parser->options->compat || word[0] != '-')
		return add_text(&parser->options->arguments, word);

	const char *value;
	struct error *err = find_long_option(parser, word, &option, &value);
	if (err)
		return err;
	if (!option)
		return unexpected_word(word);
	return use_option(parser, option, option->spellings[0], value);
}

static void look_at_word(struct parser *ahead, const char *word)
{
	const struct option *option = option_find(word, strlen(word), 0);
	if (!option && take_command(ahead, word))
		return;
	if (option && option->kind == OPTION_COMMAND)
		ahead->commands_seen |= 1U << option->offset;
	bool has_value = option ? option->value != NULL
				: !ahead->options->compat && option_abbreviation_has_value(word);
	ahead->next += has_value;
}

/** Which commands are among the words, before any is taken: the order of words never matters. */
static unsigned look_for_commands(const struct parser *parser)
{
	struct parser ahead = *parser;
	while (ahead.next < ahead.num_words && strcmp(ahead.words[ahead.next], "--") != 0)
		look_at_word(&ahead, ahead.words[ahead.next++]);
	return ahead.commands_seen;
}

static enum command_id first_command(unsigned seen)
{
	for (unsigned id = 0; id < NUM_COMMANDS; id++)
		if (seen & 1U << id)
			return id;
	return COMMAND_NONE;
}

/**
 * `help` or `--help` beside a command asks for that command's help; two other commands have no
 * meaning together, except for the peer, which takes the first in its order.
 */
static struct error *choose_command(struct parser *parser)
{
	const unsigned help = 1U << COMMAND_HELP;
	struct options *options = parser->options;
	unsigned others = parser->commands_seen & ~help;
	enum command_id first = first_command(others);

	options->command = first_command(parser->commands_seen);
	if (others == 0 || options->compat)
		return NULL;
	enum command_id second = first_command(others & ~(1U << first));
	if (second != COMMAND_NONE)
		return error_with_hint(error_create(ERROR_USAGE,
						    "both '%s' and '%s' were asked for",
						    commands[first].name, commands[second].name),
				       "one command at a time");
	if (!(parser->commands_seen & help))
		return NULL;
	options->command = COMMAND_HELP;
	// What the command would have been about does not matter to its help.
	if (commands[first].arguments)
		options->arguments.num_items = 0;
	if (options->arguments.num_items)
		return unexpected_word(options->arguments.items[0]);
	return add_text(&options->arguments, commands[first].name);
}

static struct error *warn_unexpected(struct options *options, size_t first)
{
	for (size_t i = first; i < options->arguments.num_items; i++)
		string_builder_appendf(&options->warnings, "warning: unexpected arg '%s' ignored\n",
				       options->arguments.items[i]);
	options->arguments.num_items = first;
	return NULL;
}

static struct error *check_arguments(struct options *options)
{
	if (!options->arguments.num_items)
		return NULL;
	if (options->compat)
		return warn_unexpected(options, options->command == COMMAND_MAN);
	if (options->command == COMMAND_NONE || !commands[options->command].arguments)
		return unexpected_word(options->arguments.items[0]);
	return NULL;
}

static struct error *check_options_fit(const struct parser *parser)
{
	const struct options *options = parser->options;
	if (options->compat || options->command == COMMAND_NONE)
		return NULL;
	// "--help" with options of the other command is fine: help is all that happens.
	if (options->command == COMMAND_HELP)
		return NULL;
	for (size_t i = 0; i < parser->num_used; i++)
		if (!(parser->used[i]->commands & 1U << options->command))
			return error_with_hint(
				error_create(ERROR_USAGE, "option '%s' means nothing to '%s'",
					     parser->used[i]->spellings[0],
					     commands[options->command].name),
				"wperf help %s shows its options", commands[options->command].name);
	return NULL;
}

static struct error *check_spawn(struct options *options)
{
	static const char wrong[] = "warning: only `stat` and `record` support process spawn!";
	unsigned spawning = 1U << COMMAND_STAT | 1U << COMMAND_RECORD | 1U << COMMAND_HELP;
	if (!options->spawn)
		return NULL;
	bool can_spawn = options->command != COMMAND_NONE && spawning & 1U << options->command;
	if (!can_spawn && options->compat) {
		string_builder_appendf(&options->warnings, "%s\n", wrong);
		return NULL;
	}
	if (!can_spawn)
		return error_with_hint(error_create(ERROR_USAGE, "%s", wrong),
				       "write wperf stat ... -- COMMAND [ARGS], or record");
	if (!options->num_spawn)
		return error_with_hint(error_create(ERROR_USAGE, "no command behind '--'"),
				       "write wperf %s ... -- COMMAND [ARGS]",
				       commands[options->command].name);
	return NULL;
}

/** Options that ask for something, but not for what. The peer says nothing to that. */
static struct error *check_command(const struct options *options)
{
	if (options->command != COMMAND_NONE || options->empty || options->compat)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "no command among these words"),
			       "stat counts, record and sample find out where, list shows what "
			       "there is; wperf help shows all");
}

static void read_environment(struct options *options)
{
	const char *compat = getenv("WPERF_COMPAT");
	options->compat = compat && *compat && strcmp(compat, "0") != 0;
	options->source = getenv("WPERF_SOURCE");
	options->events_dir = getenv("WPERF_EVENTS_DIR");
}

static bool says_nothing(size_t num_words, char *const *words)
{
	for (size_t i = 0; i < num_words; i++)
		if (strcmp(words[i], "--compat") != 0)
			return false;
	return true;
}

/** How words are taken depends on it, so it is looked for before them. */
static bool asks_for_compat(size_t num_words, char *const *words)
{
	for (size_t i = 0; i < num_words && strcmp(words[i], "--") != 0; i++)
		if (!strcmp(words[i], "--compat"))
			return true;
	return false;
}

static struct error *take_words(struct parser *parser)
{
	while (parser->next < parser->num_words) {
		const char *word = parser->words[parser->next++];
		if (!strcmp(word, "--")) {
			parser->options->spawn = parser->words + parser->next;
			parser->options->num_spawn = parser->num_words - parser->next;
			return NULL;
		}
		struct error *err = take_word(parser, word);
		if (err)
			return err;
	}
	return NULL;
}

struct error *options_parse(size_t num_words, char *const *words, struct options *options)
{
	read_environment(options);
	if (asks_for_compat(num_words, words))
		options->compat = true;
	options->empty = says_nothing(num_words, words);

	struct parser parser = {
		.num_words = num_words,
		.words = words,
		.options = options,
		.first_word = COMMAND_NONE,
	};
	parser.commands_named = look_for_commands(&parser);
	struct error *err = take_words(&parser);
	if (!err)
		err = choose_command(&parser);
	if (!err)
		err = check_arguments(options);
	if (!err)
		err = check_spawn(options);
	if (!err)
		err = check_command(options);
	if (!err)
		err = check_options_fit(&parser);
	free(parser.used);
	return err;
}

void options_deinit(struct options *options)
{
	free(options->arguments.items);
	free(options->counted);
	free(options->extra_events.items);
	free(options->metric_files.items);
	free(options->config.items);
	string_builder_deinit(&options->warnings);
	symbol_path_destroy(options->pdb_places);
}

struct error *options_open_symbol_path(struct options *options)
{
	const char *words = options->symbol_path ? options->symbol_path : options->pdb_file;
	return symbol_path_create(words, &options->pdb_places);
}
