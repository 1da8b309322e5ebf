// SPDX-License-Identifier: Apache-2.0

#include "process/system/debug_right.h"

#include "base/cleanup.h"
#include "base/os/close_handle.h"

#include <windows.h>

// A token has the rights that its user may have, most of them switched off. SeDebugPrivilege opens
// processes of all users; an administrator's token has it, if the console was opened as one.

bool debug_right_switch_on(void)
{
	_cleanup_(close_handle) HANDLE token = NULL;
	TOKEN_PRIVILEGES wanted = {
		.PrivilegeCount = 1,
		.Privileges = {{.Attributes = SE_PRIVILEGE_ENABLED}},
	};
	if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &token) ||
	    !LookupPrivilegeValueW(NULL, L"SeDebugPrivilege", &wanted.Privileges[0].Luid))
		return false;
	// It succeeds also for those who have no such right.
	return AdjustTokenPrivileges(token, FALSE, &wanted, 0, NULL, NULL) &&
	       GetLastError() == ERROR_SUCCESS;
}
