/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_DEBUG_RIGHT_H
#define WPERF_PROCESS_DEBUG_RIGHT_H

#include <stdbool.h>

/**
 * Windows only: administrators have the right to debug everybody's programs, and to know where the
 * kernel is, but it is off until somebody asks for it. False for those who have not.
 */
bool debug_right_switch_on(void);

#endif
