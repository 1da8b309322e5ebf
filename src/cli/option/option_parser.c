// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_parser.h"

#include "base/container/array.h"
#include "cli/option/foreign/foreign_command.h"
#include "cli/option/foreign/foreign_words.h"
#include "cli/option/option_otlp.h"
#include "cli/option/option_value.h"
#include "cli/option/option_word.h"
#include "cli/option/program_words.h"
#include "record/perf_data/perf_data_header.h"

#include <string.h>

// The words are gone over twice. look_ahead() takes nothing and only finds out which commands are
// among the words, whether a target is named, and where our words end and those of a program begin.
// All three may stand anywhere, and decide what other words mean: "-e" of stat is another option
// than "-e" of record, and "sleep" may be a time-out or a program. option_parser_take_words() then
// takes each word with that knowledge. Checks come last, when all words were taken, so that the
// order of the words does not matter to them.
//
// In between, the command of another tool ("c2c report" of perf) is replaced by words of ours,
// which are looked at anew (option_parser_translate()). A row may have two translations: for a
// recording, and for a program or processes. Which one is meant can be seen only when the words of
// the first are in place.
//
// With --compat the rules are those of WindowsPerf 3.8.0, "the peer" below: no abbreviations, no
// bundles, values of any form, and warnings or silence where wperf has errors
// (docs/decisions/code.md).

/** An option that was said, to be checked against the command. */
struct used_option {
	const struct option *option;          /* NULL: only another tool has it */
	const struct foreign_option *foreign; /* NULL: it is spelt as ours */
	const char *spelling;
};

#define NO_WORD SIZE_MAX

/** Where the parser is: the words, and what they have said so far. */
struct parser {
	size_t num_words;
	char *const *words;
	size_t next;
	size_t end; /* of our words: where "--" stands, or the program of a command without it */
	struct options *options;
	unsigned commands_named; /* of all words: which of two options is meant hangs on them */
	unsigned commands_seen;
	enum command_id first_word; /* the first command that is a word, not -l or --help */
	size_t first_at;            /* its index, or that of a command of another tool */
	const struct foreign_command *foreign_command;
	size_t second_at;  /* of the word behind the latter, if it needs one; else NO_WORD */
	const char *stray; /* the first word that is neither option nor command, nor follows one */
	bool has_target;   /* named by an option: -p, -a, --pe_file, --image_name */
	bool has_dashes;   /* a program's words are behind "--" */
	size_t num_used;
	struct used_option *used;
	size_t cap_used;
};

static struct error *note_use(struct parser *parser, const struct used_option *used)
{
	struct error *err = array_reserve(&parser->used, &parser->cap_used, parser->num_used + 1);
	if (!err)
		parser->used[parser->num_used++] = *used;
	return err;
}

static bool is_option(const struct parser *parser, const char *word, unsigned takers)
{
	struct option_word read;
	if (parser->options->compat)
		return option_find(word, strlen(word), takers) != NULL;
	// A word with one dash may also be a value, such as "-1".
	if (word[0] != '-' || !strncmp(word, "--", 2))
		return word[0] == '-';
	error_destroy(option_word_read(word, takers, &read));
	return option_word_is_known(&read);
}

/** The next word, unless that is an option; the peer takes it whatever it is. */
static const char *next_value(struct parser *parser, const struct option *option, unsigned takers)
{
	// WindowsPerf takes whatever comes next, even "--": the end of our words does not hold for
	// it.
	bool is_compat = parser->options->compat;
	if (parser->next >= (is_compat ? parser->num_words : parser->end))
		return NULL;
	const char *word = parser->words[parser->next];
	bool is_value = option && option->may_be_value && option->may_be_value(word);
	if (!is_compat && !is_value && is_option(parser, word, takers))
		return NULL;
	return parser->words[parser->next++];
}

/** As it was typed, but in full. */
static const char *spelling_of(const struct option_word *read, const char *word)
{
	if (read->foreign)
		return read->foreign->word;
	bool is_whole = option_find(word, strlen(word), 0) != NULL;
	return is_whole ? word : read->option->spellings[0];
}

/** An option that no command takes here is refused later, whatever its value is. */
static bool is_foreign_here(const struct parser *parser, const struct option *option)
{
	return !parser->options->compat && parser->commands_named &&
	       !(option->commands & parser->commands_named) && option->kind != OPTION_COMMAND;
}

