/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_COMPAT_COMPAT_WORDS_H
#define WPERF_LIBRARY_COMPAT_COMPAT_WORDS_H

/** What a configuration of numbers is in words, as wperf's rooms take them. */

#include "base/container/arena.h"
#include "base/error.h"
#include "library/compat/wperf-lib.h"
#include "session/setup/run_request.h"

struct compat_words {
	struct arena arena;
	struct run_words words; /* valid as long as the arena */
	struct counted_word *counted;
};

#define COMPAT_WORDS_INIT \
	{                 \
	}

void compat_words_deinit(struct compat_words *words);

/** Events, then groups, then metrics; the cores and the period. */
struct error *compat_words_of_stat(struct compat_words *words, const STAT_CONF *conf);
/** Each event with its interval; the core. */
struct error *compat_words_of_sample(struct compat_words *words, const SAMPLE_CONF *conf);
struct error *compat_words_of_test(struct compat_words *words, const TEST_CONF *conf);

/**
 * The words of a program that is started, as CreateProcess() has it: the file, and behind the first
 * word of the line its arguments, with quotes around what has blanks. @line: or NULL.
 * @ret: of the arena; ends with NULL.
 */
struct error *compat_words_of_program(struct compat_words *words, const wchar_t *file,
				      const wchar_t *line, char *const **ret);

/** Seconds in nanoseconds. @unit_ns: what the peer counts in; less than one is one. 0: no end. */
uint64_t compat_words_ns(double seconds, uint64_t unit_ns);

#endif
