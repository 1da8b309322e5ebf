// SPDX-License-Identifier: Apache-2.0

#include "profile/annotation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include "tests/unit/profile_fixture.h"
#include "tests/unit/profile_total.h"

#include <string.h>

static uint32_t add_frame(struct named_profile *profile, uint32_t function, const char *file,
			  uint32_t line, uint64_t address, bool is_inlined)
{
	struct named_frame frame = {.function = function,
				    .file = fixture_string(profile, file),
				    .line = line,
				    .is_inlined = is_inlined,
				    .address = address};
	uint32_t index = 0;
	assert_no_error(named_profile_frame(profile, &frame, &index));
	return index;
}

/** The random profile of the fixture, and samples in calls that are inlined up to three deep. */
static void init_random(struct named_profile *profile, uint32_t seed)
{
	fixture_random_profile(profile, seed, 100);
	for (size_t i = 0; i < 200; i++) {
		static const char *const files[] = {"app.c", "app.h"};
		uint64_t address = 1 + fixture_random(&seed, 20);
		size_t num_inlined = fixture_random(&seed, 4);
		uint32_t frames[5];
		for (size_t j = 0; j <= num_inlined; j++)
			frames[j] = add_frame(profile, fixture_random(&seed, 8),
					      files[fixture_random(&seed, 2)],
					      fixture_random(&seed, 6), address, j < num_inlined);
		frames[num_inlined + 1] = fixture_random(&seed, 20);
		fixture_sample(profile, frames, num_inlined + 2, 1 + fixture_random(&seed, 100));
	}
}

struct wanted {
	uint32_t item, file, line, module;
	uint64_t address;
	bool by_line, by_address;
	enum annotation_kind kind;
};

static bool is_wanted(const struct named_profile *profile, const struct wanted *wanted,
		      const struct named_frame *frame)
{
	uint32_t item = wanted->kind == ANNOTATION_OF_FILES ? frame->file : frame->function;
	if (item != wanted->item)
		return false;
	if (wanted->by_line && (frame->file != wanted->file || frame->line != wanted->line))
		return false;
	return !wanted->by_address ||
	       (profile->functions[frame->function].module == wanted->module &&
		frame->address == wanted->address);
}

/** The slow way: every sample's innermost frames are asked. */
static struct named_total sum(const struct named_profile *profile,
			      const struct profile_filter *filter, const struct wanted *wanted,
			      bool is_self)
{
	struct named_total total = {0};
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (!profile_filter_takes(filter, sample))
			continue;
		bool fits = false;
		uint32_t stack = sample->stack;
		while (stack != STACK_NONE) {
			const struct stack_node *node = &profile->stacks.nodes[stack];
			const struct named_frame *frame = &profile->frames[node->frame];
			fits |= is_wanted(profile, wanted, frame);
			stack = frame->is_inlined && !is_self ? node->parent : STACK_NONE;
		}
		if (fits)
			named_total_add(&total,
					(struct named_total){sample->count, sample->weight});
	}
	return total;
}

static void assert_totals(struct named_total got, struct named_total expected)
{
	assert_int_equal(got.count, expected.count);
	assert_int_equal(got.weight, expected.weight);
}

static void assert_lines(const struct named_profile *profile, const struct profile_filter *filter,
			 const struct annotation_part *part, struct wanted wanted)
{
	struct named_total all = {0};
	wanted.by_line = true;
	for (size_t i = 0; i < part->num_lines; i++) {
		const struct annotation_line *line = &part->lines[i];
		wanted.file = line->file;
		wanted.line = line->line;
		assert_totals(line->self, sum(profile, filter, &wanted, true));
		assert_totals(line->code, sum(profile, filter, &wanted, false));
		assert_true(line->code.count > 0);
		if (i)
			assert_true(line[-1].file < line->file ||
				    (line[-1].file == line->file && line[-1].line < line->line));
		named_total_add(&all, line->self);
	}
	assert_totals(part->self, all);
}

static void assert_addresses(const struct named_profile *profile,
			     const struct profile_filter *filter,
			     const struct annotation_part *part, struct wanted wanted)
{
	struct named_total all = {0};
	wanted.by_address = true;
	for (size_t i = 0; i < part->num_addresses; i++) {
		const struct annotation_address *address = &part->addresses[i];
		wanted.module = address->module;
		wanted.address = address->address;
		assert_totals(address->code, sum(profile, filter, &wanted, false));
		assert_true(address->code.count > 0);
		named_total_add(&all, address->code);
	}
	assert_totals(part->code, all);
}

static void assert_like_slow_way(const struct named_profile *profile,
				 const struct profile_filter *filter, enum annotation_kind kind,
				 const uint32_t *items, size_t num_items)
{
	_cleanup_(annotation_deinit) struct annotation annotation = ANNOTATION_INIT;
	assert_no_error(annotation_create(profile, filter, kind, items, num_items, &annotation));
	assert_int_equal(annotation.num_parts, num_items);
	for (size_t i = 0; i < num_items; i++) {
		const struct annotation_part *part = &annotation.parts[i];
		const struct wanted wanted = {.kind = kind, .item = items[i]};
		assert_int_equal(part->item, items[i]);
		assert_totals(part->self, sum(profile, filter, &wanted, true));
		if (kind == ANNOTATION_OF_FUNCTIONS)
			assert_totals(part->code, sum(profile, filter, &wanted, false));
		assert_lines(profile, filter, part, wanted);
		assert_addresses(profile, filter, part, wanted);
	}
}

