// SPDX-License-Identifier: Apache-2.0

#include "view/export/flame_svg.h"

#include "base/text/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/capture.h"
#include "tests/unit/profile_fixture.h"
#include "view/export/flame_svg_colors.h"

static char *draw(const struct named_profile *profile, uint32_t event)
{
	FILE *stream = capture_begin();
	assert_no_error(flame_svg_write(profile, event, stream, "test"));
	return capture_end(stream);
}

static void prepare(struct named_profile *profile)
{
	assert_no_error(named_profile_init(profile));
	fixture_thread(profile, 1, 1, "app", "app");
	fixture_event(profile, "cycles");
}

static uint32_t place(struct named_profile *profile, const char *name)
{
	return fixture_frame(profile, fixture_function(profile, name, NAMED_NONE), 1, 1);
}

/** Byte by byte: with sanitizers, each call of strstr() measures the rest of the text first, and
 *  ten megabytes with 48,000 boxes took a minute and a half. */
static size_t count(const char *text, const char *part)
{
	size_t length = strlen(part), num = 0;
	for (; *text; text++)
		num += *text == *part && strncmp(text, part, length) == 0;
	return num;
}

static void test_boxes_have_their_share(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	prepare(&profile);
	uint32_t f = place(&profile, "f"), g = place(&profile, "g");
	fixture_sample(&profile, (uint32_t[]){g, f}, 2, 300);
	fixture_sample(&profile, (uint32_t[]){f}, 1, 100);
	_cleanup_free_ char *text = draw(&profile, 0);
	assert_non_null(strstr(text, " x=\"0.000000%\" y=\"0\" width=\"100.000000%\" "
				     "height=\"18\"><title>all\n100.00 % of cycles: 400 in 2 "
				     "samples, 0.00 % in itself</title>"));
	assert_non_null(strstr(text, " x=\"0.000000%\" y=\"36\" width=\"75.000000%\" "
				     "height=\"18\"><title>g\n75.00 % of cycles: 300 in 1 "
				     "samples, 75.00 % in itself</title>"));
}

static void test_names_are_no_markup(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	prepare(&profile);
	uint32_t f = place(&profile, "<a href=\"x\">&']]>\x1b[2J\xff\xef\xbf\xbe\xe2\x80\xaez");
	fixture_sample(&profile, &f, 1, 1);
	_cleanup_free_ char *text = draw(&profile, 0);
	static const char wanted[] = "&lt;a href=&quot;x&quot;&gt;&amp;&#39;]]&gt;\\x1b[2J"
				     "\xef\xbf\xbd\xef\xbf\xbd\\u202ez";
	assert_int_equal(count(text, wanted), 2); // tooltip and label
	assert_null(strstr(text, "<a "));
}

static void test_narrow_boxes_are_counted(void **state)
{
	enum { NUM_NARROW = 500 };
	_cleanup_(named_profile_deinit) struct named_profile profile;
	prepare(&profile);
	uint32_t wide = place(&profile, "wide");
	fixture_sample(&profile, &wide, 1, 100000000 - NUM_NARROW * 1000);
	for (uint32_t i = 0; i < NUM_NARROW; i++) {
		char name[32];
		snprintf(name, sizeof(name), "narrow_%u", i);
		uint32_t narrow = place(&profile, name);
		fixture_sample(&profile, &narrow, 1, 1000);
	}
	_cleanup_free_ char *text = draw(&profile, 0);
	assert_null(strstr(text, "narrow_"));
	assert_non_null(strstr(text, ">500 boxes narrower than 0.1 pixels are drawn as one per "
				     "caller: 0.50 %. <"));
	assert_non_null(strstr(text, "<svg class=\"rest\" x=\"99.500000%\" y=\"18\" "
				     "width=\"0.500000%\" height=\"18\"><title>too narrow to show\n"
				     "0.50 % of cycles: 500,000 in 500 samples</title>"));
}

