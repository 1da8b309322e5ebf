// SPDX-License-Identifier: Apache-2.0
// Input: a request of OTLP profiles, which may be packed by gzip. What was understood of it is
// written, and read again.

#include "fleet/gzip_reader.h"
#include "fleet/otlp/otlp_decoder.h"
#include "fleet/otlp/otlp_encoder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNPACKED = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_right)
{
	if (!is_right)
		abort();
}

/** Every number refers to something. */
static void check_profile(const struct named_profile *profile)
{
	size_t num_strings = profile->strings.num_entries;
	for (size_t i = 0; i < num_strings; i++)
		check(!memchr(profile->strings.entries[i].text, 0,
			      profile->strings.entries[i].length));
	for (size_t i = 0; i < profile->num_functions; i++) {
		const struct named_function *function = &profile->functions[i];
		check(function->module == NAMED_NONE || function->module < profile->num_modules);
		check(function->name < num_strings && function->linkage_name < num_strings &&
		      function->file < num_strings && function->kind <= FRAME_MARKER);
	}
	for (size_t i = 0; i < profile->num_frames; i++)
		check(profile->frames[i].function < profile->num_functions &&
		      profile->frames[i].file < num_strings);
	for (size_t i = 0; i < profile->stacks.num_nodes; i++)
		check(profile->stacks.nodes[i].frame < profile->num_frames);
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		check(sample->event < profile->num_events &&
		      sample->thread < profile->num_threads && sample->weight <= INT64_MAX);
		check(sample->stack == STACK_NONE || sample->stack < profile->stacks.num_nodes);
	}
	for (size_t i = 0; i < profile->num_events; i++)
		check(profile->events[i].name < num_strings &&
		      profile->events[i].unit < num_strings &&
		      profile->events[i].model < num_strings);
}

static uint64_t weight_of(const struct named_profile *profile)
{
	uint64_t weight = 0;
	for (size_t i = 0; i < profile->num_samples; i++)
		weight += profile->samples[i].weight;
	return weight;
}

static bool saturates(const struct named_profile *profile)
{
	for (size_t i = 0; i < profile->num_samples; i++)
		if (profile->samples[i].weight > UINT32_MAX)
			return true;
	return false;
}

static void check_again(const struct fleet_batch *batch)
{
	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	_cleanup_(otlp_batches_deinit) struct otlp_batches again = OTLP_BATCHES_INIT;
	if (otlp_encoder_encode(batch, &bytes))
		return; // memory
	struct error *err = otlp_decoder_decode(bytes.text, bytes.length, OTLP_BATCH_EACH, &again);
	// A text of replacement characters is longer than what it replaces.
	if (!err && again.num_batches) {
		check(again.num_batches == 1);
		check(again.batches[0].profile.num_events == batch->profile.num_events);
		check(again.batches[0].has_times == batch->has_times);
		check(!batch->has_times ||
		      again.batches[0].profile.num_samples == batch->profile.num_samples);
		check(saturates(&batch->profile) ||
		      weight_of(&again.batches[0].profile) == weight_of(&batch->profile));
	}
	error_destroy(err);
}

static void decode(const uint8_t *data, size_t size)
{
	for (enum otlp_grouping grouping = 0; grouping <= OTLP_BATCH_ALL; grouping++) {
		_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
		struct error *err = otlp_decoder_decode(data, size, grouping, &batches);
		check(!err || !batches.num_batches);
		check(grouping == OTLP_BATCH_EACH || batches.num_batches <= 1);
		error_destroy(err);
		for (size_t i = 0; i < batches.num_batches; i++) {
			check_profile(&batches.batches[i].profile);
			check_again(&batches.batches[i]);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ uint8_t *unpacked = NULL;
	size_t unpacked_size = 0;
	if (!gzip_reader_is_gzip(data, size)) {
		decode(data, size);
		return 0;
	}
	struct error *err = gzip_reader_unpack(data, size, MAX_UNPACKED, &unpacked, &unpacked_size);
	if (!err)
		decode(unpacked, unpacked_size);
	error_destroy(err);
	return 0;
}
