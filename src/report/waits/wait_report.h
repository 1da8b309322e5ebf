/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_WAITS_WAIT_REPORT_H
#define WPERF_REPORT_WAITS_WAIT_REPORT_H

/** What a recorded program waits for, and who ends it, as tables and JSON. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "report/output.h"
#include "view/layout/table.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Is anything known of who ended waits? */
bool wait_report_knows_wakers(const struct named_profile *profile);

/** `report --waits`. @max_rows: of lines; 0: all. */
struct error *wait_report_print(const struct named_profile *profile, uint32_t max_rows,
				const struct output *output);

/** A table of the waits that are known to have been ended by a thread, a timer or an interrupt,
 *  under a heading, beside other tables; nothing where there are none. */
struct error *wait_report_print_wakers(const struct named_profile *profile, uint32_t max_rows,
				       struct table_layout narrow, FILE *stream);

#endif
