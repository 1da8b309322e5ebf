// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_rights.h"
#include "source/etw/etw_session.h"
#include "source/etw/etw_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/etw/fake_etw.h"
#include "tests/unit/assert_error.h"

static void sources_are_listed(void **state)
{
	struct fake_etw fake;
	fake_etw_init(&fake);
	struct etw_calls calls = fake_etw_calls(&fake);
	_cleanup_(etw_sources_deinit) struct etw_sources sources = {0};
	assert_no_error(etw_sources_list(&calls, &sources));
	assert_int_equal(sources.num_items, 6);
	assert_int_equal(sources.max_counters, 4);
	const struct etw_source *timer = etw_sources_find(&sources, ETW_SOURCE_TIMER);
	assert_string_equal(timer->name, "Timer");
	assert_int_equal(timer->min_interval, 1221);
	assert_int_equal(timer->max_interval, 1000000);
	assert_int_equal(timer->interval, 10000);
	assert_false(timer->is_ours);
	assert_string_equal(etw_sources_find(&sources, 9)->name, "IcacheMisses");
	assert_null(etw_sources_find(&sources, 10));
	fake_etw_deinit(&fake);
}

static void old_windows_has_no_limit(void **state)
{
	struct fake_etw fake;
	fake_etw_init(&fake);
	fake.is_old = true;
	struct etw_calls calls = fake_etw_calls(&fake);
	_cleanup_(etw_sources_deinit) struct etw_sources sources = {0};
	assert_no_error(etw_sources_list(&calls, &sources));
	assert_int_equal(sources.num_items, 6);
	assert_int_equal(sources.max_counters, 0);
	fake_etw_deinit(&fake);
}

/** The eight bytes of an event, as @cpu has them. */
static void assert_event(enum etw_cpu cpu, uint32_t number, const uint8_t wanted[8])
{
	struct fake_etw fake;
	fake_etw_init(&fake);
	struct etw_calls calls = fake_etw_calls(&fake);
	calls.cpu = cpu;
	struct etw_source source;
	assert_no_error(etw_sources_register(&calls, number, "e", 5000, &source));
	assert_memory_equal(fake_etw_source(&fake, source.id)->event, wanted, 8);
	fake_etw_deinit(&fake);
}

static void events_have_the_layout_of_the_cpu(void **state)
{
	// Arm: the number, then whether it counts while the core is halted.
	assert_event(ETW_CPU_ARM, 0x8108, (const uint8_t[8]){0x08, 0x81});
	// Intel: event, unit mask, count mask, inverted, any thread, edge.
	assert_event(ETW_CPU_INTEL, 0x03a420d1, (const uint8_t[8]){0xd1, 0x20, 0x03, 1, 1, 1});
	assert_event(ETW_CPU_INTEL, 0x00c0, (const uint8_t[8]){0xc0});
	assert_event(ETW_CPU_AMD, 0x1f43, (const uint8_t[8]){0x43, 0x1f});
	struct fake_etw fake;
	fake_etw_init(&fake);
	struct etw_calls calls = fake_etw_calls(&fake);
	calls.cpu = ETW_CPU_AMD;
	struct etw_source source;
	_cleanup_(error_destroyp) struct error *err =
		etw_sources_register(&calls, 0x10076, "cycles", 5000, &source);
	assert_non_null(err);
	fake_etw_deinit(&fake);
}

static void registered_sources_are_ours_and_go(void **state)
{
	struct fake_etw fake;
	fake_etw_init(&fake);
	struct etw_calls calls = fake_etw_calls(&fake);
	struct etw_source source;
	assert_no_error(etw_sources_register(&calls, 0x81, "ld_spec-€", 100000, &source));
	assert_true(source.is_ours);
	assert_int_equal(source.interval, 100000);
	assert_string_equal(etw_source_short_name(&source), "ld_spec-€");
	// Class 21, version 2, the event, this CPU, the interval.
	assert_string_equal(string_builder_peek(&fake.log),
			    "privilege\n"
			    "system 15 2 81 0 ffffffff ffffffff ffffffff 186a0 770000\n");
	string_builder_clear(&fake.log);
	assert_no_error(etw_sources_unregister(&calls, source.id));
	assert_string_equal(string_builder_peek(&fake.log),
			    "system 16 1006 ffffffff ffffffff ffffffff\n");
	assert_null(fake_etw_source(&fake, source.id));
	fake_etw_deinit(&fake);
}

