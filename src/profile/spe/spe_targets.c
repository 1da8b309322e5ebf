// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_targets.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// A branch is told apart by where it is, where it went, its event and its thread. As in spe_sums.c,
// these stand in front of the structure without gaps, and are hashed and compared as bytes.

enum { KEY_BYTES = offsetof(struct spe_target, count) };

_Static_assert(KEY_BYTES == 4 * sizeof(uint32_t), "no gaps in what is compared as bytes");

static bool spe_targets_is_like(const void *owner, uint32_t index, const void *key)
{
	const struct spe_targets *targets = owner;
	return memcmp(&targets->items[index], key, KEY_BYTES) == 0;
}

struct error *spe_targets_add(struct spe_targets *targets, const struct spe_target *target,
			      bool is_mispredicted)
{
	uint64_t hash = hash_bytes(target, KEY_BYTES);
	uint32_t index =
		hash_table_find(&targets->index, hash, spe_targets_is_like, targets, target);
	if (index == HASH_TABLE_NONE) {
		index = (uint32_t)targets->num_items;
		struct error *err =
			array_reserve(&targets->items, &targets->cap_items, targets->num_items + 1);
		if (!err)
			err = hash_table_insert(&targets->index, hash, index);
		if (err)
			return err;
		targets->items[index] = *target;
		targets->items[index].count = 0;
		targets->items[index].num_mispredicted = 0;
		targets->num_items++;
	}
	targets->items[index].count++;
	targets->items[index].num_mispredicted += is_mispredicted;
	return NULL;
}

void spe_targets_deinit(struct spe_targets *targets)
{
	free(targets->items);
	hash_table_deinit(&targets->index);
	*targets = (struct spe_targets)SPE_TARGETS_INIT;
}
