/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CLEANUP_H
#define WPERF_BASE_CLEANUP_H

/**
 * Resources that are freed at the end of their scope, and visible transfer of ownership.
 *
 *	_cleanup_free_ char *text = NULL;
 *	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
 *	...
 *	*ret = take_ptr(text);
 */

#include <stdlib.h>

#define _cleanup_(function) __attribute__((cleanup(function)))
#define _cleanup_free_      _cleanup_(cleanup_free)

/** Transfer ownership: returns the pointer and sets the variable to NULL, so that its cleanup does
 *  nothing. */
#define take_ptr(pointer)                               \
	({                                              \
		__typeof__(pointer) taken_ = (pointer); \
		(pointer) = NULL;                       \
		taken_;                                 \
	})

static inline void cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

#endif
