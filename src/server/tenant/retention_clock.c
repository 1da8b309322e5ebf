// SPDX-License-Identifier: Apache-2.0

#include "server/tenant/retention_clock.h"

#include "fleet/store/store_ops.h"

// NTP sets a clock that is off by less without notice, and both clocks drift.
#define RETENTION_CLOCK_TOLERANCE_NS STORE_HOUR_NS
#define RETENTION_CLOCK_HOLD_NS      STORE_DAY_NS

void retention_clock_init(struct retention_clock *clock, uint64_t newest_ns, uint64_t keep_ns,
			  struct retention_instant now)
{
	*clock = (struct retention_clock){.known = now};
	clock->goes_by_window =
		newest_ns && newest_ns < now.wall_ns && now.wall_ns - newest_ns > keep_ns / 2;
	if (clock->goes_by_window)
		clock->known.wall_ns = newest_ns;
}

bool retention_clock_permits(struct retention_clock *clock, struct retention_instant now,
			     uint64_t *ret_ahead_ns)
{
	uint64_t expected_ns = clock->known.wall_ns + (now.steady_ns - clock->known.steady_ns);
	uint64_t ahead_ns = now.wall_ns > expected_ns ? now.wall_ns - expected_ns : 0;
	bool is_ahead = ahead_ns > RETENTION_CLOCK_TOLERANCE_NS;
	if (is_ahead && !clock->is_held)
		clock->held_ns = now.steady_ns;
	clock->is_held = is_ahead && now.steady_ns - clock->held_ns < RETENTION_CLOCK_HOLD_NS;
	if (clock->is_held) {
		*ret_ahead_ns = ahead_ns;
		return false;
	}
	clock->known = now;
	clock->goes_by_window = false;
	return true;
}
