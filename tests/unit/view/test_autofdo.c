// SPDX-License-Identifier: Apache-2.0

#include "view/export/autofdo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/capture.h"
#include "tests/unit/profile_fixture.h"

// Functions of the fixture are defined in line 10. What is written is what llvm-profdata writes of
// it (tests/exports/autofdo.py).

struct fixture {
	struct named_profile profile;
	uint32_t app, library;
};

static void begin(struct fixture *fixture)
{
	assert_no_error(named_profile_init(&fixture->profile));
	fixture_thread(&fixture->profile, 1, 1, "app", "app");
	fixture_event(&fixture->profile, "cycles");
	fixture->app = fixture_module(&fixture->profile, "/bin/app");
	fixture->library = fixture_module(&fixture->profile, "/lib/libc.so");
}

/** @discriminator: as compilers write it. */
static uint32_t frame_of(struct fixture *fixture, const char *name, uint32_t line,
			 uint32_t discriminator, uint64_t address)
{
	struct named_frame frame = {
		.function = fixture_function(&fixture->profile, name, fixture->app),
		.line = line,
		.discriminator = discriminator,
		.address = address,
	};
	uint32_t index = 0;
	assert_no_error(named_profile_frame(&fixture->profile, &frame, &index));
	return index;
}

static uint32_t inlined(struct fixture *fixture, const char *name, uint32_t line, uint64_t address)
{
	struct named_frame frame = {
		.function = fixture_function(&fixture->profile, name, fixture->app),
		.line = line,
		.is_inlined = true,
		.address = address,
	};
	uint32_t index = 0;
	assert_no_error(named_profile_frame(&fixture->profile, &frame, &index));
	return index;
}

static void add_samples(struct fixture *fixture, unsigned count, const uint32_t *frames,
			size_t num_frames)
{
	for (unsigned i = 0; i < count; i++)
		fixture_sample(&fixture->profile, frames, num_frames, 1000);
}

/** A stack without samples, as symbols/function_filler.h makes them. */
static void add_cold(struct fixture *fixture, const uint32_t *frames, size_t num_frames)
{
	uint32_t stack;
	assert_no_error(stack_table_intern(&fixture->profile.stacks, frames, num_frames, &stack));
}

#define SAMPLES(FIXTURE, COUNT, ...)                                 \
	add_samples(FIXTURE, COUNT, (const uint32_t[]){__VA_ARGS__}, \
		    sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define COLD(FIXTURE, ...)                                 \
	add_cold(FIXTURE, (const uint32_t[]){__VA_ARGS__}, \
		 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void check_and_end(struct fixture *fixture, const char *expected)
{
	FILE *stream = capture_begin();
	assert_no_error(autofdo_write(&fixture->profile, 0, stream, "test"));
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, expected);
	named_profile_deinit(&fixture->profile);
}

static void a_line_has_what_its_hottest_instruction_has(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture);
	// One address with two callers is one instruction.
	uint32_t caller = frame_of(&fixture, "main", 0, 0, 90);
	SAMPLES(&fixture, 3, frame_of(&fixture, "hot", 12, 0, 1));
	SAMPLES(&fixture, 2, frame_of(&fixture, "hot", 12, 0, 1), caller);
	SAMPLES(&fixture, 4, frame_of(&fixture, "hot", 12, 0, 2));
	SAMPLES(&fixture, 1, frame_of(&fixture, "hot", 11, 0, 3));
	SAMPLES(&fixture, 2, frame_of(&fixture, "hot", 0, 0, 4)); // of no line
	SAMPLES(&fixture, 1, frame_of(&fixture, "hot", 9, 0, 5)); // of a macro
	check_and_end(&fixture, "hot:13:0\n"
				" 1: 1\n"
				" 2: 5\n"
				" 65535: 1\n");
}

