// SPDX-License-Identifier: Apache-2.0
// In this order: standard streams in binary mode, signals (an error where a file grows too large,
// zeros where a mapped one shrinks, children that wait for us), a limit to the rights that wperf's
// own file lends, the command line in UTF-8. Only then are words read. From there on every failure
// is a struct error, which comes back here: main() alone prints errors and chooses the exit code.

#include "base/error.h"
#include "base/file/file_size_limit.h"
#include "base/file/mapping_guard.h"
#include "base/os/command_line.h"
#include "base/os/privileges.h"
#include "base/terminal/standard_streams.h"
#include "base/text/string_builder.h"
#include "cli/command_confinement.h"
#include "cli/help/help.h"
#include "cli/option/option_parser.h"
#include "cli/option/stored/stored_profile.h"
#include "cli/version.h"
#include "object/fetch/symbol_path.h"
#include "report/notes/diagnostics.h"
#include "session/program/child.h"

#include <errno.h>
#include <stdio.h>

enum {
	EXIT_WORKED = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2, /* the peer has only one for both */
};

/** What symbol servers were asked for may have been in vain: the output is there first. */
static struct error *tell_of_servers(const struct options *options)
{
	_cleanup_free_ char *notes = NULL;
	struct error *err = symbol_path_take_notes(options->pdb_places, &notes);
	if (err)
		return err;
	if (*notes)
		fflush(stdout);
	diagnostics_print_notes(notes, stderr);
	return NULL;
}

/** The bytes that are missing read as zeros: see base/file/mapping_guard.h. */
static void tell_of_lost_bytes(void)
{
	const char *name = mapping_guard_lost();
	if (!name)
		return;
	_cleanup_(string_builder_deinit) struct string_builder note = STRING_BUILDER_INIT;
	string_builder_appendf(
		&note, "'%s' became shorter while it was read; what it says is incomplete\n", name);
	fflush(stdout);
	diagnostics_print_notes(string_builder_peek(&note), stderr);
}

static struct error *run_command(struct options *options, int *ret_exit)
{
	struct error *err = options_open_symbol_path(options);
	if (err)
		return err;
	command_confinement_begin(&(struct confinement_request){
		.command = options->command,
		.path = options->pdb_places,
		.store = stored_profile_place(options),
		.is_verbose = options->verbose,
	});
	// Notes are printed also when the command failed: what a server did not have may be the
	// reason.
	err = commands[options->command].run(options, ret_exit);
	if (!err && options_have_client(options))
		return NULL;
	struct error *notes_err = tell_of_servers(options);
	tell_of_lost_bytes();
	if (!err)
		return notes_err;
	error_destroy(notes_err);
	return err;
}

static struct error *main_perform(int argc, char **argv, struct options *options, int *ret_exit)
{
	options->command_line = argv;
	struct error *err = option_parser_run(argc > 1 ? (size_t)argc - 1 : 0, argv + 1, options);
	diagnostics_print_warnings(string_builder_peek(&options->warnings));
	if (err)
		return err;
	if (options->command != COMMAND_NONE)
		return run_command(options, ret_exit);
	if (!options->empty)
		return NULL; // options without a command, which the peer accepts in silence
	if (!options->compat) {
		help_print_overview(stdout);
		return NULL;
	}
	version_print_header(options->compat, stdout);
	puts("Use --help for help.");
	return NULL;
}

int main(int argc, char **argv)
{
	_cleanup_(standard_streams_deinit) struct standard_streams streams;
	_cleanup_(command_line_deinit) struct command_line line = COMMAND_LINE_INIT;
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	int exit_code = EXIT_WORKED;
	standard_streams_init(&streams);
	file_size_limit_make_error();
	mapping_guard_install();
	child_keep_ends();
	_cleanup_(error_destroyp) struct error *err = privileges_limit();
	if (!err)
		err = command_line_init(&line, argc, argv);
	if (!err)
		err = main_perform(line.argc, line.argv, &options, &exit_code);
	// What is still buffered may fail as well: a full disk behind `wperf help > file`.
	if (!err && (fflush(stdout) != 0 || ferror(stdout)))
		err = error_create_errno(errno, "cannot write standard output");
	if (!err)
		return exit_code;
	fflush(stdout);
	diagnostics_print_error(err);
	// A command that has set one knows better: `stat --compat` without events exits with 255,
	// as WindowsPerf does.
	if (exit_code)
		return exit_code;
	return err->code == ERROR_USAGE && !options.compat ? EXIT_USAGE : EXIT_FAILED;
}