static struct error *use_word(struct parser *parser, const struct option_word *read,
			      const char *word)
{
	const struct option *option = read->option;
	const char *spelling = spelling_of(read, word);
	struct error *err = NULL;
	// The flags of a bundle ("-ag" of "-agF99"), then its last option.
	for (size_t i = 0; !err && i < read->num_flags; i++) {
		const struct option *flag = read->flags[i];
		err = note_use(parser, &(struct used_option){flag, NULL, flag->spellings[0]});
		if (!err)
			err = option_value_set(parser->options, flag, flag->spellings[0], NULL);
	}
	const struct used_option used = {option, read->foreign, spelling};
	if (!err)
		err = note_use(parser, &used);
	if (err)
		return err;
	if (!option || is_foreign_here(parser, option)) {
		if (option_word_wants_value(read))
			next_value(parser, option, parser->commands_named);
		return NULL;
	}
	if (option->value) {
		const char *value = read->value
					    ? read->value
					    : next_value(parser, option, parser->commands_named);
		if (value)
			return option_value_set(parser->options, option, spelling, value);
		// The peer says nothing of a value that is missing.
		return parser->options->compat ? NULL : option_value_missing(option, spelling);
	}
	if (read->value)
		return error_create(ERROR_USAGE, "option '%s' takes no value",
				    option->spellings[0]);
	if (option->kind == OPTION_COMMAND)
		parser->commands_seen |= 1U << option->offset;
	return option_value_set(parser->options, option, spelling, NULL);
}

static struct error *with_nearest(struct error *err, const char *word)
{
	// A mistyped command is more likely than a program, and is said first.
	const char *nearest = option_nearest(word);
	if (nearest)
		return error_with_hint(err, "did you mean '%s'?", nearest);
	return error_with_hint(err, "'wperf help' lists the commands");
}

static bool take_command(struct parser *parser, const char *word)
{
	enum command_id command = command_find(word), first = parser->first_word;
	if (command == COMMAND_NONE)
		return false;
	// Behind `man` and `list` the name of a command is a word like others; `help help` is meant
	// so.
	if (first != COMMAND_NONE && !parser->options->compat &&
	    (first == COMMAND_HELP ? command == COMMAND_HELP : commands[first].arguments != NULL))
		return false;
	parser->commands_seen |= 1U << command;
	// Only the first one can be the place of another tool's command.
	if (first != COMMAND_NONE)
		return true;
	parser->first_word = command;
	parser->first_at = parser->next - 1;
	return true;
}

static struct error *option_parser_take_word(struct parser *parser, const char *word)
{
	struct options *options = parser->options;
	struct option_word read;
	if (options->compat)
		read = (struct option_word){
			.option = option_find(word, strlen(word), parser->commands_named),
		};
	else {
		struct error *err = option_word_read(word, parser->commands_named, &read);
		if (err)
			return err;
	}
	if (option_word_is_known(&read))
		return use_word(parser, &read, word);
	if (take_command(parser, word))
		return NULL;
	if (options->compat || word[0] != '-' || !word[1])
		return text_list_add(&options->arguments, word);
	return with_nearest(error_create(ERROR_USAGE, "unknown option '%s'", word), word);
}

/**
 * `record sleep 1` runs the program `sleep`; `record -p 1 sleep 1` ends after a second, as with
 * the peer, and so does `record sleep 1 -- prog`.
 */
static bool is_program_sleep(const struct parser *ahead, const char *word)
{
	if (strcmp(word, "sleep") != 0 || !(ahead->commands_seen & 1U << COMMAND_RECORD) ||
	    ahead->options->compat || ahead->has_target)
		return false;
	for (size_t i = ahead->next; i < ahead->num_words; i++)
		if (!strcmp(ahead->words[i], "--"))
			return false;
	return true;
}

static bool names_target(const struct option *option)
{
	static const size_t members[] = {
		offsetof(struct options, pids),
		offsetof(struct options, system_wide),
		offsetof(struct options, pe_file),
		offsetof(struct options, image_name),
	};
	for (size_t i = 0; option->kind != OPTION_COMMAND && i < ARRAY_SIZE(members); i++)
		if (option->offset == members[i])
			return true;
	return false;
}

