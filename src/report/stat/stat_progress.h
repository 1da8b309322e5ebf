/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_STAT_PROGRESS_H
#define WPERF_REPORT_STAT_STAT_PROGRESS_H

/** "counting ... done", with something that turns on a terminal. */

#include "session/counting.h"

#include <stdio.h>

/** Wait for the end of the count. @stream: where to show it, or NULL. */
struct error *stat_progress_wait(struct counting *counting, FILE *stream);

/** What was begun with "... " has ended; says so if it was by Ctrl-C. @stream: as above. */
void stat_progress_end(FILE *stream);

#endif
