/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_SPE_FIXTURE_H
#define WPERF_TESTS_UNIT_SPE_FIXTURE_H

/** Named profiles with samples of SPE, made up. Include behind cmocka.h. */

#include "record/spe/spe_core.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/spe_samples.h"

static inline struct spe_record spe_fixture_record(uint32_t *seed)
{
	static const uint8_t sources[] = {0x0, 0x8, 0x9, 0xb, 0xd, 0xe};
	uint32_t kind = fixture_random(seed, 4);
	uint64_t events = SPE_TEST_EVENT(RETIRED) | (uint64_t)fixture_random(seed, 2)
							    << SPE_EVENT_TLB_WALK;
	struct spe_record record;
	if (kind == 0) {
		record = spe_test_branch(fixture_random(seed, 2) != 0, events, 0x1000);
	} else {
		record = spe_test_access(kind == 1, 64 * fixture_random(seed, 40),
					 fixture_random(seed, 500));
		record.values[SPE_VALUE_EVENTS] |= events;
	}
	if (kind > 1)
		spe_test_set(&record, SPE_VALUE_DATA_SOURCE, sources[fixture_random(seed, 6)]);
	spe_test_latency(&record, SPE_COUNTER_TOTAL, 1 + fixture_random(seed, 400));
	spe_test_latency(&record, SPE_COUNTER_ISSUE, fixture_random(seed, 30));
	return record;
}

/** Each frame of fixture_random_names() is a stack of its own. @samples: what was put in. */
static inline void spe_fixture_profile(struct named_profile *profile, struct spe_sample *samples,
				       size_t num_samples)
{
	uint32_t seed = 21;
	assert_no_error(named_profile_init(profile));
	fixture_random_names(profile);
	assert_no_error(spe_profile_create(&profile->spe));
	for (size_t i = 0; i < num_samples; i++) {
		struct spe_sample *sample = &samples[i];
		uint32_t frame = fixture_random(&seed, (uint32_t)profile->num_frames);
		*sample = (struct spe_sample){
			.record = spe_fixture_record(&seed),
			.place = {.thread = fixture_random(&seed, 3), .midr = SPE_CORE_NEOVERSE_N1},
			.pid = 1,
		};
		sample->line_thread = sample->place.thread;
		assert_no_error(stack_table_push(&profile->stacks, STACK_NONE, frame,
						 &sample->place.stack));
		assert_no_error(stack_table_push(&profile->stacks, STACK_NONE, frame / 2,
						 &sample->target_stack));
		assert_no_error(spe_profile_add(profile->spe, sample));
	}
}

#endif
