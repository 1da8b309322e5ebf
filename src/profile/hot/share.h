/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_HOT_SHARE_H
#define WPERF_PROFILE_HOT_SHARE_H

/** A part of all samples, and how far chance may have moved it. */

#include "profile/named_profile.h"

struct share {
	double percent;   /* by weight */
	double low, high; /* in 95 of 100 recordings like this one the truth is between them */
};

/** Wilson's interval of so many samples; 0 to 100 % of nothing. */
struct share share_of(struct named_total part, struct named_total whole);

/** Of what was not sampled but measured as a whole: chance has no part in it. */
struct share share_measured(struct named_total part, struct named_total whole);

/** From one share to another, in percentage points. */
struct share_change {
	double points;
	double low, high; /* in 95 of 100 pairs of such recordings the truth is between them */
};

/** Newcombe's interval of two shares of different recordings. */
struct share_change share_change_of(struct share before, struct share after);

#endif
