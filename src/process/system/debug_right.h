/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_DEBUG_RIGHT_H
#define WPERF_PROCESS_SYSTEM_DEBUG_RIGHT_H

#include <stdbool.h>

/**
 * Windows only: enable the privilege to debug processes of all users and to get addresses of the
 * kernel, which administrators have, but which is disabled at first. False: this user lacks it.
 */
bool debug_right_switch_on(void);

#endif
