// SPDX-License-Identifier: Apache-2.0

#include "driver/core/status.h"

// Windows translates the NTSTATUS of the same name into this number (RtlNtStatusToDosError).
static const struct {
	const char *name;
	uint32_t win32_error;
} statuses[NUM_DRIVER_STATUSES] = {
	[DRIVER_OK] = {"success", 0},
	[DRIVER_INVALID_PARAMETER] = {"invalid parameter", 87},
	[DRIVER_INVALID_BLOCK_LENGTH] = {"invalid block length", 1106},
	// ERROR_BAD_COMMAND, ERROR_MORE_DATA, ERROR_NO_SYSTEM_RESOURCES, ...
	[DRIVER_INVALID_DEVICE_STATE] = {"invalid device state", 22},
	[DRIVER_BUFFER_OVERFLOW] = {"buffer overflow", 234},
	[DRIVER_INSUFFICIENT_RESOURCES] = {"insufficient resources", 1450},
	[DRIVER_NOT_SUPPORTED] = {"not supported", 50},
	[DRIVER_DEVICE_BUSY] = {"device busy", 170},
	[DRIVER_PENDING] = {"pending", 997},
};

enum { ERROR_GEN_FAILURE = 31 };

const char *driver_status_name(enum driver_status status)
{
	return (unsigned)status < NUM_DRIVER_STATUSES ? statuses[status].name : "unknown status";
}

uint32_t driver_status_win32_error(enum driver_status status)
{
	if ((unsigned)status >= NUM_DRIVER_STATUSES)
		return ERROR_GEN_FAILURE;
	return statuses[status].win32_error;
}
