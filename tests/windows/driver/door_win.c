// SPDX-License-Identifier: Apache-2.0

#include "tests/windows/driver/door.h"

#include "driver/windows/sim_request.h"

#include <stdio.h>
#include <windows.h>

struct door *door_open(void)
{
	HANDLE handle =
		CreateFileA("\\\\.\\WPERFDRIVER", GENERIC_READ | GENERIC_WRITE,
			    FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
	if (handle != INVALID_HANDLE_VALUE)
		return (struct door *)handle;
	fprintf(stderr, "cannot open the driver: error %lu\n", GetLastError());
	return NULL;
}

void door_close(struct door *door)
{
	CloseHandle((HANDLE)door);
}

uint32_t door_ask(struct door *door, uint32_t code, const void *in, size_t in_size, void *out,
		  size_t out_size, size_t *ret_size)
{
	DWORD size = 0;
	BOOL good = DeviceIoControl((HANDLE)door, code, (void *)in, (DWORD)in_size, out,
				    (DWORD)out_size, &size, NULL);
	*ret_size = good ? size : 0;
	return good ? 0 : GetLastError();
}

void door_pass_time(struct door *door, uint64_t ns)
{
	size_t size;
	uint32_t error = door_ask(door, SIM_REQUEST_PASS_TIME, &ns, sizeof(ns), NULL, 0, &size);
	if (error)
		printf("time does not pass: error %u\n", error);
}
