/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_SAMPLE_CHOICE_H
#define WPERF_REPORT_RECORDED_SAMPLE_CHOICE_H

/** Which events and samples of a profile a command shows. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

#include <stdbool.h>

/** As the user gave them; NULL: all. */
struct sample_choice {
	const char *event;                    /* its name */
	const char *thread, *module, *symbol; /* as in struct profile_criteria */
	const struct profile_pick *pick;      /* by numbers of the profile, as a browser picks */
	const char *time_range; /* "1.5,2": seconds since the first sample; each may be missing */
};

/** A filter for the samples that are wanted. @event: number of one, or NAMED_NONE for all. */
struct error *sample_choice_filter(const struct sample_choice *choice,
				   const struct named_profile *profile, uint32_t event,
				   struct profile_filter **ret);

/** Is this event wanted? */
bool sample_choice_wants_event(const struct sample_choice *choice,
			       const struct named_profile *profile, uint32_t event);

/** The first one from @event on that is wanted; the number of events: there is none. */
uint32_t sample_choice_next_event(const struct sample_choice *choice,
				  const struct named_profile *profile, uint32_t event);

/** The number of the event that is wanted, or of the only one there is; NAMED_NONE for all. */
uint32_t sample_choice_single_event(const struct sample_choice *choice,
				    const struct named_profile *profile);

/** Remove from the profile what is not wanted. */
struct error *sample_choice_keep(const struct sample_choice *choice, struct named_profile *profile);

/** An event that is not in the profile is an error, and so is a profile without events. */
struct error *sample_choice_check_event(const struct sample_choice *choice,
					const struct named_profile *profile);

#endif
