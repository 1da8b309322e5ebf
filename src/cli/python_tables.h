/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_PYTHON_TABLES_H
#define WPERF_CLI_PYTHON_TABLES_H

/**
 * The hot lines, functions and files of Python in a profile, several events side by side.
 *
 *	err = python_tables_init(&tables, profile, options->sysroot);
 *	err = python_tables_add(&tables, event, filter);     for each event
 *	err = python_tables_finish(&tables);
 *	err = python_report_print(&tables.report, 20, stdout);
 */

#include "cli/source_files.h"
#include "profile/hot_list.h"
#include "view/python_report.h"

enum { PYTHON_TABLES_NUM_KEYS = 3 };

struct python_tables {
	struct python_report report;
	struct source_files sources;
	uint32_t *events;
	struct hot_list *lists[PYTHON_TABLES_NUM_KEYS]; /* of each event */
	size_t num_events;
};

/** @tables: must stay where it is, and is ended with python_tables_deinit(), also after a failure.
 *  @sysroots: see source_files.h; or NULL. */
struct error *python_tables_init(struct python_tables *tables, const struct named_profile *profile,
				 const char *sysroots);
void python_tables_deinit(struct python_tables *tables);

/** @event: added once. @filter: that takes only its samples. */
struct error *python_tables_add(struct python_tables *tables, uint32_t event,
				const struct profile_filter *filter);
struct error *python_tables_finish(struct python_tables *tables);

#endif
