/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_LIBRARY_CONFIG_H
#define WPERF_LIBRARY_LIBRARY_CONFIG_H

/**
 * Configurations come from programs that were compiled with another version of wperf.h: the members
 * that an older one does not know are 0, those that a newer one has besides are not looked at.
 */

#include <stddef.h>
#include <string.h>

/** @config: begins with its size, or is NULL. @ret: of @size bytes. False: it has no size. */
static inline bool library_config_take(const void *config, void *ret, size_t size)
{
	size_t given = size;
	memset(ret, 0, size);
	if (config)
		memcpy(&given, config, sizeof(given));
	if (given < sizeof(given))
		return false;
	if (config)
		memcpy(ret, config, given < size ? given : size);
	return true;
}

#endif
