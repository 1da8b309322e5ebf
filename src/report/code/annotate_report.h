/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CODE_ANNOTATE_REPORT_H
#define WPERF_REPORT_CODE_ANNOTATE_REPORT_H

/** The source and machine code of hot functions, or all hot lines of a file, with their hits. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "report/output.h"
#include "report/recorded/sample_choice.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct symbol_path;

struct annotate_request {
	/** Its symbol chooses functions that are shown, not samples. */
	struct sample_choice choice;
	const uint32_t *function;        /* this one, whatever its name; NULL: by the choice */
	const char *source_file;         /* all hot lines of this file; NULL: functions */
	uint32_t max_functions;          /* of each event, 0 for all */
	bool with_code;                  /* instructions, too */
	bool is_verbose;                 /* parts without samples are not folded */
	const char *sysroots;            /* ":" between them; or NULL */
	struct symbol_path *symbol_path; /* where PDBs are looked for; or NULL */
};

/** Nothing to show is an error. */
struct error *annotate_report_write(const struct annotate_request *request,
				    const struct named_profile *profile,
				    struct output_request output_request);

/** Functions as text. Nothing to show is an error. */
struct error *annotate_report_print(const struct annotate_request *request,
				    const struct named_profile *profile, FILE *stream);

#endif
