/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_SAMPLE_SAMPLE_TABLES_H
#define WPERF_REPORT_SAMPLE_SAMPLE_TABLES_H

/** From a named profile to what `sample` and `record` print. */

#include "base/container/arena.h"
#include "base/text/string_builder.h"
#include "process/process_table.h"
#include "process/process_users.h"
#include "profile/named_profile.h"
#include "report/code/code_files.h"
#include "view/sample_report.h"

struct sample_tables_request {
	const char *program;  /* what is sampled, by its file; symbols of other modules get the
			       * module's name. NULL: everything */
	uint32_t max_rows;    /* of each event, 0 for all */
	const char *symbol;   /* only functions that this pattern fits; NULL: all */
	bool with_lines;      /* hits per source line of each function ... */
	bool with_code;       /* ... and per instruction */
	bool is_verbose;      /* each address with its hits, too */
	const char *sysroots; /* ":" between them; or NULL */
	struct symbol_path *symbol_path; /* where PDBs are looked for; or NULL */
	const char *pdb_file;            /* its name, to be shown; or NULL */
};

struct sample_tables {
	struct sample_report report;
	struct arena arena; /* what the report points at, the profile's strings apart */
	struct code_files codes;
	struct string_builder notes; /* lines about what could not be shown, and why */
};

#define SAMPLE_TABLES_INIT \
	{                  \
	}

/** The profile and the texts of the request must outlive the tables. */
struct error *sample_tables_fill(struct sample_tables *tables,
				 const struct sample_tables_request *request,
				 const struct named_profile *profile);

/** The files with code that the sampled processes have mapped, at their lowest address: for -v. */
struct error *sample_tables_add_modules(struct sample_tables *tables,
					const struct process_table *processes);

/** Where the program that is sampled begins, and how far that is from where its file wants to be.
 *  @users: whose the processes are. */
struct error *sample_tables_add_base(struct sample_tables *tables,
				     const struct process_table *processes,
				     const struct process_users *users);
void sample_tables_deinit(struct sample_tables *tables);

#endif
