// SPDX-License-Identifier: Apache-2.0

#include "process/memory/process_snapshot.h"

#include "base/os/win_error.h"

struct error *process_snapshot_take(DWORD kind, HANDLE *ret)
{
	HANDLE snapshot = CreateToolhelp32Snapshot(kind, 0);
	if (snapshot == INVALID_HANDLE_VALUE)
		return win_error(GetLastError(), "cannot list processes");
	*ret = snapshot;
	return NULL;
}
