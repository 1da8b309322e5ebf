// SPDX-License-Identifier: Apache-2.0
// A window's profile is a shallow copy of the whole one, with a part of its samples: who stores a
// batch only looks at what its samples refer to.

#include "fleet/recording_windows.h"

#include "base/container/array.h"
#include "base/container/hash_bytes.h"
#include "base/text/string_builder.h"

#include <inttypes.h>
#include <stdlib.h>

void recording_windows_deinit(struct recording_windows *windows)
{
	for (size_t i = 0; i < windows->num_batches; i++) {
		windows->batches[i].profile = (struct named_profile){0}; // not its own
		fleet_batch_deinit(&windows->batches[i]);
	}
	free(windows->batches);
	*windows = (struct recording_windows){0};
}

static int recording_windows_compare(const void *a, const void *b)
{
	const struct named_sample *one = a, *other = b;
	return (one->time_ns > other->time_ns) - (one->time_ns < other->time_ns);
}

/** Of all that tells this recording from others: labels, times and weights. */
static uint64_t recording_windows_hash(const struct recording_windows_request *request,
				       const struct named_profile *profile, uint64_t start_wall_ns)
{
	uint64_t hash = hash_mix(start_wall_ns ^ HASH_PI, HASH_GOLDEN_RATIO);
	for (size_t i = 0; i < request->num_labels; i++) {
		const char *const texts[] = {request->labels[i].key, request->labels[i].value};
		for (size_t j = 0; j < ARRAY_SIZE(texts); j++)
			hash = hash_mix(hash ^ hash_bytes(texts[j], strlen(texts[j])),
					HASH_GOLDEN_RATIO);
	}
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		hash = hash_mix(hash ^ (sample->time_ns + ((uint64_t)sample->event << 56)),
				HASH_GOLDEN_RATIO);
		hash = hash_mix(hash ^ (sample->weight + ((uint64_t)sample->count << 48)), HASH_PI);
	}
	return hash;
}

/** A new batch, which is in the list before it is complete: its owner is clear. */
static struct error *recording_windows_append(struct recording_windows *windows,
					      const struct named_profile *profile,
					      struct fleet_batch **ret)
{
	struct error *err =
		array_reserve(&windows->batches, &windows->cap_batches, windows->num_batches + 1);
	if (err)
		return err;
	struct fleet_batch *batch = &windows->batches[windows->num_batches];
	err = fleet_batch_init(batch);
	named_profile_deinit(&batch->profile);
	if (err) {
		fleet_batch_deinit(batch);
		return err;
	}
	windows->num_batches++;
	batch->profile = *profile;
	*ret = batch;
	return NULL;
}

static struct error *recording_windows_describe(const struct recording_windows_request *request,
						uint64_t hash, struct fleet_batch *batch)
{
	_cleanup_(string_builder_deinit) struct string_builder id = STRING_BUILDER_INIT;
	struct error *err = NULL;
	string_builder_appendf(&id, "recording-%016" PRIx64 "-%" PRIu64, hash, batch->start_ns);
	if (id.failed)
		return &error_no_memory;
	for (size_t i = 0; !err && i < request->num_labels; i++)
		err = fleet_batch_set_label(batch, request->labels[i].key,
					    request->labels[i].value);
	return err ? err : fleet_batch_set_id(batch, string_builder_peek(&id));
}

static struct error *recording_windows_fill(const struct recording_windows_request *request,
					    const struct named_profile *profile, uint64_t wall_ns,
					    struct recording_windows *windows)
{
	uint64_t hash = recording_windows_hash(request, profile, wall_ns);
	// Modulo 2^64: samples may have been taken a little before the beginning.
	uint64_t offset = wall_ns - profile->start_time_ns;
	struct fleet_batch *batch = NULL;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		uint64_t time_ns = profile->samples[i].time_ns + offset;
		uint64_t start_ns = time_ns - time_ns % request->length_ns;
		if (batch && batch->start_ns == start_ns) {
			batch->profile.num_samples++;
			continue;
		}
		err = recording_windows_append(windows, profile, &batch);
		if (err)
			return err;
		batch->start_ns = start_ns;
		batch->length_ns = request->length_ns;
		batch->profile.samples = &profile->samples[i];
		batch->profile.num_samples = 1;
		// What was lost is lost once; when, nobody knows.
		if (windows->num_batches > 1)
			batch->profile.num_lost = 0;
		err = recording_windows_describe(request, hash, batch);
	}
	return err;
}

struct error *recording_windows_cut(const struct recording_windows_request *request,
				    struct named_profile *profile, struct recording_windows *ret)
{
	_cleanup_(recording_windows_deinit) struct recording_windows windows = {0};
	uint64_t wall_ns = request->start_wall_ns ? request->start_wall_ns : profile->start_wall_ns;
	if (!wall_ns)
		return error_create(ERROR_FAILED, "nothing in the recording says when it began");
	if (profile->num_samples)
		qsort(profile->samples, profile->num_samples, sizeof(*profile->samples),
		      recording_windows_compare);
	struct error *err = recording_windows_fill(request, profile, wall_ns, &windows);
	if (err)
		return err;
	*ret = windows;
	windows = (struct recording_windows){0};
	return NULL;
}
