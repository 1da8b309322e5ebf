// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_set.h"

/** PySetObject (Include/cpython/setobject.h) has not changed since 3.6: behind the head of an
 * object are these. */
struct set_head {
	uint64_t fill, used, mask, table;
};

struct set_entry {
	uint64_t key, hash;
};

bool python_set_read(const struct python_runtime *runtime, uint64_t address, struct python_set *ret)
{
	struct set_head head;
	uint64_t start = address + runtime->layout.object_type + sizeof(uint64_t);
	if (!process_memory_read(&runtime->memory, start, &head, sizeof(head)) ||
	    head.used > INT64_MAX || head.mask > INT64_MAX)
		return false;
	*ret = (struct python_set){
		.num_used = head.used,
		.table = head.table,
		.num = head.mask + 1,
	};
	return true;
}

bool python_set_next(const struct python_runtime *runtime, struct python_set *set, uint64_t *ret)
{
	// A removed member leaves a dummy key with the hash -1, which no object has.
	enum { MAX_PLACES = 1024, NO_MEMBER = -1 };
	while (set->next < set->num && set->next < MAX_PLACES) {
		struct set_entry entry;
		uint64_t address = set->table + set->next++ * sizeof(entry);
		if (!process_memory_read(&runtime->memory, address, &entry, sizeof(entry)))
			return false;
		if (!entry.key || (int64_t)entry.hash == NO_MEMBER)
			continue;
		*ret = entry.key;
		return true;
	}
	return false;
}
