// SPDX-License-Identifier: Apache-2.0

#include "object/fetch/debuginfod.h"

// There is no libdebuginfod here.
bool debuginfod_is_wanted(void)
{
	return false;
}

struct error *debuginfod_fetch(const uint8_t *build_id, size_t size, char **ret)
{
	*ret = NULL;
	return NULL;
}

struct error *debuginfod_fetch_while(const uint8_t *build_id, size_t size,
				     bool (*goes_on)(void *data), void *data, char **ret)
{
	return debuginfod_fetch(build_id, size, ret);
}
