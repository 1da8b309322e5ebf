/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROFILE_FACTS_H
#define WPERF_SESSION_PROFILE_FACTS_H

/** What a recording says of itself, in the profile that is made of it. */

#include "profile/named_profile.h"
#include "record/perf_data.h"

/** Command line, host, system and machine, as far as @info has them. */
struct error *profile_facts_describe(struct named_profile *profile,
				     const struct perf_data_info *info);

/** How its frames of Python came. Nothing if @facts do not say. */
struct error *profile_facts_set_python(struct named_profile *profile,
				       const struct python_rung_facts *facts);

/** When it began, if the clock of @info is that of the samples. */
void profile_facts_set_time(struct named_profile *profile, const struct perf_data_info *info);

#endif
