/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_INTERPRETED_TABLES_H
#define WPERF_REPORT_INTERPRETED_TABLES_H

/**
 * The hot lines, functions, files and tasks of interpreted code in a profile, several events side
 *by side.
 *
 *	err = interpreted_tables_init(&tables, profile, options->sysroot);
 *	err = interpreted_tables_add(&tables, event, take_ptr(filter));     for each event
 *	err = interpreted_tables_finish(&tables);
 *	err = interpreted_report_print(&tables.report, 20, stdout);
 */

#include "profile/hot/hot_list.h"
#include "report/code/source_files.h"
#include "view/interpreted_report.h"

enum { INTERPRETED_TABLES_NUM_KEYS = 5 };

struct interpreted_tables {
	struct interpreted_report report;
	struct source_files sources;
	uint32_t *events;
	struct profile_filter **filters;                     /* of each event */
	struct hot_list *lists[INTERPRETED_TABLES_NUM_KEYS]; /* of each event */
	size_t num_events;
};

/** @tables: must stay where it is, and is ended with interpreted_tables_deinit(), also after a
 * failure.
 *  @sysroots: see source_files.h; or NULL. */
struct error *interpreted_tables_init(struct interpreted_tables *tables,
				      const struct named_profile *profile, const char *sysroots);
void interpreted_tables_deinit(struct interpreted_tables *tables);

/** @event: added once. @filter: that takes only its samples; it is taken over. */
struct error *interpreted_tables_add(struct interpreted_tables *tables, uint32_t event,
				     struct profile_filter *filter);
struct error *interpreted_tables_finish(struct interpreted_tables *tables);

/**
 * Source files of interpreted code with samples at their lines, the hottest first. @wanted:
 * "shop.py" is any file of that name, "app/shop.py" one in such a folder.
 * @json: objects of an array that has begun; or NULL. @stream: or NULL.
 * @ret_num: how many there are; may be NULL.
 */
struct error *interpreted_tables_show_sources(struct interpreted_tables *tables, const char *wanted,
					      bool is_unfolded, FILE *stream,
					      struct json_writer *json, size_t *ret_num);

#endif
