// SPDX-License-Identifier: Apache-2.0

#include "object/names/demangle.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void it_reads_names(void **state)
{
	static const struct {
		const char *name, *readable;
	} cases[] = {
		{"main", NULL},
		{"", NULL},
		{"_Z", NULL},
		{"_start", NULL},
		{"_ZN1a1S1fEi", "a::S::f(int)"},
		{"_ZN1a1S1fEi@plt", "a::S::f(int)@plt"},
		{"_ZN1a1S1fEi.cold", "a::S::f(int) [clone .cold]"},
		{"_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const"},
		{"_ZN3std2io5stdio6_print17h0123456789abcdefE", "std::io::stdio::_print"},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
		{"?f@S@a@@QEBAXHZZ", "a::S::f(int, ...) const"},
		{"??$max@H@std@@YAAEBHAEBH0@Z", "std::max<int>(int const &, int const &)"},
		{"??0?$vec@H@@QEAA@XZ", "vec<int>::vec<int>()"},
		{"?m@C@@$$hQEAAXH@Z", "C::m(int)"}, // of Arm64EC
		{"#f", "f"},
		{"_f@8", "f"},
		{"@fast@4", "fast"},
		{"vector@@24", "vector"},
		{"_f@", NULL},
		{"f@8", NULL},
		{"_f@8x", NULL},
		{"@@8", NULL},
		{"_@8", NULL},
		{"@8", NULL},
		{"?f@@YAX", NULL},
		{".text", NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *readable = NULL;
		assert_no_error(demangle(cases[i].name, &readable));
		if (cases[i].readable)
			assert_string_equal(readable, cases[i].readable);
		else
			assert_null(readable);
	}
}

static void it_leaves_long_names_alone(void **state)
{
	char name[6000] = "_Z";
	memset(name + 2, 'P', sizeof(name) - 4);
	name[sizeof(name) - 2] = 'i';
	char *readable;
	assert_no_error(demangle(name, &readable));
	assert_null(readable);
}

// Each part stands for the two before it: 2^40 characters in some hundred.
static void it_leaves_names_alone_that_would_grow_without_end(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[1000] = "_Z1fSt4pairIiiE";
	for (size_t i = 0; i < 12; i++) {
		char part[40];
		snprintf(part, sizeof(part), "St4pairIS%c_S%c_E", digits[i], digits[i]);
		strcat(name, part);
	}
	char *readable = NULL;
	assert_no_error(demangle(name, &readable));
	if (readable)
		assert_true(strlen(readable) <= 1 << 17);
	free(readable);
}

enum { MAX_MS = 10, MAX_CPP_NAME = 1024 };

static double cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/** Left alone, and at once; a disturbed measurement is made again. */
static void assert_too_large(const char *name)
{
	double best = 1e9;
	for (int i = 0; i < 5 && best >= MAX_MS; i++) {
		_cleanup_free_ char *readable = NULL;
		bool is_too_large;
		double start = cpu_ms();
		assert_no_error(demangle_within(name, &readable, &is_too_large));
		double ms = cpu_ms() - start;
		best = ms < best ? ms : best;
		assert_true(is_too_large);
		assert_null(readable);
	}
	assert_true(best < MAX_MS);
}

/** "S_", "S0_", ..., "SZ_", "S10_", ... */
static void append_substitution(struct string_builder *name, unsigned number)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	string_builder_append(name, "S");
	if (number > 36)
		string_builder_append_char(name, digits[(number - 1) / 36]);
	if (number)
		string_builder_append_char(name, digits[(number - 1) % 36]);
	string_builder_append(name, "_");
}

/** A pointer to a function of it, from it, as often as fits: each doubles what it is made of. */
static void it_leaves_types_that_double(void **state)
{
	for (unsigned depth = 20; depth <= 80; depth += 15) {
		_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
		string_builder_append(&name, "_Z1f1A");
		for (unsigned i = 0; i < depth; i++) {
			string_builder_append(&name, "PF");
			append_substitution(&name, 2 * i);
			append_substitution(&name, 2 * i);
			string_builder_append(&name, "E");
		}
		assert_true(name.length <= MAX_CPP_NAME);
		assert_too_large(name.text);
	}
}