/** The first word that is no option may be a command of other tools. */
static bool find_foreign_command(struct parser *ahead, const char *word)
{
	if (ahead->options->compat || ahead->commands_seen || ahead->foreign_command)
		return false;
	ahead->foreign_command = foreign_command_find(word);
	if (!ahead->foreign_command)
		return false;
	ahead->first_at = ahead->next - 1;
	return true;
}

/** `sleep`, where the command knows no time-out, is a program like others. */
static bool is_stray(const struct parser *ahead, const struct option_word *read, const char *word)
{
	return !ahead->options->compat && word[0] != '-' && read->option && ahead->commands_seen &&
	       !(read->option->commands & ahead->commands_seen);
}

static void look_at_option(struct parser *ahead, const struct option_word *read)
{
	for (size_t i = 0; i < read->num_flags; i++)
		ahead->has_target |= names_target(read->flags[i]);
	if (read->option)
		ahead->has_target |= names_target(read->option);
	if (read->option && read->option->kind == OPTION_COMMAND)
		ahead->commands_seen |= 1U << read->option->offset;
	if (option_word_wants_value(read))
		next_value(ahead, read->option, ahead->commands_seen);
}

/** @return whether it is a word of ours, and the ones behind it may be. */
static bool look_at_word(struct parser *ahead, const char *word)
{
	const unsigned spawning = COMMANDS_THAT_START;
	const struct option *exact = option_find(word, strlen(word), 0);
	struct option_word read = {.option = exact};
	// The word that says which row of a command of other tools is meant.
	if (ahead->foreign_command && word[0] != '-' &&
	    foreign_command_needs_second(ahead->foreign_command->word)) {
		ahead->second_at = ahead->next - 1;
		return false;
	}
	if (exact)
		ahead->has_target |= names_target(exact);
	_cleanup_(error_destroyp) struct error *err =
		ahead->options->compat ? NULL : option_word_read(word, ahead->commands_seen, &read);
	if (err) {
		// Several options begin so: the error comes later, but a value behind it is no
		// command.
		if (option_abbreviation_has_value(word))
			next_value(ahead, NULL, ahead->commands_seen);
		return true;
	}
	if (option_word_is_known(&read) && !is_program_sleep(ahead, word) &&
	    !is_stray(ahead, &read, word)) {
		look_at_option(ahead, &read);
		return true;
	}
	if (take_command(ahead, word) || find_foreign_command(ahead, word))
		return true;
	// The program of a command without "--".
	if (!ahead->options->compat && ahead->commands_seen & spawning && word[0] != '-')
		return false;
	ahead->stray = ahead->stray ? ahead->stray : word;
	return true;
}

/**
 * Which commands are among the words, and where these end, before any is taken: the order of
 * words never matters.
 */
static struct parser look_ahead(const struct parser *parser)
{
	struct parser ahead = *parser;
	// A copy: what was seen goes into it, and @parser stays in front of the first word.
	bool is_ours = true;
	ahead.end = ahead.num_words;
	while (is_ours && ahead.next < ahead.num_words) {
		const char *word = ahead.words[ahead.next++];
		is_ours = strcmp(word, "--") != 0 && look_at_word(&ahead, word);
	}
	// The word that ended the search is "--" or the program.
	ahead.end = is_ours ? ahead.num_words : ahead.next - 1;
	return ahead;
}

/** A first word that nobody knows says more than what is wrong with those behind it. */
static struct error *check_first_word(const struct parser *ahead)
{
	const char *word = ahead->stray;
	if (ahead->options->compat || ahead->commands_seen || !word || word[0] == '-')
		return NULL;
	struct error *err = error_create(ERROR_USAGE, "unknown command '%s'", word);
	if (!option_nearest(word) && program_words_are_there(word))
		return error_with_hint(err,
				       "wperf record %s samples this program, wperf stat %s "
				       "counts its events",
				       word, word);
	return with_nearest(err, word);
}

static enum command_id first_command(unsigned seen)
{
	// In the order of the table, which is that of the peer.
	for (unsigned id = 0; id < NUM_COMMANDS; id++)
		if (seen & 1U << id)
			return id;
	return COMMAND_NONE;
}