/** Many stacks of any depth cost a bounded number of boxes. */
static void test_size_is_bounded(void **state)
{
	enum { NUM_LEAVES = 2000, DEPTH = 48 };
	_cleanup_(named_profile_deinit) struct named_profile profile;
	prepare(&profile);
	uint32_t frames[DEPTH];
	for (uint32_t i = 0; i < NUM_LEAVES; i++) {
		char name[32];
		snprintf(name, sizeof(name), "f%u", i);
		frames[0] = place(&profile, name);
		for (size_t j = 1; j < DEPTH; j++)
			frames[j] = frames[0];
		fixture_sample(&profile, frames, DEPTH, i % 2 ? 1 : 3);
	}
	_cleanup_free_ char *text = draw(&profile, 0);
	assert_int_equal(count(text, "<svg class=\"f"), NUM_LEAVES / 2 * DEPTH);
	assert_non_null(strstr(text, ">48,000 boxes narrower than 0.4 pixels"));
}

static void test_a_deep_stack_is_cut_and_counted(void **state)
{
	enum { DEPTH = 2500 };
	_cleanup_(named_profile_deinit) struct named_profile profile;
	prepare(&profile);
	static uint32_t frames[DEPTH];
	uint32_t f = place(&profile, "f");
	for (size_t i = 0; i < DEPTH; i++)
		frames[i] = f;
	fixture_sample(&profile, frames, DEPTH, 1);
	_cleanup_free_ char *text = draw(&profile, 0);
	assert_int_equal(count(text, "<title>f\n"), 2000);
	assert_non_null(
		strstr(text, ">500 boxes narrower than 0.1 pixels or deeper than 2,000 calls"));
	assert_non_null(strstr(text, "<title>too deep to show\n"));
}

static void test_nothing_sampled_is_a_picture(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	prepare(&profile);
	_cleanup_free_ char *text = draw(&profile, NAMED_NONE);
	assert_non_null(strstr(text, "<title>cycles: 0 samples</title>"));
	assert_non_null(strstr(text, "width=\"100%\" height=\"18\"><title>all\n"));
}

static void test_the_event_with_samples_is_drawn(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	prepare(&profile);
	fixture_event(&profile, "misses");
	uint32_t f = place(&profile, "f"), stack;
	assert_no_error(stack_table_intern(&profile.stacks, &f, 1, &stack));
	const struct named_sample sample = {.weight = 7, .count = 1, .stack = stack, .event = 1};
	assert_no_error(named_profile_add(&profile, &sample));
	_cleanup_free_ char *text = draw(&profile, NAMED_NONE);
	assert_non_null(strstr(text, "100.00 % of misses: 7 in 1 samples"));
	assert_non_null(strstr(text, "Other events: cycles<"));
}

/** The light and the dark colours of a kind are those of the page: --kind-kernel. */
static void test_colors_are_those_of_the_page(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	prepare(&profile);
	uint32_t function = fixture_function(&profile, "f", NAMED_NONE);
	profile.functions[function].kind = FRAME_KERNEL;
	uint32_t f = fixture_frame(&profile, function, 1, 1);
	fixture_sample(&profile, &f, 1, 1);
	_cleanup_free_ char *text = draw(&profile, 0);
	char *dark = strstr(text, "@media (prefers-color-scheme:dark){");
	assert_non_null(dark);
	char *light = strstr(text, "\n.f");
	assert_in_range(light, text, dark);
	assert_non_null(strstr(dark, "\n.f"));
	assert_memory_not_equal(light, strstr(dark, "\n.f"), strlen("\n.f184{fill:#f4a28c}"));
	assert_non_null(strstr(text, "#page{fill:#f4f5f8}"));
	assert_non_null(strstr(dark, "#page{fill:#0f131a}"));
	assert_int_equal(count(text, "url(#hatch1)"), 1);
}

/** One event each: f has @f of it, g that f calls @g. */
static void prepare_pair(struct named_profile *profile, uint64_t f, uint64_t g, const char *callee)
{
	prepare(profile);
	uint32_t frames[] = {place(profile, callee), place(profile, "f")};
	if (f)
		fixture_sample(profile, &frames[1], 1, f);
	if (g)
		fixture_sample(profile, frames, 2, g);
}

static char *draw_diff(struct named_profile *before, const struct named_profile *later)
{
	struct profile_join join;
	assert_no_error(profile_join_add(before, later, &join));
	const struct flame_svg_diff diff = {
		.join = &join,
		.names = {"old.data", "new <b>.data"},
		.events = {0, join.first_event},
	};
	FILE *stream = capture_begin();
	assert_no_error(flame_svg_write_diff(before, &diff, stream, "test"));
	return capture_end(stream);
}

