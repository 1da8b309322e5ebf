/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_MACHINE_RIGHTS_SETUP_H
#define WPERF_REPORT_MACHINE_RIGHTS_SETUP_H

/** What `setup` shows and does: rights for ordinary users (base/rights/own_program.h). */

#include "base/error.h"

#include <stdbool.h>

/** The group of the kernel's Documentation/admin-guide/perf-security.rst. */
#define RIGHTS_SETUP_GROUP "perf_users"

/** What is missing for this user, item by item, with the command that enables it.
 *  @source: as of --source, or NULL. */
struct error *rights_setup_list(const char *source);

/**
 * Lend capabilities to the members of a group, who alone may run wperf then.
 * @group: or NULL for RIGHTS_SETUP_GROUP; created if it is missing.
 * @is_dry: print the commands only. Without root they are printed, too, and an error is returned.
 */
struct error *rights_setup_lend(const char *group, bool is_dry);

/** Take the program's file back to what it was. */
struct error *rights_setup_undo(bool is_dry);

#endif