static struct error *unexpected_word(const struct options *options, const char *word)
{
	static const char *const hints[NUM_COMMANDS] = {
		[COMMAND_SAMPLE] =
			"sample attaches to a running program; wperf record %s starts one",
		[COMMAND_TOP] =
			"top attaches to running programs: -p PID; wperf record %s starts one",
	};
	struct error *err = error_create(ERROR_USAGE, "unexpected arg '%s'", word);
	const char *hint = options->command < NUM_COMMANDS ? hints[options->command] : NULL;
	if (hint && !option_nearest(word))
		return error_with_hint(err, hint, word);
	return with_nearest(err, word);
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
		return error_with_hint(error_create(ERROR_USAGE, "'%s' and '%s' are two commands",
						    commands[first].name, commands[second].name),
				       "give one command");
	if (!(parser->commands_seen & help))
		return NULL;
	options->command = COMMAND_HELP;
	// What the command would have been about does not matter to its help.
	if (commands[first].arguments)
		options->arguments.num_items = 0;
	if (options->arguments.num_items)
		return unexpected_word(options, options->arguments.items[0]);
	return text_list_add(&options->arguments, commands[first].name);
}

static struct error *option_parser_check_arguments(struct options *options)
{
	if (!options->arguments.num_items)
		return NULL;
	if (options->compat) {
		// The peer takes one name for `man` and ignores all other words, with a warning.
		size_t first = options->command == COMMAND_MAN;
		for (size_t i = first; i < options->arguments.num_items; i++)
			string_builder_appendf(&options->warnings,
					       "warning: unexpected arg '%s' ignored\n",
					       options->arguments.items[i]);
		options->arguments.num_items = first;
		return NULL;
	}
	// Commands that take words check them themselves.
	if (options->command == COMMAND_NONE || !commands[options->command].arguments)
		return unexpected_word(options, options->arguments.items[0]);
	return NULL;
}

/** "'record' and 'top'" of those that have it; empty if they are many. */
static void name_takers(unsigned takers, struct string_builder *text)
{
	enum { MAX_TAKERS = 4 };
	// `test` takes what the commands take that it stands for, and would only lengthen the list.
	takers &= ~(1U << COMMAND_TEST);
	unsigned num = (unsigned)__builtin_popcount(takers), index = 0;
	for (unsigned id = 0; num <= MAX_TAKERS && id < NUM_COMMANDS; id++) {
		if (!(takers & 1U << id))
			continue;
		string_builder_appendf(text, "%s'%s'",
				       !index            ? ""
				       : index + 1 < num ? ", "
							 : " and ",
				       commands[id].name);
		index++;
	}
	if (index)
		string_builder_append(text, index > 1 ? " have it; " : " has it; ");
}

static struct error *no_such_option(const struct used_option *used, const struct command *command)
{
	struct error *err =
		error_create(ERROR_USAGE, "'%s' has no option '%s'", command->name, used->spelling);
	if (used->foreign && used->foreign->hint)
		return error_with_hint(err, "%s", used->foreign->hint);
	_cleanup_(string_builder_deinit) struct string_builder takers = STRING_BUILDER_INIT;
	name_takers(option_takers(used->spelling), &takers);
	return error_with_hint(err, "%ssee 'wperf help %s'", string_builder_peek(&takers),
			       command->name);
}

static struct error *check_options_fit(const struct parser *parser)
{
	const struct options *options = parser->options;
	if (options->compat || options->command == COMMAND_NONE)
		return NULL;
	// "--help" with options of the other command is fine: help is all that happens.
	if (options->command == COMMAND_HELP)
		return NULL;
	for (size_t i = 0; i < parser->num_used; i++) {
		const struct used_option *used = &parser->used[i];
		bool is_taken = used->option ? used->option->commands & 1U << options->command
					     : !used->foreign->hint;
		if (!is_taken)
			return no_such_option(used, &commands[options->command]);
	}
	return NULL;
}

static struct error *check_spawn(struct options *options)
{
	static const char wrong[] = "warning: only `stat` and `record` support process spawn!";
	unsigned spawning = COMMANDS_THAT_START | 1U << COMMAND_HELP;
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
		return error_with_hint(error_create(ERROR_USAGE, "missing command after '--'"),
				       "write wperf %s ... -- COMMAND [ARGS]",
				       commands[options->command].name);
	return NULL;
}

