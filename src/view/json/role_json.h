/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_JSON_ROLE_JSON_H
#define WPERF_VIEW_JSON_ROLE_JSON_H

/** Processes and what they are for, as JSON. */

#include "profile/interpreted/process_rows.h"
#include "view/json/json_writer.h"

/** {"pid":4713,"parent":4711,"role":"gunicorn: worker","number":2,"samples":240,"weight":24,
 *   "self_percent":24.9,"file":"shop.py","line":11,"function":"price"}: an array of all. What is
 *  not known is absent. */
void role_json_processes(const struct named_profile *profile, const struct process_rows *rows,
			 struct json_writer *json);

/** The first members of a role's object: "role", "processes", "samples", "weight" and
 *  "self_percent". */
void role_json_head(const struct named_profile *profile, const struct process_row *row,
		    struct named_total whole, struct json_writer *json);

#endif
