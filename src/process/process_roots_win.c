// SPDX-License-Identifier: Apache-2.0

#include "process/process_roots.h"

// Windows gives processes no root folder of their own.
struct error *process_root_read(struct file_roots *roots, uint32_t pid,
				const struct file_root **ret, bool *ret_seen)
{
	*ret = NULL;
	*ret_seen = true;
	return NULL;
}

struct error *process_root_recorded(struct file_roots *roots, struct file_root_id id, uint32_t pid,
				    const struct file_root **ret)
{
	*ret = NULL;
	return NULL;
}