/** How words are taken depends on it, so it is looked for before them. */
static bool asks_for_compat(const struct parser *ahead)
{
	for (size_t i = 0; i < ahead->end; i++)
		if (!strcmp(ahead->words[i], "--compat"))
			return true;
	return false;
}

static struct error *option_parser_take_words(struct parser *parser)
{
	struct error *err = NULL;
	while (!err && parser->next < parser->end)
		err = option_parser_take_word(parser, parser->words[parser->next++]);
	if (err || parser->next >= parser->num_words)
		return err;
	parser->has_dashes = !strcmp(parser->words[parser->next], "--");
	// What is left is the program and its arguments, untouched.
	size_t first = parser->next + parser->has_dashes;
	parser->options->spawn = parser->words + first;
	parser->options->num_spawn = parser->num_words - first;
	return NULL;
}

static struct parser option_parser_begin(size_t num_words, char *const *words,
					 struct options *options)
{
	struct parser parser = {
		.num_words = num_words,
		.words = words,
		.options = options,
		.first_word = COMMAND_NONE,
		.second_at = NO_WORD,
	};
	struct parser ahead = look_ahead(&parser);
	if (!options->compat && asks_for_compat(&ahead)) {
		options->compat = true;
		// By the rules of the peer, the same words may end elsewhere.
		ahead = look_ahead(&parser);
	}
	return ahead;
}

/** The row of a command of another tool among the words, or NULL. */
static const struct foreign_command *option_parser_find_row(const struct parser *ahead)
{
	if (ahead->options->compat || ahead->commands_seen & 1U << COMMAND_HELP)
		return NULL;
	if (!ahead->foreign_command)
		return ahead->first_word == COMMAND_NONE
			       ? NULL
			       : foreign_command_find(commands[ahead->first_word].name);
	bool has_second = ahead->second_at != NO_WORD;
	return foreign_command_find_second(ahead->foreign_command->word,
					   has_second ? ahead->words[ahead->second_at] : NULL);
}

/** Not for a recording or profiles that are there, but for a program or for processes. */
static bool asks_to_record(const struct parser *ahead)
{
	bool has_program = ahead->end < ahead->num_words;
	return ahead->has_target || has_program ||
	       (ahead->stray && program_words_are_there(ahead->stray) &&
		!perf_data_is_recording(ahead->stray) && !options_names_otlp(ahead->stray));
}

/** @ours: words that take the place of the command. They are looked at anew. */
static struct error *replace_command(struct parser *ahead, const char *const *ours)
{
	struct options *options = ahead->options;
	const struct foreign_place place = {
		.num_words = ahead->num_words,
		.words = ahead->words,
		.command = ahead->first_at,
		.second = ahead->second_at,
	};
	char **words;
	size_t num_words;
	struct error *err = foreign_words_replace(&place, ours, &words, &num_words);
	if (err)
		return err;
	*ahead = option_parser_begin(num_words, words, options);
	free(options->own_words);
	options->own_words = words;
	return NULL;
}

/** Put words of ours in the place of another tool's command. @ret: its row; NULL: no note. */
static struct error *option_parser_translate(struct parser *ahead,
					     const struct foreign_command **ret)
{
	const struct foreign_command *row = option_parser_find_row(ahead);
	// Words of ours replace the command here, and may have to be replaced again by others.
	const struct parser before = *ahead;
	*ret = NULL;
	if (!row && !ahead->foreign_command)
		return NULL;
	if (ahead->commands_seen & 1U << COMMAND_HELP) {
		// `trace --help`, `help c2c`: what the table says of it.
		const char *const words[FOREIGN_MAX_WORDS] = {"help", ahead->foreign_command->word};
		return replace_command(ahead, words);
	}
	if (!row || (!row->reads[0] && !row->records[0]))
		return foreign_command_refuse(
			ahead->foreign_command,
			ahead->second_at == NO_WORD ? NULL : ahead->words[ahead->second_at]);
	struct error *err = row->reads[0] ? replace_command(ahead, row->reads) : NULL;
	*ret = row;
	// Now that our words are in place, it is known whether a program or a target is among the
	// user's.
	if (err || !row->records[0] || (row->reads[0] && !asks_to_record(ahead)))
		return err;
	*ahead = before;
	return replace_command(ahead, row->records);
}

