// SPDX-License-Identifier: Apache-2.0

#include "profile/source_users.h"

#include "base/cleanup.h"

#include <stdlib.h>

// A file is named by the debug information of a program, which its owner controls. It is opened
// with the rights of those users only in whose samples it occurs. Users are bits of a mask:
// source_users_mark() passes the bits of the samples' threads up to all callers, and from stacks to
// the file names of their frames. Bit 0 is nobody. Users that are too many for the mask are nobody,
// too, or, in another root folder, have a folder that is closed.
//
// Programs of two users, which both call f:
//
//	thread of user 1 (bit 1)  main.c -> f.c     main.c: bit 1         f.c: bits 1 and 2
//	thread of user 2 (bit 2)  other.c -> f.c    other.c: bit 2

/** What those may open that are too many and see other files than we do. */
static const struct file_root closed_root = {
	.folder = -1, .mounts = -1, .refusal = "there are too many of them"};

/** Its number; of those that are too many, that of nobody or of the closed root folder. */
static uint32_t source_users_number_of(struct source_users *users, const struct file_rights *rights)
{
	const struct file_rights closed = {.root = &closed_root};
	bool is_full = users->num_users >= SOURCE_USERS_MAX - 1;
	for (uint32_t i = 0; i < users->num_users; i++)
		if (file_rights_are_same(&users->users[i], rights))
			return i;
	if (is_full && !rights->root)
		return 0;
	if (users->num_users == SOURCE_USERS_MAX)
		return SOURCE_USERS_MAX - 1;
	users->users[users->num_users] = is_full ? closed : *rights;
	return (uint32_t)users->num_users++;
}

/** @ret: by stack, those in whose samples it is, also as a caller. */
static struct error *source_users_mark(struct source_users *users, const uint32_t *bits)
{
	const struct named_profile *profile = users->profile;
	users->num_masks = profile->strings.num_entries;
	users->masks = calloc(users->num_masks + 1, sizeof(*users->masks));
	_cleanup_free_ uint32_t *stacks = calloc(profile->stacks.num_nodes + 1, sizeof(*stacks));
	if (!users->masks || !stacks)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_samples; i++)
		if (profile->samples[i].stack != STACK_NONE)
			stacks[profile->samples[i].stack] |= bits[profile->samples[i].thread];
	// Backwards, as callers have lower numbers: one pass reaches the outermost.
	for (size_t i = profile->stacks.num_nodes; i > 0; i--) {
		uint32_t parent = profile->stacks.nodes[i - 1].parent;
		if (parent != STACK_NONE)
			stacks[parent] |= stacks[i - 1];
	}
	for (size_t i = 0; i < profile->stacks.num_nodes; i++) {
		const struct named_frame *frame = &profile->frames[profile->stacks.nodes[i].frame];
		users->masks[frame->file] |= stacks[i];
		users->masks[profile->functions[frame->function].file] |= stacks[i];
	}
	return NULL;
}

struct error *source_users_init(struct source_users *users, const struct named_profile *profile)
{
	*users = (struct source_users){.profile = profile, .num_users = 1};
	_cleanup_free_ uint32_t *bits = calloc(profile->num_threads + 1, sizeof(*bits));
	if (!bits)
		return &error_no_memory;
	uint32_t all = 0;
	for (size_t i = 0; i < profile->num_threads; i++)
		all |= bits[i] = UINT32_C(1)
				 << source_users_number_of(users, &profile->threads[i].rights);
	bool is_one = !(all & (all - 1));
	return is_one ? NULL : source_users_mark(users, bits);
}

void source_users_deinit(struct source_users *users)
{
	free(users->masks);
	*users = (struct source_users)SOURCE_USERS_INIT;
}

uint32_t source_users_find(const struct source_users *users, const char *path)
{
	if (!users->masks) // one user, who is the last; nobody is always there
		return UINT32_C(1) << (users->num_users ? users->num_users - 1 : 0);
	uint32_t string = string_table_find(&users->profile->strings, path);
	return string < users->num_masks && users->masks[string] ? users->masks[string] : 1;
}
