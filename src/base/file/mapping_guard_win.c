// SPDX-License-Identifier: Apache-2.0

#include "base/file/mapping_guard.h"

// Nothing to guard: Windows does not let anybody cut off a file that is mapped.
void mapping_guard_install(void)
{
}

bool mapping_guard_add(const void *data, size_t size, const char *name)
{
	return true;
}

void mapping_guard_remove(const void *data)
{
}

const char *mapping_guard_lost(void)
{
	return NULL;
}

void mapping_guard_drop_pages(void)
{
}
