/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RUN_QUEUE_RUN_QUEUE_REPORT_H
#define WPERF_REPORT_RUN_QUEUE_RUN_QUEUE_REPORT_H

/** How long threads were ready before they ran: tables and JSON of a profile that has it. */

#include "profile/run_queue/run_queue.h"
#include "view/json/json_writer.h"
#include "view/layout/table.h"

#include <stdio.h>

/** By thread, a histogram, by CPU, and who ran meanwhile. Nothing if it is not known.
 *  @max_rows: of each table; 0 for all. */
struct error *run_queue_report_print(const struct run_queue *queue, uint32_t max_rows,
				     struct table_layout layout, FILE *stream);

/** A member "run_queue", with all rows. Nothing if it is not known. */
void run_queue_report_write_json(const struct run_queue *queue, struct json_writer *json);

/** What is missing in the sums. */
void run_queue_report_print_notes(const struct run_queue *queue, FILE *stream);

#endif
