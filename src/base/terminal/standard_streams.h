/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TERMINAL_STANDARD_STREAMS_H
#define WPERF_BASE_TERMINAL_STANDARD_STREAMS_H

/**
 * Standard input, output and error in binary mode, and a console that shows UTF-8, so that the
 * output is the same on every system.
 */

struct standard_streams {
	unsigned page_before; /* the code page to restore; 0: it was not changed */
};

void standard_streams_init(struct standard_streams *streams);

/** Restores the console. */
void standard_streams_deinit(struct standard_streams *streams);

#endif
