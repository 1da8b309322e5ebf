// SPDX-License-Identifier: Apache-2.0

#include "base/os/random_bytes.h"

#include "base/os/win_error.h"

#include <windows.h>

#include <ntsecapi.h>

struct error *random_bytes_fill(void *bytes, size_t size)
{
	// SystemFunction036 of advapi32.dll by its documented name.
	if (!RtlGenRandom(bytes, (ULONG)size))
		return win_error(GetLastError(), "cannot get random bytes from the system");
	return NULL;
}
