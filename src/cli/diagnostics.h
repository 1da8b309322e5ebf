/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_DIAGNOSTICS_H
#define WPERF_CLI_DIAGNOSTICS_H

/** What goes to standard error. */

struct error;

/** The message, and the hint on a line of its own. */
void diagnostics_print_error(const struct error *err);

/** Lines that are ready to be shown; "" shows nothing. */
void diagnostics_print_warnings(const char *lines);

#endif
