/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_STORED_STORED_PROFILE_H
#define WPERF_CLI_OPTION_STORED_STORED_PROFILE_H

/** The store that the user named, and the profile that is wanted of it. */

#include "cli/option/options.h"
#include "fleet/store/store_ops.h"
#include "profile/named_profile.h"

/** The place of the store that the command reads or fills; NULL: none. */
const char *stored_profile_place(const struct options *options);

/** @place: of --from or a word. Opened with the token of --token-file or WPERF_TOKEN. */
struct error *stored_profile_open(const struct options *options, const char *place,
				  enum store_access access, struct store **ret);

/**
 * @diff:        the value of --diff; NULL: what it is compared with (stored_choice.h).
 * @keeps_times: samples in steps of time, for a page; else sums of the whole range.
 */
struct error *stored_profile_read(const struct options *options, const char *diff, bool keeps_times,
				  struct named_profile *ret);

#endif
