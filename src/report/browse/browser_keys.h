/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_BROWSE_BROWSER_KEYS_H
#define WPERF_REPORT_BROWSE_BROWSER_KEYS_H

/**
 * What keys do in the browser, each by a row of `keys` in browser_keys.c, of which the help page is
 * made.
 */

#include "report/browse/browser_state.h"

/** @key: a character or a TERMINAL_KEY. What is wrong is said in the status bar; an error is a lack
 *  of memory. */
struct error *report_browser_press(struct report_browser *browser, int key);

#endif
