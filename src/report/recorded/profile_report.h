/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_PROFILE_REPORT_H
#define WPERF_REPORT_RECORDED_PROFILE_REPORT_H

/** What is hot in a profile: tables and call trees. How two profiles differ: diff_report.h. */

#include "base/error.h"
#include "profile/hot/hot_list.h"
#include "profile/named_profile.h"
#include "profile/tree/call_tree.h"
#include "report/output.h"
#include "report/recorded/sample_choice.h"
#include "view/layout/sort_table.h"

#include <stdbool.h>
#include <stdint.h>

/** One word of ours gives a hot list, perf's words and lists of words a sort list. */
struct report_rows {
	enum hot_order order;
	enum hot_key hot; /* unless there are keys */
	/** "cpi", "mpki": rows of a hot list by this ratio, of the events that have it; NULL: all
	 *  events, by their samples. */
	const char *ratio;
	enum sort_key keys[SORT_NUM_KEYS];
	size_t num_keys;
	struct sort_look look;
};

/** Of the numbers of rows 0 stands for all. */
struct profile_report_request {
	struct sample_choice choice;
	struct report_rows rows;
	bool has_tree; /* a call tree instead of a table */
	/** Its filter and its function are the report's to find. */
	struct call_tree_request tree;
	bool has_min_percent;  /* of tables; tree.min_percent says which */
	bool with_interpreted; /* interpreted lines first, if there are some */
	bool is_by_role;       /* instead of the tables: role by role its interpreted lines */
	uint32_t max_interpreted_rows;
	uint32_t max_rows;                    /* of the other tables ... */
	uint32_t max_rows_beside_interpreted; /* ... and where interpreted lines are above them */
	const char *sysroots;                 /* ":" between them; or NULL */
};

/** Hot functions of all events, with so many rows as where nobody says how many. */
struct profile_report_request profile_report_default(void);

struct error *profile_report_print(const struct profile_report_request *request,
				   const struct named_profile *profile, struct output *output);

#endif
