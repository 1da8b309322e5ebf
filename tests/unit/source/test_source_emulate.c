// SPDX-License-Identifier: Apache-2.0

#include "source/emulate/source_emulate.h"

#include "source/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static struct error *open_with(const char *text, struct source_settings *settings,
			       struct source **ret)
{
	struct error *err = source_settings_parse(text, &source_emulate_ops, settings);
	return err ? err : source_emulate_ops.open(settings, false, ret);
}

static void wrong_settings_are_explained(void **state)
{
	static const char *const texts[] = {
		"cpi=0",     "cpi=0.0001",    "cpi=1001", "cpi=1.",     "cpi=-1",      "cpi=1x",
		"cpi=",      "l1d=3:3:3",     "l1d=64K",  "l2=1M:8:63", "ll=x",        "l1i=0:4:64",
		"l1d_tlb=0", "l2_tlb=1280:7", "cpu=z80",  "counters=0", "counters=32", "nothing=1",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		_cleanup_(source_settings_deinit) struct source_settings settings =
			SOURCE_SETTINGS_INIT;
		_cleanup_(source_closep) struct source *source = NULL;
		_cleanup_(error_destroyp) struct error *err =
			open_with(texts[i], &settings, &source);
		if (!err)
			print_error("%s is possible\n", texts[i]);
		assert_non_null(err);
		assert_int_equal(err->code, ERROR_USAGE);
		assert_null(source);
	}
}

static void it_says_what_it_is(void **state)
{
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	_cleanup_(source_closep) struct source *source = NULL;
	assert_no_error(open_with("counters=5,cpu=neoverse-v1", &settings, &source));
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	assert_no_error(source->ops->describe(source, &info));
	assert_string_equal(info.machine, "aarch64");
	assert_true(info.counts_processes && info.num_cores > 0);
	assert_int_equal(info.counters.total[EVENT_CORE], 5);
	assert_non_null(strstr(info.description, "neoverse-v1"));
}

static void events_are_exact_modelled_or_absent(void **state)
{
	static const struct {
		struct event event;
		enum event_truth truth;
		const char *note; // is in it
	} cases[] = {
		{{.name = "ld_spec", .code = 0x70}, EVENT_EXACT, NULL},
		{{.name = "inst_retired", .code = 0x08}, EVENT_EXACT, NULL},
		{{.name = "cpu_cycles", .code = 0x11},
		 EVENT_MODELLED,
		 "0.7 cycles per instruction"},
		{{.name = "l1d_cache", .code = 0x04}, EVENT_MODELLED, "l1d=32K:2:64"},
		{{.name = "stall", .code = 0x24}, EVENT_ABSENT, NULL},
		{{.name = "dsu", .code = 0x11, .event_class = EVENT_DSU}, EVENT_ABSENT, NULL},
	};
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	_cleanup_(source_closep) struct source *source = NULL;
	assert_no_error(open_with("cpi=0.7,l1d=32K:2:64", &settings, &source));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(source->ops->event_truth(source, &cases[i].event), cases[i].truth);
		const char *note = source->ops->event_note(source, &cases[i].event);
		assert_int_equal(note != NULL, cases[i].note != NULL);
		if (note)
			assert_non_null(strstr(note, cases[i].note));
	}
}

static void it_looks_only_at_what_it_runs(void **state)
{
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	_cleanup_(source_closep) struct source *source = NULL;
	assert_no_error(open_with("", &settings, &source));
	static const char message[] = "the emulator profiles only programs that it runs";
	assert_error(source->ops->count->open(source, NULL), ERROR_USAGE, message);
	assert_error(source->ops->sample->open(source, NULL), ERROR_USAGE, message);
	assert_null(source->ops->sysroot(source));
	assert_null(source->ops->run_note(source, 0));
}

int source_emulate_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_settings_are_explained),
		cmocka_unit_test(it_says_what_it_is),
		cmocka_unit_test(events_are_exact_modelled_or_absent),
		cmocka_unit_test(it_looks_only_at_what_it_runs),
	};
	return cmocka_run_group_tests_name("source_emulate", tests, NULL, NULL);
}
