// SPDX-License-Identifier: Apache-2.0

#include "session/setup/allocator_search.h"

struct error *allocator_search(const uint32_t *pids, size_t num_pids, struct arena *arena,
			       const struct allocator_places **ret)
{
	return error_create(ERROR_FAILED, "allocators are probed only on Linux");
}
