/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_NOTES_CONTROL_EVENTS_H
#define WPERF_REPORT_NOTES_CONTROL_EVENTS_H

/** What `evlist` of --control prints: the events of the run, as `perf evlist` does. */

#include "catalog/event_list.h"
#include "record/perf_data/perf_data.h"
#include "session/control/control_command.h"

#include <stdbool.h>
#include <stdio.h>

struct control_events {
	const struct event_list *list;
	const struct perf_data_event *attrs; /* of the same events; NULL: they have none */
};

#define CONTROL_EVENTS_USAGE "evlist takes -v, -g or -F, or nothing"

/** A line for each event, or with -g for each group. False, and nothing is printed: the command has
 *  another word. */
bool control_events_print(const struct control_command *command,
			  const struct control_events *events, FILE *stream);

#endif
