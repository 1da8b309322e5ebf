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

static size_t count(const char *text, const char *part)
{
	size_t num = 0;
	for (; (text = strstr(text, part)); text += strlen(part))
		num++;
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
	};
	return cmocka_run_group_tests_name("flame_svg", tests, NULL, NULL);
}
