/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_CLOCK_H
#define WPERF_BASE_OS_CLOCK_H

/** The time, in nanoseconds. */

#include <stdint.h>
#include <time.h>

/** @clock: CLOCK_MONOTONIC, since the machine booted, or CLOCK_REALTIME, since 1970. */
uint64_t clock_ns(clockid_t clock);

#endif
