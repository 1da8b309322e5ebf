// SPDX-License-Identifier: Apache-2.0
// QueryDosDevice() of each letter. What several drives share (subst) has the first of them.

#include "source/etw/volumes/etw_volumes.h"

#include "base/text/wide_text.h"

#include <windows.h>

#include <stdlib.h>

struct error *etw_volumes_read(struct etw_volumes *volumes)
{
	struct error *err = NULL;
	for (char letter = 'A'; !err && letter <= 'Z'; letter++) {
		const char drive[] = {letter, ':', 0};
		const wchar_t wide[] = {(wchar_t)letter, L':', 0};
		wchar_t device[MAX_PATH];
		// Several names may stand behind each other: the first is the present one.
		if (!QueryDosDeviceW(wide, device, MAX_PATH))
			continue;
		_cleanup_free_ char *name = NULL;
		err = utf8_from_wide(device, &name);
		if (!err)
			err = etw_volumes_add(volumes, name, drive);
	}
	return err;
}
