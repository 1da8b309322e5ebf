/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_IDLE_SAMPLES_H
#define WPERF_PROFILE_IDLE_SAMPLES_H

/**
 * Samples of CPUs that had nothing to do. They are no work of any function: a table of what is hot
 * is better without them.
 *
 * Idle is what the kernel's idle task (pid 0 and tid 0) does in a function of its idle loop. What
 * it does for interrupts is work, and stays. In a kernel without names all of the task is idle.
 */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

#include <stdbool.h>

/** Is it a function of the idle loop: "default_idle", "pv_native_safe_halt", "intel_idle"? */
bool idle_samples_is_idle_function(const char *name);

/**
 * Take the idle samples out of the profile, and note for each event how many they were. Those that
 * @filter (NULL: takes all) refuses are taken out, but not noted.
 */
struct error *idle_samples_leave_out(struct named_profile *profile,
				     const struct profile_filter *filter);

/** Of the CPU's time, or whatever the event counts; 0 if nothing was left out. */
static inline double idle_samples_percent(const struct named_event *event)
{
	return named_total_percent(event->idle, event->with_idle);
}

#endif
