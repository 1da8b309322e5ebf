// SPDX-License-Identifier: Apache-2.0

#include "fleet/fleet_batch.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

struct error *fleet_batch_init(struct fleet_batch *batch)
{
	*batch = (struct fleet_batch){.id = strdup("")};
	if (!batch->id)
		return &error_no_memory;
	return named_profile_init(&batch->profile);
}

void fleet_batch_deinit_labels(struct fleet_batch *batch)
{
	for (size_t i = 0; i < batch->num_labels; i++) {
		free(batch->labels[i].key);
		free(batch->labels[i].value);
	}
	free(batch->labels);
	batch->labels = NULL;
	batch->num_labels = batch->cap_labels = 0;
}

void fleet_batch_deinit(struct fleet_batch *batch)
{
	fleet_batch_deinit_labels(batch);
	free(batch->id);
	named_profile_deinit(&batch->profile);
	*batch = (struct fleet_batch){0};
}

static struct error *fleet_batch_replace(char **text, const char *by)
{
	char *copy = strdup(by);
	if (!copy)
		return &error_no_memory;
	free(*text);
	*text = copy;
	return NULL;
}

struct error *fleet_batch_set_id(struct fleet_batch *batch, const char *id)
{
	return fleet_batch_replace(&batch->id, id);
}

/** Where the key is, or would be. */
static size_t fleet_batch_find(const struct fleet_batch *batch, const char *key)
{
	size_t at = 0;
	while (at < batch->num_labels && strcmp(batch->labels[at].key, key) < 0)
		at++;
	return at;
}

static bool fleet_batch_has(const struct fleet_batch *batch, size_t at, const char *key)
{
	return at < batch->num_labels && strcmp(batch->labels[at].key, key) == 0;
}

struct error *fleet_batch_set_label(struct fleet_batch *batch, const char *key, const char *value)
{
	size_t at = fleet_batch_find(batch, key);
	if (fleet_batch_has(batch, at, key))
		return fleet_batch_replace(&batch->labels[at].value, value);
	struct error *err =
		array_reserve(&batch->labels, &batch->cap_labels, batch->num_labels + 1);
	if (err)
		return err;
	struct fleet_label label = {strdup(key), strdup(value)};
	if (!label.key || !label.value) {
		free(label.key);
		free(label.value);
		return &error_no_memory;
	}
	memmove(&batch->labels[at + 1], &batch->labels[at],
		(batch->num_labels - at) * sizeof(*batch->labels));
	batch->labels[at] = label;
	batch->num_labels++;
	return NULL;
}

const char *fleet_batch_label(const struct fleet_batch *batch, const char *key)
{
	size_t at = fleet_batch_find(batch, key);
	return fleet_batch_has(batch, at, key) ? batch->labels[at].value : "";
}
