/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_NOTES_RECORDING_NOTES_H
#define WPERF_REPORT_NOTES_RECORDING_NOTES_H

/** What the samples of a recording lack; complete ones have no notes. */

#include "record/etl/etl_reader.h"
#include "record/spe/spe_trace.h"
#include "session/profile_builder.h"

#include <stdio.h>

/** How many stacks were unwound, and could not be to their end. */
void recording_notes_print_cut_stacks(const struct profile_builder_totals *totals, FILE *stream);

/** What an ETW recording lacks. @path: as the user gave it. */
void recording_notes_print_etl(const char *path, const struct etl_reader_notes *notes,
			       FILE *stream);

/** What a trace of SPE's lacks. */
void recording_notes_print_spe(const struct spe_trace_totals *spe, FILE *stream);

#endif
