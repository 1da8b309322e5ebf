/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_PROFILE_PAGE_H
#define WPERF_CLI_PROFILE_PAGE_H

/** --html of sample, record and report. */

#include "profile/named_profile.h"

/** With the texts of the hot source files, as far as they can be read here. */
struct error *profile_page_write(const char *path, const struct named_profile *profile);

#endif