static void refusals_have_words(void **state)
{
	struct fake_etw fake;
	fake_etw_init(&fake);
	struct etw_calls calls = fake_etw_calls(&fake);
	struct etw_source source;
	fake.has_no_privilege = true;
	struct error *err = etw_sources_register(&calls, 0x81, "ld_spec", 100000, &source);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "the privilege to profile"));
	error_destroy(err);
	err = etw_sources_unregister(&calls, 2);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "only administrators"));
	error_destroy(err);
	fake.has_no_privilege = false;
	char name[200];
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	err = etw_sources_register(&calls, 0x81, name, 100000, &source);
	assert_non_null(err);
	error_destroy(err);
	fake_etw_deinit(&fake);
}

// A list that lies about its entries: each is read within the list, and it has an end.
static char wrong_list[100];
static uint32_t wrong_size;

static uint32_t give_wrong_list(void *context, uint64_t handle, enum etw_class class, void *info,
				uint32_t size, uint32_t *ret_size)
{
	*ret_size = class == ETW_CLASS_SOURCE_LIST ? wrong_size : 0;
	if (class != ETW_CLASS_SOURCE_LIST)
		return ETW_ERROR_INVALID_PARAMETER;
	if (size < wrong_size)
		return ETW_ERROR_TOO_SMALL;
	if (info)
		memcpy(info, wrong_list, wrong_size);
	return 0;
}

static void wrong_lists_do_no_harm(void **state)
{
	static const uint32_t offsets[] = {0, 1, 23, 24, 25, 50, 76, 77, 99, 100, 101, UINT32_MAX};
	struct fake_etw fake;
	fake_etw_init(&fake);
	struct etw_calls calls = fake_etw_calls(&fake);
	calls.query = give_wrong_list;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		for (wrong_size = 1; wrong_size <= sizeof(wrong_list); wrong_size++) {
			// The name has no end, nor has its first surrogate a second.
			memset(wrong_list, 0xd8, sizeof(wrong_list));
			memcpy(wrong_list, &offsets[i], sizeof(offsets[i]));
			_cleanup_(etw_sources_deinit) struct etw_sources sources = {0};
			assert_no_error(etw_sources_list(&calls, &sources));
			assert_true(sources.num_items <= 4);
		}
	}
	wrong_size = 0;
	_cleanup_(etw_sources_deinit) struct etw_sources sources = {0};
	_cleanup_(error_destroyp) struct error *err = etw_sources_list(&calls, &sources);
	assert_non_null(err);
	fake_etw_deinit(&fake);
}

static void text_goes_there_and_back(void **state)
{
	static const char *const texts[] = {"", "a", "C:\\Ü\\x.etl", "€", "\xf0\x9f\x90\x8d!"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		uint16_t wide[16];
		char text[32];
		assert_true(etw_text_widen(texts[i], wide, 16));
		etw_text_narrow(wide, 16, text, sizeof(text));
		assert_string_equal(text, texts[i]);
	}
	uint16_t wide[4];
	assert_false(etw_text_widen("\xff", wide, 4));
	assert_true(etw_text_widen("ab", wide, 4));
	assert_false(etw_text_widen("abcd", wide, 4));
	char small[4];
	etw_text_narrow(wide, 4, small, 2);
	assert_string_equal(small, "a");
}

int etw_sources_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sources_are_listed),
		cmocka_unit_test(old_windows_has_no_limit),
		cmocka_unit_test(events_have_the_layout_of_the_cpu),
		cmocka_unit_test(registered_sources_are_ours_and_go),
		cmocka_unit_test(refusals_have_words),
		cmocka_unit_test(wrong_lists_do_no_harm),
		cmocka_unit_test(text_goes_there_and_back),
	};
	return cmocka_run_group_tests_name("etw_sources", tests, NULL, NULL);
}
