// SPDX-License-Identifier: Apache-2.0

#include "object/demangle.h"

#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int demangle_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_names),
		cmocka_unit_test(it_leaves_long_names_alone),
		cmocka_unit_test(it_leaves_names_alone_that_would_grow_without_end),
	};
	return cmocka_run_group_tests_name("demangle", tests, NULL, NULL);
}
