/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_STATUS_H
#define WPERF_DRIVER_CORE_STATUS_H

/** How a request ended. The shell of an operating system turns it into that system's number. */

#include <stdint.h>

enum driver_status {
	DRIVER_OK,
	DRIVER_INVALID_PARAMETER,      /* unknown request, wrong input size, senseless value */
	DRIVER_INVALID_BLOCK_LENGTH,   /* no input at all */
	DRIVER_INVALID_DEVICE_STATE,   /* the caller does not hold the lock */
	DRIVER_BUFFER_OVERFLOW,        /* output over WPERF_MAX_OUTPUT */
	DRIVER_INSUFFICIENT_RESOURCES, /* output too small for the answer */
	DRIVER_NOT_SUPPORTED,          /* the machine has no such unit */
	DRIVER_DEVICE_BUSY,            /* the counters do something else meanwhile */
	DRIVER_PENDING,                /* not yet: see driver_request() */
	NUM_DRIVER_STATUSES,
};

/** A few words; "unknown status" for a number that is none. */
const char *driver_status_name(enum driver_status status);

/** What GetLastError() tells the client; ERROR_GEN_FAILURE for a number that is no status. */
uint32_t driver_status_win32_error(enum driver_status status);

#endif