/** `dump 123` and `top 123`: a process without -p, as with py-spy and top. */
static struct error *take_pid(struct options *options)
{
	struct text_list *words = &options->arguments;
	bool takes_pid = options->command == COMMAND_DUMP || options->command == COMMAND_TOP;
	if (!takes_pid || !words->num_items || options->compat)
		return NULL;
	const char *word = words->items[words->num_items - 1];
	// One process, said in one way.
	if (words->num_items > 1 || options->pids || *word < '0' || *word > '9')
		return unexpected_word(options, word);
	options->pids = word;
	words->num_items = 0;
	return NULL;
}

static struct error *check_program(const struct parser *parser)
{
	struct options *options = parser->options;
	if (options->compat)
		return NULL;
	struct error *err = parser->has_dashes ? NULL : program_words_check(options);
	bool says_sleep = false;
	for (size_t i = 0; i < parser->num_used; i++)
		says_sleep |= !strcmp(parser->used[i].spelling, "sleep");
	if (!err && says_sleep)
		program_words_note_sleep(options);
	// After the checks, which look at the program as it was typed.
	program_words_choose_clock(options);
	return err;
}

static struct error *option_parser_check(struct parser *parser, const struct foreign_command *row)
{
	struct options *options = parser->options;
	struct error *err = choose_command(parser);
	if (!err && row && row->take_arguments && options->command != COMMAND_HELP)
		err = row->take_arguments(options);
	if (!err)
		err = take_pid(options);
	if (!err)
		err = option_parser_check_arguments(options);
	if (!err)
		err = check_spawn(options);
	// Options that ask for something, but not for what. The peer says nothing to that.
	if (!err && options->command == COMMAND_NONE && !options->empty && !options->compat)
		err = error_with_hint(
			error_create(ERROR_USAGE, "missing command; see 'wperf help'"),
			"stat counts events, record shows where they happen, list lists them");
	if (!err)
		err = check_options_fit(parser);
	return err ? err : check_program(parser);
}

/** Which words of ours another tool's command has become. */
static void note_translation(const struct parser *ahead, const struct foreign_command *row)
{
	struct options *options = ahead->options;
	if (!row || options->quiet || options->command == COMMAND_HELP)
		return;
	bool is_record = ahead->first_word == COMMAND_RECORD;
	// The words mean the same as with the other tool: there is nothing to say.
	if (row->is_same && !is_record)
		return;
	const char *const *words = is_record ? row->records : row->reads;
	string_builder_appendf(&options->warnings, "note: '%s%s%s' runs: wperf", row->word,
			       row->second ? " " : "", row->second ? row->second : "");
	for (size_t i = 0; i < FOREIGN_MAX_WORDS && words[i]; i++)
		string_builder_appendf(&options->warnings, " %s", words[i]);
	string_builder_append(&options->warnings, "\n");
}

struct error *option_parser_run(size_t num_words, char *const *words, struct options *options)
{
	// Before any word, since it changes how words are read; --compat does the same
	// (asks_for_compat()).
	const char *compat = getenv("WPERF_COMPAT");
	options->compat = compat && *compat && strcmp(compat, "0") != 0;
	options->source = getenv("WPERF_SOURCE");
	options->events_dir = getenv("WPERF_EVENTS_DIR");
	options->token = getenv("WPERF_TOKEN");
	struct parser ahead = option_parser_begin(num_words, words, options);
	options->empty = true;
	for (size_t i = 0; i < num_words; i++)
		options->empty &= !strcmp(words[i], "--compat");
	const struct foreign_command *row;
	struct error *err = option_parser_translate(&ahead, &row);
	if (err)
		return err;

	struct parser parser = {
		.num_words = ahead.num_words,
		.words = ahead.words,
		.end = ahead.end,
		.options = options,
		.commands_named = ahead.commands_seen,
		.first_word = COMMAND_NONE,
	};
	err = check_first_word(&ahead);
	if (!err)
		err = option_parser_take_words(&parser);
	if (!err)
		err = option_parser_check(&parser, row);
	options->quiet |= options_have_client(options);
	// Also beside an error, which is about words that the user did not type.
	note_translation(&ahead, row);
	free(parser.used);
	return err;
}
