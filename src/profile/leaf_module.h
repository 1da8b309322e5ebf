/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_LEAF_MODULE_H
#define WPERF_PROFILE_LEAF_MODULE_H

/** In which module of native code samples were taken, whoever called it. */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdint.h>

struct leaf_module {
	uint32_t module;      /* NAMED_NONE: there is no such sample */
	uint64_t num_samples; /* taken in it */
	uint64_t num_all;     /* taken anywhere */
};

/**
 * The one with the most samples.
 * @event: NAMED_NONE for all. @pattern: of its name or path (glob); NULL: any.
 */
struct error *leaf_module_find(const struct named_profile *profile, uint32_t event,
			       const char *pattern, struct leaf_module *ret);

/** Remove the samples that were taken elsewhere. */
void leaf_module_keep(struct named_profile *profile, uint32_t module);

#endif