static void test_sums_are_those_of_the_slow_way(void **state)
{
	for (uint32_t seed = 1; seed <= 20; seed++) {
		_cleanup_(named_profile_deinit) struct named_profile profile;
		init_random(&profile, seed);
		static const uint32_t all[] = {3, 0, 1, 2, 7, 6, 5, 4};
		assert_like_slow_way(&profile, NULL, ANNOTATION_OF_FUNCTIONS, all, ARRAY_SIZE(all));
		assert_like_slow_way(&profile, NULL, ANNOTATION_OF_FUNCTIONS, &all[2], 2);
		const uint32_t files[] = {fixture_string(&profile, "app.h"),
					  fixture_string(&profile, "app.c")};
		assert_like_slow_way(&profile, NULL, ANNOTATION_OF_FILES, files, 2);
		struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
		criteria.event = 1;
		_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
		assert_no_error(profile_filter_create(&profile, &criteria, &filter));
		assert_like_slow_way(&profile, filter, ANNOTATION_OF_FUNCTIONS, all,
				     ARRAY_SIZE(all));
	}
}

/** Every sample with a stack is in one line of one function: nothing is lost or counted twice. */
static void test_all_functions_together_are_the_whole(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	init_random(&profile, 7);
	static const uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};
	_cleanup_(annotation_deinit) struct annotation annotation = ANNOTATION_INIT;
	assert_no_error(annotation_create(&profile, NULL, ANNOTATION_OF_FUNCTIONS, all,
					  ARRAY_SIZE(all), &annotation));
	struct named_total sum = {0};
	for (size_t i = 0; i < annotation.num_parts; i++)
		named_total_add(&sum, annotation.parts[i].self);
	for (size_t i = 0; i < profile.num_samples; i++)
		if (profile.samples[i].stack == STACK_NONE)
			named_total_add(&sum, (struct named_total){profile.samples[i].count,
								   profile.samples[i].weight});
	assert_totals(sum, annotation.whole);
	assert_totals(sum, profile_total(&profile, NAMED_NONE));
}

/** outer() has a call of inner() in line 20, which was inlined. */
static void test_inlined_calls_have_their_own_lines(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	const uint32_t functions[] = {fixture_function(&profile, "inner", NAMED_NONE),
				      fixture_function(&profile, "outer", NAMED_NONE)};
	uint32_t inner = add_frame(&profile, functions[0], "app.c", 5, 64, true);
	uint32_t call = add_frame(&profile, functions[1], "app.c", 20, 64, false);
	uint32_t own = add_frame(&profile, functions[1], "app.c", 21, 68, false);
	fixture_sample(&profile, (uint32_t[]){inner, call}, 2, 30);
	fixture_sample(&profile, (uint32_t[]){own}, 1, 10);
	_cleanup_(annotation_deinit) struct annotation annotation = ANNOTATION_INIT;
	assert_no_error(annotation_create(&profile, NULL, ANNOTATION_OF_FUNCTIONS, functions, 2,
					  &annotation));
	const struct annotation_part *part = annotation.parts;
	assert_totals(part[0].self, (struct named_total){1, 30});
	assert_totals(part[0].code, (struct named_total){1, 30});
	assert_int_equal(part[0].num_lines, 1);
	assert_int_equal(part[0].lines[0].line, 5);
	assert_totals(part[1].self, (struct named_total){1, 10});
	assert_totals(part[1].code, (struct named_total){2, 40});
	assert_int_equal(part[1].num_lines, 2);
	assert_totals(part[1].lines[0].self, (struct named_total){0, 0});
	assert_totals(part[1].lines[0].code, (struct named_total){1, 30});
	assert_totals(part[1].lines[1].self, (struct named_total){1, 10});
	assert_int_equal(part[1].num_addresses, 2);
	assert_int_equal(part[1].addresses[0].address, 64);
	assert_totals(part[1].addresses[0].code, (struct named_total){1, 30});
	assert_totals(part[1].addresses[0].self, (struct named_total){0, 0});
	assert_totals(part[1].addresses[1].self, (struct named_total){1, 10});
}

static void test_nothing_gives_nothing(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	_cleanup_(annotation_deinit) struct annotation annotation = ANNOTATION_INIT;
	assert_no_error(
		annotation_create(&profile, NULL, ANNOTATION_OF_FUNCTIONS, NULL, 0, &annotation));
	assert_int_equal(annotation.num_parts, 0);
	assert_totals(annotation.whole, (struct named_total){0, 0});
	annotation_deinit(&annotation);
	const uint32_t function = fixture_function(&profile, "f", NAMED_NONE);
	assert_no_error(annotation_create(&profile, NULL, ANNOTATION_OF_FUNCTIONS, &function, 1,
					  &annotation));
	assert_int_equal(annotation.num_parts, 1);
	assert_int_equal(annotation.parts[0].num_lines, 0);
}

int annotation_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_are_those_of_the_slow_way),
		cmocka_unit_test(test_all_functions_together_are_the_whole),
		cmocka_unit_test(test_inlined_calls_have_their_own_lines),
		cmocka_unit_test(test_nothing_gives_nothing),
	};
	return cmocka_run_group_tests_name("annotation", tests, NULL, NULL);
}
