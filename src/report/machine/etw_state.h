/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_MACHINE_ETW_STATE_H
#define WPERF_REPORT_MACHINE_ETW_STATE_H

/** The command `etw`. Both functions return an error on systems without ETW. */

#include "base/error.h"

/** Print whether this user may record, the profile sources, who uses counters, and what wperf has
 *  changed. */
struct error *etw_state_print(void);

/** Clean up after killed runs, and print what was done. */
struct error *etw_state_clean(void);

#endif
