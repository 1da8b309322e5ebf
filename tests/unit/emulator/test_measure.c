// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/measure.h"

#include "driver/emulator/a64_class.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void events_are_sorted_and_known(void **state)
{
	for (size_t i = 0; i < num_measured_events; i++) {
		enum measure measure = NUM_MEASURES;
		assert_true(i == 0 || measured_events[i].code > measured_events[i - 1].code);
		assert_true(measure_of_event(measured_events[i].code, &measure));
		assert_int_equal(measure, measured_events[i].measure);
		assert_true(measure < NUM_MEASURES);
	}
	enum measure measure;
	assert_false(measure_of_event(0x24, &measure));    // STALL_BACKEND
	assert_false(measure_of_event(0x10008, &measure)); // not cut to 16 bits
}

static void every_measure_is_of_one_kind(void **state)
{
	for (unsigned i = 0; i < NUM_MEASURES; i++) {
		enum measure measure = (enum measure)i;
		int kinds = measure_is_of_blocks(measure) + measure_is_of_branches(measure) +
			    measure_is_of_memory(measure) + measure_is_of_model(measure);
		assert_int_equal(kinds, 1);
	}
}

static void models_are_called_so(void **state)
{
	static const struct {
		uint16_t code;
		bool is_modelled;
	} cases[] = {
		{0x08, false}, {0x11, true}, {0x70, false}, {0x21, false}, {0x13, false},
		{0x04, true},  {0x03, true}, {0x25, true},  {0x36, true},  {0x0f, false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum measure measure = NUM_MEASURES;
		assert_true(measure_of_event(cases[i].code, &measure));
		assert_int_equal(measure_is_modelled(measure), cases[i].is_modelled);
	}
}

static void instructions_count_for_their_measures(void **state)
{
	static const struct {
		uint32_t word;
		enum measure measures[4]; // besides instructions
		size_t num_measures;
	} cases[] = {
		{0xd503201f, {MEASURE_DATA}, 1},                                        // nop
		{0xf9400020, {MEASURE_LOADS, MEASURE_LOADS_STORES}, 2},                 // ldr
		{0xf9000020, {MEASURE_STORES, MEASURE_LOADS_STORES}, 2},                // str
		{0xf8210022, {MEASURE_LOADS, MEASURE_STORES, MEASURE_LOADS_STORES}, 3}, // ldadd
		{0xf9800020, {MEASURE_LOADS_STORES}, 1},                                // prfm
		{0xd4000001, {MEASURE_SYSTEM_CALLS}, 1},                                // svc
		{0xd65f03c0,
		 {MEASURE_BRANCHES, MEASURE_BRANCHES_INDIRECT, MEASURE_BRANCHES_RETURN},
		 3},                                                         // ret
		{0x54000041, {MEASURE_BRANCHES, MEASURE_BRANCHES_IMMED}, 2}, // b.ne
		{0xd5033fdf, {MEASURE_ISB}, 1},
		{0xd5033bbf, {MEASURE_DMB}, 1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t classes = a64_classes(cases[i].word);
		size_t num = 0;
		assert_true(measure_has_classes(MEASURE_INSTRUCTIONS, classes));
		for (size_t j = 0; j < cases[i].num_measures; j++)
			assert_true(measure_has_classes(cases[i].measures[j], classes));
		for (unsigned j = MEASURE_INSTRUCTIONS + 1; j < NUM_BLOCK_MEASURES; j++)
			num += measure_has_classes((enum measure)j, classes);
		assert_int_equal(num, cases[i].num_measures);
	}
}

int measure_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_sorted_and_known),
		cmocka_unit_test(every_measure_is_of_one_kind),
		cmocka_unit_test(models_are_called_so),
		cmocka_unit_test(instructions_count_for_their_measures),
	};
	return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
