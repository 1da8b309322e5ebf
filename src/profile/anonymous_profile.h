/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_ANONYMOUS_PROFILE_H
#define WPERF_PROFILE_ANONYMOUS_PROFILE_H

/** Takes names of users and computers out of the paths of a profile. */

#include "profile/named_profile.h"

/** All strings are changed as base/text/anonymous_text.h says. */
struct error *anonymous_profile_apply(struct named_profile *profile);

#endif
