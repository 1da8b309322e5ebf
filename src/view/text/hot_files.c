// SPDX-License-Identifier: Apache-2.0
#include "view/text/hot_files.h"

#include "base/cleanup.h"

#include <stdlib.h>

// Which source files are worth their place in a page: weights by stack are passed up to the callers
// in one pass, and each node adds its own to the file of its frame. A file in several frames of a
// stack is added several times; for choosing files that does no harm.

static int compare_double(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_hotter_first(const void *left, const void *right)
{
	const struct hot_file *a = left, *b = right;
	int order = compare_double(b->self, a->self);
	order = order ? order : compare_double(b->inclusive, a->inclusive);
	return order ? order : (a->path > b->path) - (a->path < b->path);
}

struct error *hot_files_init(struct hot_files *files, const struct named_profile *profile)
{
	size_t num_strings = profile->strings.num_entries;
	_cleanup_free_ double *self = calloc(profile->stacks.num_nodes + 1, sizeof(*self));
	_cleanup_free_ double *inclusive =
		calloc(profile->stacks.num_nodes + 1, sizeof(*inclusive));
	_cleanup_free_ struct hot_file *by_path = calloc(num_strings + 1, sizeof(*by_path));
	if (!self || !inclusive || !by_path)
		return &error_no_memory;
	// Sums of all events: they only decide which files come first.
	for (size_t i = 0; i < profile->num_samples; i++)
		if (profile->samples[i].stack != STACK_NONE)
			self[profile->samples[i].stack] += (double)profile->samples[i].weight;
	// Callees come after their callers, so that on the way back each sum is complete.
	for (size_t i = profile->stacks.num_nodes; i-- > 0;) {
		const struct stack_node *node = &profile->stacks.nodes[i];
		const struct named_frame *frame = &profile->frames[node->frame];
		inclusive[i] += self[i];
		if (node->parent != STACK_NONE)
			inclusive[node->parent] += inclusive[i];
		// Without a line, the page has nothing to show in the file.
		if (frame->line == 0)
			continue;
		by_path[frame->file].path = frame->file;
		by_path[frame->file].self += self[i];
		by_path[frame->file].inclusive += inclusive[i];
	}
	size_t count = 0;
	for (size_t i = 0; i < num_strings; i++)
		if (by_path[i].path)
			by_path[count++] = by_path[i];
	qsort(by_path, count, sizeof(*by_path), compare_hotter_first);
	*files = (struct hot_files){.items = take_ptr(by_path), .num_items = count};
	return NULL;
}

void hot_files_deinit(struct hot_files *files)
{
	free(files->items);
	*files = (struct hot_files)HOT_FILES_INIT;
}
