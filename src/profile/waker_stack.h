/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_WAKER_STACK_H
#define WPERF_PROFILE_WAKER_STACK_H

/** Stacks of threads that wake others: they end in what each wake-up goes through, and in the
 *  program that took the sample there. */

#include "profile/named_profile.h"

/** The stack without these frames: its innermost one is what woke, as a write to a pipe. Without
 *  names of the kernel it stays as it is. */
uint32_t waker_stack_trim(const struct named_profile *profile, uint32_t stack);

/** What names of markers begin with that stand between a wait and what ended it. */
#define WAKER_STACK_DIVIDER "[woken by "

/** Is the frame such a marker? */
bool waker_stack_is_divider(const struct named_profile *profile, uint32_t frame);

#endif
