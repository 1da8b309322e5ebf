/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_NAMES_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_NAMES_H

/** Numbers in a store for what a profile refers to. What is not there yet is added; of a profile
 *  only what is asked for. */

#include "fleet/store/sqlite/sqlite_file.h"
#include "fleet/store/sqlite/sqlite_stack.h"
#include "profile/named_profile.h"

/** While a batch is put. Numbers of the store by those of the profile; 0: not asked for yet. */
struct sqlite_names {
	struct sqlite_file *file;
	const struct named_profile *profile;
	int64_t *strings, *modules, *functions, *frames;
	int64_t *stacks; /* without traits */
	int64_t service, last_stack;
	struct string_builder packed;
	int64_t *path; /* frames of one stack */
	size_t cap_path;
};

/** @service: of the stacks. */
struct error *sqlite_names_init(struct sqlite_names *names, struct sqlite_file *file,
				const struct named_profile *profile, const char *service);
void sqlite_names_deinit(struct sqlite_names *names);

struct error *sqlite_names_text(struct sqlite_file *file, const char *text, int64_t *ret);
struct error *sqlite_names_string(struct sqlite_names *names, uint32_t string, int64_t *ret);

/** @stack: of the profile, or STACK_NONE. */
struct error *sqlite_names_stack(struct sqlite_names *names, uint32_t stack,
				 struct store_traits traits, int64_t *ret);

#endif
