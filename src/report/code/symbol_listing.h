/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CODE_SYMBOL_LISTING_H
#define WPERF_REPORT_CODE_SYMBOL_LISTING_H

/** The functions of a file with code, or what is at some of its addresses. */

#include "base/error.h"
#include "report/output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_path;

struct symbol_listing_request {
	const char *path;
	const uint64_t *addresses;       /* relative to the file */
	size_t num_addresses;            /* 0: all functions */
	const char *pattern;             /* of their names, or NULL: all */
	bool with_lines;                 /* file and line of each address */
	struct symbol_path *symbol_path; /* where PDBs are looked for; or NULL */
};

struct error *symbol_listing_write(const struct symbol_listing_request *request,
				   struct output_request output_request);

#endif
