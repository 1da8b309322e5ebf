// SPDX-License-Identifier: Apache-2.0
// `annotate [FILE] [FUNCTION]`: the words that are no options may be a recording, a source file or
// a function, in any number up to two. They are told apart from the last one on: "x.py" is a source
// file, what neither exists nor looks like a path is a function, and what is left is the recording,
// as for all commands that read one (option_recording.c).

#include "base/cleanup.h"
#include "base/file/file_path.h"
#include "cli/command.h"
#include "cli/option/option_recording.h"
#include "cli/option/option_requests.h"
#include "report/code/annotate_report.h"

#include <string.h>

static bool cmd_annotate_ends_with(const char *word, const char *end)
{
	size_t length = strlen(word), end_length = strlen(end);
	return length >= end_length && !strcmp(word + length - end_length, end);
}

/** `annotate shop.py`: no recording has such a name. */
static const char *take_source_file(struct options *options)
{
	struct text_list *words = &options->arguments;
	const char *word = words->num_items ? words->items[words->num_items - 1] : "";
	if (options->source_file || !cmd_annotate_ends_with(word, ".py"))
		return options->source_file;
	words->num_items--;
	return word;
}

/** `annotate main`: a word that is neither a file nor looks like one is a function, as with perf.
 */
static void take_symbol(struct options *options)
{
	struct text_list *words = &options->arguments;
	const char *word = words->num_items ? words->items[words->num_items - 1] : "";
	if (options->symbol || !*word || strchr(word, '/') ||
	    cmd_annotate_ends_with(word, ".data") || file_path_kind(word) != FILE_PATH_ABSENT)
		return;
	options->symbol = word;
	words->num_items--;
}

struct error *command_annotate(const struct options *options, int *ret_exit)
{
	// A copy whose list of words gets shorter; the words themselves stay where they are.
	struct options words = *options;
	const char *source_file = take_source_file(&words);
	if (!source_file)
		take_symbol(&words);
	if (source_file && (words.symbol || words.disassemble))
		return error_with_hint(error_create(ERROR_USAGE, "%s and --file cannot be combined",
						    words.symbol ? "--symbol" : "--disassemble"),
				       "annotate shows functions, or all lines of a file");
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	struct error *err = options_read_profile(&words, NULL, false, &profile);
	if (err)
		return err;
	const struct annotate_request request = {
		.choice = options_sample_choice(&words),
		.source_file = source_file,
		.max_functions = words.display_functions,
		.with_code = words.disassemble,
		.is_verbose = words.verbose,
		.sysroots = words.sysroot,
		.symbol_path = words.pdb_places,
	};
	return annotate_report_write(&request, &profile, options_output_request(&words));
}
