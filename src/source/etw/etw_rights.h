/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_RIGHTS_H
#define WPERF_SOURCE_ETW_ETW_RIGHTS_H

/** Windows' refusals in words, with what to do. */

#include "base/error.h"

#include <stdint.h>

/** Error numbers of Windows that callers ask for. */
enum {
	ETW_ERROR_ACCESS_DENIED = 5,
	ETW_ERROR_BAD_LENGTH = 24,
	ETW_ERROR_NOT_SUPPORTED = 50,
	ETW_ERROR_INVALID_PARAMETER = 87,
	ETW_ERROR_DISK_FULL = 112,
	ETW_ERROR_NOT_IMPLEMENTED = 120,
	ETW_ERROR_TOO_SMALL = 122,
	ETW_ERROR_ALREADY_EXISTS = 183,
	ETW_ERROR_MORE_DATA = 234,
	ETW_ERROR_NOT_ALL_ASSIGNED = 1300,
	ETW_ERROR_NO_PRIVILEGE = 1314,
	ETW_ERROR_NO_RESOURCES = 1450,
	ETW_ERROR_NO_SESSION = 4201,
};

/** @code: not 0. Appends the reason, with a hint where something can be done. */
struct error *etw_error(uint32_t code, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

/** The error number that says the same as an NTSTATUS. */
uint32_t etw_error_of_status(uint32_t status);

#endif