static void test_a_comparison_has_both_shares(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile before, later;
	prepare_pair(&before, 60, 40, "g");
	prepare_pair(&later, 50, 150, "g");
	before.num_lost = 3;
	_cleanup_free_ char *text = draw_diff(&before, &later);
	assert_non_null(strstr(text,
			       "<title>cycles: 2 samples of new &lt;b&gt;.data, compared with 2 "
			       "of old.data</title>"));
	assert_non_null(strstr(text, "<svg class=\"c20 s\" x=\"0.000000%\" y=\"36\" "
				     "width=\"75.000000%\" height=\"18\"><title>g\n"
				     "now 75.00 % of cycles: 150 in 1 samples, 75.00 % in itself\n"
				     "before 40.00 % of cycles: 40 in 1 samples\n"
				     "+35.00 points; within (95 %): "));
	assert_non_null(strstr(text, "<svg class=\"c10 s\" x=\"0.000000%\" y=\"18\" "
				     "width=\"100.000000%\" height=\"18\"><title>f\n"));
	// Of f, and of the root, which chance cannot move.
	assert_non_null(strstr(text, "\n0.00 points; within"));
	assert_non_null(strstr(text, "\n0.00 points</title>"));
	assert_non_null(strstr(text, ">3 records of old.data were LOST. <"));
	// The legend is red, grey and blue; no colours of kinds of code.
	assert_non_null(strstr(text, "\n.c0{fill:#"));
	assert_non_null(strstr(text, "\n.c10{fill:#"));
	assert_non_null(strstr(text, ">less than before<"));
	assert_null(strstr(text, "\n.f"));
}

static void test_what_is_gone_is_said(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile before, later;
	prepare_pair(&before, 75, 25, "gone");
	prepare_pair(&later, 100, 100, "new");
	_cleanup_free_ char *text = draw_diff(&before, &later);
	assert_non_null(strstr(text, ">25.00 % of old.data is in calls that are gone: swap "));
	assert_non_null(strstr(text,
			       "<title>new\nnow 50.00 % of cycles: 100 in 1 samples, 50.00 % in "
			       "itself\nbefore 0.00 % of cycles: 0 in 0 samples\n+50.00"));
	assert_null(strstr(text, "<title>gone"));
}

static void test_a_recording_without_samples_is_compared(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile before, later, again, none;
	prepare_pair(&before, 0, 0, "g");
	prepare_pair(&later, 1, 1, "g");
	_cleanup_free_ char *grown = draw_diff(&before, &later);
	assert_non_null(strstr(grown, "before 0.00 % of cycles: 0 in 0 samples\n+100.00 points"));
	prepare_pair(&again, 1, 1, "g");
	prepare_pair(&none, 0, 0, "g");
	_cleanup_free_ char *gone = draw_diff(&again, &none);
	assert_non_null(strstr(gone, "100.00 % of old.data is in calls that are gone"));
}

static void test_changes_have_steps(void **state)
{
	assert_int_equal(flame_svg_change_fill(0), FLAME_SVG_NO_CHANGE);
	assert_int_equal(flame_svg_change_fill(-100), 0);
	assert_int_equal(flame_svg_change_fill(-10), 0);
	assert_int_equal(flame_svg_change_fill(10), FLAME_SVG_NUM_CHANGES - 1);
	assert_int_equal(flame_svg_change_fill(2.5), 15);
	assert_int_equal(flame_svg_change_fill(-2.5), 5);
}

int flame_svg_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes_have_their_share),
		cmocka_unit_test(test_names_are_no_markup),
		cmocka_unit_test(test_narrow_boxes_are_counted),
		cmocka_unit_test(test_size_is_bounded),
		cmocka_unit_test(test_a_deep_stack_is_cut_and_counted),
		cmocka_unit_test(test_nothing_sampled_is_a_picture),
		cmocka_unit_test(test_the_event_with_samples_is_drawn),
		cmocka_unit_test(test_colors_are_those_of_the_page),
		cmocka_unit_test(test_a_comparison_has_both_shares),
		cmocka_unit_test(test_what_is_gone_is_said),
		cmocka_unit_test(test_a_recording_without_samples_is_compared),
		cmocka_unit_test(test_changes_have_steps),
	};
	return cmocka_run_group_tests_name("flame_svg", tests, NULL, NULL);
}
