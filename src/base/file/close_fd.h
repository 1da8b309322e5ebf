/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_CLOSE_FD_H
#define WPERF_BASE_FILE_CLOSE_FD_H

/** File descriptors that are closed at the end of their scope:
 *  `_cleanup_(close_fd) int fd = open(...);` */

#include <unistd.h>

/** Close it, unless it is negative, and set it to -1. */
static inline void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/** Transfer ownership: it is no longer closed at the end of its scope. */
static inline int take_fd(int *fd)
{
	int taken = *fd;
	*fd = -1;
	return taken;
}

#endif
