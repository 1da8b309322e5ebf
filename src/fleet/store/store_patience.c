// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/store_patience.h"

#include "base/os/clock.h"

static bool store_patience_is_late(const struct store_patience *patience)
{
	return patience->limit_ns && clock_ns(CLOCK_MONOTONIC) >= patience->until_ns;
}

bool store_patience_is_over(const struct store_patience *patience)
{
	return store_patience_is_late(patience) ||
	       (patience->is_gone && patience->is_gone(patience->data));
}

struct error *store_patience_error(const struct store_patience *patience)
{
	if (!store_patience_is_late(patience))
		return error_create(ERROR_CANCELLED, "nobody waits for the answer any more");
	return error_with_hint(
		error_create(ERROR_LATE, "the query took longer than %g s",
			     (double)patience->limit_ns / 1e9),
		"ask for a shorter range of time, or for one service, event or host");
}
