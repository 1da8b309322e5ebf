/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_SPE_BY_NAME_H
#define WPERF_PROFILE_SPE_SPE_BY_NAME_H

/**
 * A profile as WindowsPerf has it: what happened to the sampled operations of SPE, in words, are
 * the names of its events (spe_source_name.h), in the order in which they came. Events that are not
 * SPE's stay as they are. Samples of SPE have neither a thread nor a CPU then.
 */

#include "profile/named_profile.h"

/**
 * @profile: with SPE; it gets new strings, and must outlive the view.
 * @ret: its events and samples are its own, all else is that of the profile; set only on success.
 */
struct error *spe_by_name_create(struct named_profile *profile, struct named_profile *ret);
void spe_by_name_deinit(struct named_profile *view);

#endif
