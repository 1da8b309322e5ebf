/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CLOSE_FD_H
#define WPERF_BASE_CLOSE_FD_H

/** File descriptors that end with their scope: `_cleanup_(close_fd) int fd = open(...);` */

#include <unistd.h>

/** Close it if there is one; it is -1 then. */
static inline void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/** Hand it over: it no longer ends with its scope. */
static inline int take_fd(int *fd)
{
	int taken = *fd;
	*fd = -1;
	return taken;
}

#endif