static void pieces_of_a_line_are_told_apart(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture);
	// Piece 3; piece 33, whose 7 bits are not enough; piece 2, copied 4 times; copied 40 times.
	SAMPLES(&fixture, 2, frame_of(&fixture, "hot", 11, 3 << 1, 1));
	SAMPLES(&fixture, 3, frame_of(&fixture, "hot", 11, (1 << 1) | 0x40 | (1 << 7), 2));
	SAMPLES(&fixture, 5, frame_of(&fixture, "hot", 12, (2 << 1) | (4 << 1 << 7), 3));
	SAMPLES(&fixture, 1, frame_of(&fixture, "hot", 13, 1 | ((8 << 1 | 0x40 | 1 << 7) << 1), 4));
	check_and_end(&fixture, "hot:11:0\n"
				" 1.3: 2\n"
				" 1.33: 3\n"
				" 2.2: 20\n"
				" 3: 40\n");
}

static void inlined_calls_are_within_their_callers(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture);
	uint32_t call = frame_of(&fixture, "main", 15, 1 << 1, 1);
	uint32_t middle = inlined(&fixture, "middle", 12, 1);
	SAMPLES(&fixture, 4, inlined(&fixture, "leaf", 11, 1), middle, call);
	SAMPLES(&fixture, 3, inlined(&fixture, "middle", 13, 2),
		frame_of(&fixture, "main", 15, 1 << 1, 2));
	SAMPLES(&fixture, 2, frame_of(&fixture, "main", 16, 0, 3));
	SAMPLES(&fixture, 1, inlined(&fixture, "leaf", 11, 4),
		frame_of(&fixture, "main", 12, 0, 4));
	// Nobody knows where this one was called.
	SAMPLES(&fixture, 1, inlined(&fixture, "leaf", 11, 5), frame_of(&fixture, "main", 0, 0, 5));
	check_and_end(&fixture, "main:10:0\n"
				" 6: 2\n"
				" 2: leaf:1\n"
				"  1: 1\n"
				" 5.1: middle:7\n"
				"  3: 3\n"
				"  2: leaf:4\n"
				"   1: 4\n");
}

static void calls_are_divided_among_callers(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture);
	uint32_t loop = frame_of(&fixture, "loop", 12, 0, 1);
	SAMPLES(&fixture, 10, loop);
	// What is called most is written first, whatever was seen first; what is called alike, by
	// name.
	SAMPLES(&fixture, 10, frame_of(&fixture, "seldom", 11, 0, 3), loop);
	SAMPLES(&fixture, 30, frame_of(&fixture, "often", 11, 0, 2), loop);
	SAMPLES(&fixture, 10, frame_of(&fixture, "rarely", 11, 0, 7), loop);
	// A call in a line without samples: how often it ran is not known.
	uint32_t quiet = frame_of(&fixture, "loop", 13, 0, 4);
	SAMPLES(&fixture, 20, frame_of(&fixture, "often", 11, 0, 2), quiet);
	COLD(&fixture, frame_of(&fixture, "loop", 13, 0, 5));
	COLD(&fixture, frame_of(&fixture, "often", 12, 0, 6));
	check_and_end(&fixture, "often:50:50\n"
				" 1: 50\n"
				" 2: 0\n"
				"loop:10:10\n"
				" 2: 10 often:30 rarely:10 seldom:10\n"
				"rarely:10:10\n"
				" 1: 10\n"
				"seldom:10:10\n"
				" 1: 10\n");
}

static void cold_lines_are_known_from_30_samples_on(void **state)
{
	(void)state;
	for (unsigned count = 29; count <= 30; count++) {
		struct fixture fixture;
		begin(&fixture);
		SAMPLES(&fixture, count, frame_of(&fixture, "hot", 12, 0, 1));
		COLD(&fixture, frame_of(&fixture, "hot", 11, 0, 2));
		// The call itself is no instruction of its line.
		COLD(&fixture, inlined(&fixture, "cold", 11, 3),
		     frame_of(&fixture, "hot", 14, 0, 3));
		COLD(&fixture, frame_of(&fixture, "never", 11, 0, 4));
		check_and_end(&fixture, count < 30 ? "hot:29:1\n"
						     " 2: 29\n"
						   : "hot:30:1\n"
						     " 1: 0\n"
						     " 2: 30\n"
						     " 4: cold:0\n"
						     "  1: 0\n");
	}
}

