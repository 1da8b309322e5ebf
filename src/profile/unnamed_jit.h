/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_UNNAMED_JIT_H
#define WPERF_PROFILE_UNNAMED_JIT_H

/**
 * Samples in code that a JIT compiler made and did not name, and the option that makes it write the
 * names (a perf map or a jitdump file). To add a runtime: a row in unnamed_jit.c.
 */

#include "profile/named_profile.h"

struct unnamed_jit {
	double percent;     /* of all samples; 0: there are none */
	const char *advice; /* "start node with --perf-basic-prof"; never NULL */
};

struct unnamed_jit unnamed_jit_find(const struct named_profile *profile);

#endif
