/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_BROWSE_REPORT_BROWSER_H
#define WPERF_REPORT_BROWSE_REPORT_BROWSER_H

/**
 * `report` on a terminal: the hot functions with their callers and callees, hot lines, source and
 * instructions, threads and modules, by keys. To add a key: a row of `keys` in browser_keys.c,
 * from which the help page is made, too.
 */

#include "base/terminal/terminal_screen.h"
#include "profile/named_profile.h"
#include "report/browse/browser_request.h"

/** Until the user quits, or asks to stop (base/os/interrupt.h). */
struct error *report_browser_run(const struct report_browser_request *request,
				 const struct named_profile *profile,
				 struct terminal_screen *screen);

#endif
