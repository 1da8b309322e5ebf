/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_PROGRAM_WORDS_H
#define WPERF_CLI_OPTION_PROGRAM_WORDS_H

/** The words of the program that `stat` or `record` shall start. */

#include "cli/option/options.h"

/** Is there such a program? @name: a path, or a name in PATH. */
bool program_words_are_there(const char *name);

/** A command that was written without "--": is there such a program? */
struct error *program_words_check(const struct options *options);

/**
 * `stat sleep 1` is a time-out for the peer, and a program for perf: a warning, if there is a
 * program of that name.
 */
void program_words_note_sleep(struct options *options);

/**
 * With -p or -a the command only says for how long, as with perf: it goes from options->spawn to
 * options->clock.
 */
void program_words_choose_clock(struct options *options);

#endif
