/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SOURCE_USERS_H
#define WPERF_PROFILE_SOURCE_USERS_H

/**
 * With whose rights the source files of a profile may be read: those of the users whose processes
 * had samples in them. It is enough if one of them may read a file.
 */

#include "profile/named_profile.h"

enum { SOURCE_USERS_MAX = 32 };

struct source_users {
	const struct named_profile *profile;
	struct file_rights users[SOURCE_USERS_MAX]; /* different ones; the first is nobody's */
	size_t num_users;
	uint32_t *masks; /* by string: a bit for each user; NULL: all files have the same */
	size_t num_masks;
};

#define SOURCE_USERS_INIT \
	{                 \
	}

/** @profile: must outlive the users. */
struct error *source_users_init(struct source_users *users, const struct named_profile *profile);
void source_users_deinit(struct source_users *users);

/** @ret: bits of those in `users` who may read the file at @path. */
uint32_t source_users_find(const struct source_users *users, const char *path);

#endif
