/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_STORED_PROFILE_ORDER_H
#define WPERF_PROFILE_STORED_PROFILE_ORDER_H

/** One order of threads, samples and strings, whatever the profile was made from: reports of equal
 *  profiles are equal, byte for byte, if their events, frames and stacks have the same numbers. */

#include "profile/named_profile.h"

/**
 * Threads by name, process and number; samples by time, then event, stack and thread. Strings that
 * nothing refers to go. The profile has nothing of SPE. After an error it can only be
 * deinitialized.
 */
struct error *profile_order_apply(struct named_profile *profile);

#endif
