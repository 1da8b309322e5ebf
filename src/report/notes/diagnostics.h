/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_NOTES_DIAGNOSTICS_H
#define WPERF_REPORT_NOTES_DIAGNOSTICS_H

/** Errors and warnings for standard error, and notes for any stream. */

#include <stdio.h>

struct error;
struct sample_totals;
struct source;

/** The message, and the hint on a line of its own. */
void diagnostics_print_error(const struct error *err);

/** What a source says before sampling begins; nothing if it has nothing to say. */
void diagnostics_print_start_note(struct source *source, FILE *stream);

/** What did not go as it should while the source counted or sampled: a line each. */
void diagnostics_print_run_notes(struct source *source, FILE *stream);

/** How many samples were lost, and why; nothing if none was. */
void diagnostics_print_lost(const struct sample_totals *totals, FILE *stream);

/** The rest of a note that the caller began; @hint: what to do about it, or NULL. */
void diagnostics_print_reason(const char *reason, const char *hint, FILE *stream);

/** Lines of notes and hints; "" shows nothing. */
void diagnostics_print_notes(const char *lines, FILE *stream);

/** The same of warnings. */
void diagnostics_print_warnings(const char *lines);

#endif
