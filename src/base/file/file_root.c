// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_root.h"

#include "base/container/array.h"
#include "base/file/close_fd.h"

#include <stdlib.h>

// A list that is searched from its start: a machine has few containers, and FILE_ROOTS_MAX limits
// what a hostile program can make us keep open. Each root is an allocation of its own, so that
// pointers to it survive the growth of the list.

bool file_root_id_is_same(struct file_root_id a, struct file_root_id b)
{
	return a.mounts == b.mounts && a.device == b.device && a.inode == b.inode;
}

const struct file_root *file_roots_find(const struct file_roots *roots, struct file_root_id id)
{
	for (size_t i = 0; i < roots->num_items; i++)
		if (file_root_id_is_same(roots->items[i]->id, id))
			return roots->items[i];
	return NULL;
}

static void close_root(struct file_root *root)
{
	close_fd(&root->folder);
	close_fd(&root->mounts);
}

struct error *file_roots_add(struct file_roots *roots, const struct file_root *root,
			     const struct file_root **ret)
{
	static const struct file_root too_many = {
		.folder = -1, .mounts = -1, .refusal = "there are too many other root folders"};
	struct file_root added = *root;
	if (roots->num_items >= FILE_ROOTS_MAX) {
		close_root(&added);
		*ret = &too_many;
		return NULL;
	}
	struct error *err = array_reserve(&roots->items, &roots->cap_items, roots->num_items + 1);
	struct file_root *kept = err ? NULL : malloc(sizeof(*kept));
	if (!kept) {
		close_root(&added);
		return &error_no_memory;
	}
	*kept = added;
	roots->items[roots->num_items++] = kept;
	roots->num_open += root->folder >= 0;
	*ret = kept;
	return NULL;
}

void file_roots_deinit(struct file_roots *roots)
{
	for (size_t i = 0; i < roots->num_items; i++) {
		close_root(roots->items[i]);
		free(roots->items[i]);
	}
	free(roots->items);
	*roots = (struct file_roots){0};
}
