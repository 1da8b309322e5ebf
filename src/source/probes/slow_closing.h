/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PROBES_SLOW_CLOSING_H
#define WPERF_SOURCE_PROBES_SLOW_CLOSING_H

/**
 * Closes events of probes beside the run: for each the kernel waits until no core is in the probe
 * any more, which takes some 10 ms.
 */

#include <stddef.h>

struct slow_closing_round;

struct slow_closing {
	int *fds; /* that wait */
	size_t num_fds, cap_fds;
	struct slow_closing_round *round; /* NULL: none is being closed */
};

#define SLOW_CLOSING_INIT \
	{                 \
	}

/** Takes them over; without memory they are closed at once. */
void slow_closing_add(struct slow_closing *closing, int *fds, size_t num_fds);

/** Those that wait are closed from now on, unless others still are. Call it now and then. */
void slow_closing_go_on(struct slow_closing *closing);

/** All are closed. */
void slow_closing_deinit(struct slow_closing *closing);

#endif