/** What begins with a loop was called less often than that ran. */
static void the_first_line_says_how_often_it_was_called(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture);
	SAMPLES(&fixture, 40, frame_of(&fixture, "loop", 12, 0, 1));
	COLD(&fixture, frame_of(&fixture, "loop", 11, 0, 2));
	SAMPLES(&fixture, 9, frame_of(&fixture, "small", 11, 0, 3));
	COLD(&fixture, frame_of(&fixture, "small", 12, 0, 4));
	// The first place of the others are calls that were inlined; one of two each time.
	SAMPLES(&fixture, 6, inlined(&fixture, "one", 11, 5),
		frame_of(&fixture, "around", 11, 0, 5));
	SAMPLES(&fixture, 2, inlined(&fixture, "two", 11, 6),
		frame_of(&fixture, "around", 11, 0, 6));
	COLD(&fixture, inlined(&fixture, "two", 12, 7), frame_of(&fixture, "around", 12, 0, 7));
	check_and_end(&fixture, "loop:40:1\n"
				" 1: 0\n"
				" 2: 40\n"
				"small:9:9\n"
				" 1: 9\n"
				"around:8:8\n"
				" 1: one:6\n"
				"  1: 6\n"
				" 1: two:2\n"
				"  1: 2\n");
}

static void names_are_cut_as_the_compiler_does(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture);
	SAMPLES(&fixture, 2, frame_of(&fixture, "_Z1fv.cold", 11, 0, 1));
	SAMPLES(&fixture, 3, frame_of(&fixture, "_Z1fv", 12, 0, 2));
	SAMPLES(&fixture, 1, frame_of(&fixture, "_ZL1gv.__uniq.12.llvm.34", 11, 0, 3));
	// What a reader would not take for a function.
	static const char *const odd[] = {"a b", "a:1", "a\n", "#a", "1a", "[a]", "!a", ".a", ""};
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		SAMPLES(&fixture, 9, frame_of(&fixture, odd[i], 11, 0, 10 + i));
	check_and_end(&fixture, "_Z1fv:5:0\n"
				" 1: 2\n"
				" 2: 3\n"
				"_ZL1gv.__uniq.12:1:0\n"
				" 1: 1\n");
}

static void it_is_of_the_module_with_most_samples(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture);
	uint32_t main_frame = frame_of(&fixture, "main", 12, 0, 1);
	uint32_t copy =
		fixture_frame(&fixture.profile,
			      fixture_function(&fixture.profile, "memcpy", fixture.library), 11, 1);
	SAMPLES(&fixture, 3, copy, main_frame);
	SAMPLES(&fixture, 4, main_frame);
	check_and_end(&fixture, "main:4:0\n 2: 4\n");
}

static void check_refused(struct named_profile *profile, uint32_t event, const char *message)
{
	FILE *stream = capture_begin();
	struct error *err = autofdo_write(profile, event, stream, "test");
	_cleanup_free_ char *text = capture_end(stream);
	assert_non_null(err);
	assert_string_equal(err->message, message);
	assert_string_equal(text, "");
	error_destroy(err);
}

static void it_refuses_what_is_no_feedback(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture);
	struct named_profile *profile = &fixture.profile;
	check_refused(profile, 0, "autofdo needs samples of native code");
	struct named_function function = {.name = fixture_string(profile, "f"),
					  .module = fixture.app};
	uint32_t index = 0;
	assert_no_error(named_profile_function(profile, &function, &index));
	SAMPLES(&fixture, 1, fixture_frame(profile, index, 0, 1));
	check_refused(profile, 0, "no function of '/bin/app' that was sampled has lines");
	fixture_event(profile, "cache-misses");
	check_refused(profile, NAMED_NONE, "autofdo needs a single event");
	named_profile_deinit(profile);
}

int autofdo_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_what_its_hottest_instruction_has),
		cmocka_unit_test(pieces_of_a_line_are_told_apart),
		cmocka_unit_test(inlined_calls_are_within_their_callers),
		cmocka_unit_test(calls_are_divided_among_callers),
		cmocka_unit_test(cold_lines_are_known_from_30_samples_on),
		cmocka_unit_test(the_first_line_says_how_often_it_was_called),
		cmocka_unit_test(names_are_cut_as_the_compiler_does),
		cmocka_unit_test(it_is_of_the_module_with_most_samples),
		cmocka_unit_test(it_refuses_what_is_no_feedback),
	};
	return cmocka_run_group_tests_name("autofdo", tests, NULL, NULL);
}
