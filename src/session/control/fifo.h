/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_CONTROL_FIFO_H
#define WPERF_SESSION_CONTROL_FIFO_H

/** FIFOs by which other programs tell wperf something. Linux only. */

#include "base/error.h"

/**
 * Open one, without a wait for the other side.
 * @flags: O_RDONLY, or O_RDWR: then its end does not come when a writer closes it.
 * @option: that names it, for messages.
 * @hint: what one is for, if it is none.
 */
struct error *fifo_open(const char *path, int flags, const char *option, const char *hint,
			int *ret);

#endif
