/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_STORE_PATIENCE_H
#define WPERF_FLEET_STORE_STORE_PATIENCE_H

/** How long an answer of a store may take, and whether anybody still waits for it. */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct store_patience {
	uint64_t limit_ns;           /* for messages; 0: no limit */
	uint64_t until_ns;           /* of CLOCK_MONOTONIC */
	bool (*is_gone)(void *data); /* called now and then while it is made; NULL: never */
	void *data;
};

/** Is it of no use to go on? */
bool store_patience_is_over(const struct store_patience *patience);

/** Why it is over: ERROR_LATE, with what to narrow, or ERROR_CANCELLED. */
struct error *store_patience_error(const struct store_patience *patience);

#endif
