/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_ANONYMOUS_PROFILE_H
#define WPERF_PROFILE_ANONYMOUS_PROFILE_H

/** Makes a profile fit for others: who ran it, where and with which words leaves it. */

#include "profile/named_profile.h"

/**
 * All strings are changed as base/text/anonymous_text.h says. The host's name goes, and the
 * program's name takes the place of the command line. Reports and pages of it show no source text.
 */
struct error *anonymous_profile_apply(struct named_profile *profile);

#endif
