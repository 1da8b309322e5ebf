/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FILE_ROOT_H
#define WPERF_BASE_FILE_FILE_ROOT_H

/**
 * The root folders of processes that see other files than we do: of containers, or after chroot().
 * What such a process names is opened below its root folder or not at all, as a file of ours by the
 * same name is another one. Only on Linux.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Two processes with the same numbers see the same files. All 0: nothing is known. */
struct file_root_id {
	uint64_t mounts; /* number of the mount namespace */
	uint64_t device, inode;
};

bool file_root_id_is_same(struct file_root_id a, struct file_root_id b);

struct file_root {
	struct file_root_id id;
	int folder; /* open; negative: it is not, and nothing below it can be opened */
	int mounts; /* the mount namespace: while it is open, its file systems stay mounted */
	const char *refusal; /* why `folder` is not open; a constant */
};

/** Each root folder once; pointers to them stay valid until the end. */
struct file_roots {
	struct file_root **items;
	size_t num_items, cap_items;
	size_t num_open;
};

enum {
	FILE_ROOTS_MAX_OPEN = 64, /* two descriptors each; a process may have 1024 */
	FILE_ROOTS_MAX = 4096,
};

/** NULL if it is not there. */
const struct file_root *file_roots_find(const struct file_roots *roots, struct file_root_id id);

/** @root: its descriptors are the list's from now on. A root beyond FILE_ROOTS_MAX is one that is
 *  not open. */
struct error *file_roots_add(struct file_roots *roots, const struct file_root *root,
			     const struct file_root **ret);

void file_roots_deinit(struct file_roots *roots);

#endif
