/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROFILE_FACTS_H
#define WPERF_SESSION_PROFILE_FACTS_H

/** Copies the metadata of a recording into its profile. */

#include "profile/named_profile.h"
#include "record/perf_data/perf_data.h"

/** Command line, host, system and machine, if @info has them. */
struct error *profile_facts_describe(struct named_profile *profile,
				     const struct perf_data_info *info);

/** How its interpreted frames were collected, if @facts have it. */
struct error *profile_facts_set_collection(struct named_profile *profile,
					   const struct collection_facts *facts);

/**
 * Of its interpreted code: that of the interpreter here with this language, else one of which only
 * the name is known.
 * @name: also as frames of OTLP say it. NULL, or a name that nobody may print: nothing changes.
 */
struct error *profile_facts_set_language(struct named_profile *profile, const char *name);

/** When it began, if @info and the samples have the same clock. */
void profile_facts_set_time(struct named_profile *profile, const struct perf_data_info *info);

#endif
