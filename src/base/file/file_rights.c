// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_rights.h"

#include <string.h>

bool file_rights_are_same(const struct file_rights *a, const struct file_rights *b)
{
	return a->is_known == b->is_known && a->user == b->user && a->group == b->group &&
	       a->root == b->root && a->num_groups == b->num_groups &&
	       !memcmp(a->groups, b->groups, a->num_groups * sizeof(*a->groups));
}
