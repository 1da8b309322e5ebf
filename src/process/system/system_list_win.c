// SPDX-License-Identifier: Apache-2.0

#include "process/system/system_list.h"

#include "base/cleanup.h"

#include <stdlib.h>

// The size of a list is known only when it was read, and may have grown by the next call: the
// buffer is doubled until the answer fits. A list that is not given leaves NULL and is no error:
// callers can do without.

// STATUS_INFO_LENGTH_MISMATCH.
static const NTSTATUS too_small = (NTSTATUS)0xc0000004;

struct error *system_list_read(SYSTEM_INFORMATION_CLASS list, uint32_t first_size, uint32_t most,
			       void **ret, size_t *ret_size)
{
	NTSTATUS status = too_small;
	*ret = NULL;
	for (ULONG size = first_size; status == too_small && size <= most; size *= 2) {
		_cleanup_free_ void *bytes = malloc(size);
		ULONG used = 0;
		if (!bytes)
			return &error_no_memory;
		status = NtQuerySystemInformation(list, bytes, size, &used);
		if (status != 0)
			continue;
		*ret_size = used < size ? used : size;
		*ret = take_ptr(bytes);
	}
	return NULL;
}
