/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_STANDARD_STREAMS_H
#define WPERF_BASE_STANDARD_STREAMS_H

/**
 * Standard input, output and error take bytes as they are, and a console shows UTF-8: so that
 * what wperf writes is the same on every system.
 */

struct standard_streams {
	unsigned page_before; /* of characters, that the console showed; 0: nothing was changed */
};

void standard_streams_init(struct standard_streams *streams);

/** The console as it was. */
void standard_streams_deinit(struct standard_streams *streams);

#endif