/** Template arguments that are packs of the outer ones, and print nothing at all. */
static void it_leaves_empty_packs_that_double(void **state)
{
	enum { DEPTH = 30 };
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	string_builder_append(&name, "_Z");
	for (int i = 0; i < DEPTH; i++)
		string_builder_append(&name, "Z");
	string_builder_append(&name, "1fIJEEvT_");
	for (int i = 0; i < DEPTH; i++)
		string_builder_append(&name, "E1gIJDpT_DpT_EEvDpT_");
	_cleanup_free_ char *readable = NULL;
	double start = cpu_ms();
	assert_no_error(demangle(name.text, &readable));
	assert_true(cpu_ms() - start < 1000);
}

/** What is converted to is read twice, and so is each argument in it. */
static void it_leaves_conversions_that_double(void **state)
{
	enum { DEPTH = 200 };
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	string_builder_append(&name, "_ZN1Acv");
	for (int i = 0; i < DEPTH; i++)
		string_builder_append(&name, "T_I");
	string_builder_append(&name, "i");
	for (int i = 0; i < DEPTH; i++)
		string_builder_append(&name, "E");
	string_builder_append(&name, "Ev");
	assert_too_large(name.text);
}

/** A number of 62 digits, with its end. */
static void append_number(struct string_builder *name, size_t number)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	if (number > 62)
		string_builder_append_char(name, digits[(number - 1) / 62]);
	if (number)
		string_builder_append_char(name, digits[(number - 1) % 62]);
	string_builder_append(name, "_");
}

static void it_leaves_tuples_of_rust_that_double(void **state)
{
	enum { PREFIX = 2 };
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	string_builder_append(&name, "_RINvC1a1f");
	size_t place = name.length - PREFIX;
	string_builder_append(&name, "TmmE");
	for (int i = 0; i < 60; i++) {
		size_t next = name.length - PREFIX;
		string_builder_append(&name, "T");
		for (int j = 0; j < 2; j++) {
			string_builder_append(&name, "B");
			append_number(&name, place);
		}
		string_builder_append(&name, "E");
		place = next;
	}
	string_builder_append(&name, "E");
	assert_too_large(name.text);
}

static void it_leaves_lifetimes_without_number(void **state)
{
	assert_too_large("_RINvC1a1fFGzzzzzzzz_EuE");
	assert_too_large("_RINvC1a1fDGzzzzzzzz_NtC1a1bEL_E");
}

static void it_reads_what_is_repeated_some_times(void **state)
{
	static const struct {
		const char *name, *readable;
	} cases[] = {
		{"_Z1fSt4pairIiiES0_S0_", "f(std::pair<int, int>, std::pair<int, int>, "
					  "std::pair<int, int>)"},
		{"_Z1fIJicdEEvDpRT_", "void f<int, char, double>(int&, char&, double&)"},
		{"_ZN1AcvT_IiEEv", "A::operator int<int>()"},
		{"_ZZ1fIiEvT_ENKUlvE_clEv", "f<int>(int)::{lambda()#1}::operator()() const"},
		{"_GLOBAL__I__ZN1aC1Ev", "global constructors keyed to a::a()"},
		{"_GLOBAL__D_foo", "global destructors keyed to foo"},
		{"_GLOBAL__sub_I_main", NULL},
		{"_RINvC1a1fTmmETB7_B7_EE", "a::f::<(u32, u32), ((u32, u32), (u32, u32))>"},
		{"_RNvNtCslJIg7ws2U9R_4bstr4utf88validate", "bstr::utf8::validate"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *readable = NULL;
		bool is_too_large;
		assert_no_error(demangle_within(cases[i].name, &readable, &is_too_large));
		assert_false(is_too_large);
		if (cases[i].readable)
			assert_string_equal(readable, cases[i].readable);
		else
			assert_null(readable);
	}
}

int demangle_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_names),
		cmocka_unit_test(it_leaves_long_names_alone),
		cmocka_unit_test(it_leaves_names_alone_that_would_grow_without_end),
		cmocka_unit_test(it_leaves_types_that_double),
		cmocka_unit_test(it_leaves_empty_packs_that_double),
		cmocka_unit_test(it_leaves_conversions_that_double),
		cmocka_unit_test(it_leaves_tuples_of_rust_that_double),
		cmocka_unit_test(it_leaves_lifetimes_without_number),
		cmocka_unit_test(it_reads_what_is_repeated_some_times),
	};
	return cmocka_run_group_tests_name("demangle", tests, NULL, NULL);
}
