/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_COMMAND_H
#define WPERF_CLI_COMMAND_H

/**
 * The commands. Help, man pages and completion are made from this table, from that of the options
 * (option.h), and from the texts in help/text.
 *
 * To add a command: 1) an id here, 2) its row in command.c, 3) command/cmd_<name>.c with the
 * function, 4) the masks of the options that it takes, 5) help/text/commands/<name>.txt with what
 * help says, its place in help_order (help/help_facts.c) and in help/text/overview.txt, 6) cases in
 * tests/cli and "ninja docs" for its page.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/** In the peer's order of dispatch: of several commands in compatibility mode the first wins. */
enum command_id {
	COMMAND_DETECT,
	COMMAND_HELP,
	COMMAND_MAN,
	COMMAND_VERSION,
	COMMAND_TEST,
	COMMAND_LIST,
	COMMAND_STAT,
	COMMAND_SAMPLE,
	COMMAND_RECORD,
	COMMAND_TOP,
	COMMAND_REPORT,
	COMMAND_ANNOTATE,
	COMMAND_FLAMEGRAPH,
	COMMAND_EXPORT,
	COMMAND_SCRIPT,
	COMMAND_EVLIST,
	COMMAND_SYMBOLS,
	COMMAND_DUMP,
	COMMAND_CPUINFO,
	COMMAND_CMNLIST,
	COMMAND_SETUP,
	COMMAND_ETW,
	COMMAND_STORE,
	COMMAND_SERVE,
	COMMAND_AGENT,
	COMMAND_DEBUG_UPLOAD,
	COMMAND_TRACE,
	NUM_COMMANDS,
	COMMAND_NONE = NUM_COMMANDS,
};

/** Commands that start the program behind them. */
#define COMMANDS_THAT_START (1U << COMMAND_STAT | 1U << COMMAND_RECORD | 1U << COMMAND_TRACE)

struct options;

struct command {
	const char *name;      /* as typed; "--version" is one, too */
	const char *arguments; /* NULL: it takes no words of its own */
	bool only_reads;       /* files, and nothing else: see command_confinement.h */
	bool keeps_network;    /* with only_reads: it reads requests */

	/** @ret_exit: what the process shall exit with; 0 before. */
	struct error *(*run)(const struct options *options, int *ret_exit);
};

extern const struct command commands[NUM_COMMANDS];

/** COMMAND_NONE if there is none of this name. */
enum command_id command_find(const char *name);

struct error *command_detect(const struct options *options, int *ret_exit);
struct error *command_help(const struct options *options, int *ret_exit);
struct error *command_man(const struct options *options, int *ret_exit);
struct error *command_version(const struct options *options, int *ret_exit);
struct error *command_test(const struct options *options, int *ret_exit);
struct error *command_list(const struct options *options, int *ret_exit);
struct error *command_stat(const struct options *options, int *ret_exit);
struct error *command_sample(const struct options *options, int *ret_exit);
struct error *command_record(const struct options *options, int *ret_exit);
struct error *command_report(const struct options *options, int *ret_exit);
struct error *command_annotate(const struct options *options, int *ret_exit);
struct error *command_flamegraph(const struct options *options, int *ret_exit);
struct error *command_export(const struct options *options, int *ret_exit);
struct error *command_script(const struct options *options, int *ret_exit);
struct error *command_evlist(const struct options *options, int *ret_exit);
struct error *command_trace(const struct options *options, int *ret_exit);
struct error *command_top(const struct options *options, int *ret_exit);
struct error *command_dump(const struct options *options, int *ret_exit);
struct error *command_cpuinfo(const struct options *options, int *ret_exit);
struct error *command_cmnlist(const struct options *options, int *ret_exit);
struct error *command_setup(const struct options *options, int *ret_exit);
struct error *command_etw(const struct options *options, int *ret_exit);
struct error *command_store(const struct options *options, int *ret_exit);
struct error *command_debug_upload(const struct options *options, int *ret_exit);
struct error *command_serve(const struct options *options, int *ret_exit);
struct error *command_agent(const struct options *options, int *ret_exit);
struct error *command_symbols(const struct options *options, int *ret_exit);

#endif
