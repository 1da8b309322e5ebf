/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_PROCESS_ROLES_H
#define WPERF_PROFILE_INTERPRETED_PROCESS_ROLES_H

/**
 * What each process of a profile is for, in plain words: "gunicorn: worker", "multiprocessing:
 * resource tracker". Known by functions at the bottom of its stacks, which the language names
 * (language.h); so recordings of any source have it, and programs need not name their processes.
 * Processes without such a function are called by their name and the file of their program:
 * "python3 shop.py".
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "profile/named_profile.h"

/** Sets `role` of all threads with samples. Before interpreted frames are hidden. */
struct error *process_roles_apply(struct named_profile *profile);

/** All processes of a role: "gunicorn: worker (x4)"; a role of one process has only its words. */
void process_role_append_all(const struct named_profile *profile, const struct named_role *role,
			     struct string_builder *text);

/** One of them: "gunicorn: worker 3". */
void process_role_append_one(const struct named_profile *profile, const struct named_role *role,
			     struct string_builder *text);

#endif
