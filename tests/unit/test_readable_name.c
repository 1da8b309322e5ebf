// SPDX-License-Identifier: Apache-2.0
#include "symbols/readable_name.h"

#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/** As tools without parameters have them. */
static void test_parameters_and_what_is_returned_are_left_out(void **state)
{
	static const struct {
		const char *demangled, *shown;
	} cases[] = {
		{"ns::f(int, char const*)", "ns::f"},
		{"ns::C::f(int) const", "ns::C::f"},
		{"void heat::rank<12>(long)", "heat::rank<12>"},
		{"unsigned long f<int, char>(std::pair<int, char>)", "f<int, char>"},
		{"std::vector<int, std::allocator<int> >::type& ns::f<int>() const &",
		 "ns::f<int>"},
		{"void (anonymous namespace)::f<(void (*)())0>(int)",
		 "(anonymous namespace)::f<(void (*)())0>"},
		{"void f<int>(int) [clone .cold]", "f<int>"},
		{"std::ostream& std::operator<< <char>(std::ostream&, char)",
		 "std::operator<< <char>"},
		{"bool ns::operator><int>(int, int)", "ns::operator><int>"},
		{"C::operator unsigned int() const", "C::operator unsigned int"},
		{"C::operator std::vector<int>()", "C::operator std::vector<int>"},
		{"f() const::{lambda(auto:1)#1}::operator()<int>(int)",
		 "f() const::{lambda(auto:1)#1}::operator()<int>"},
		{"auto ns::f(int)::g<int>(int)", "ns::f(int)::g<int>"},
		{"vtable for A<int>", "vtable for A<int>"},
		{"guard variable for f<int>()::x", "guard variable for f<int>()::x"},
		{"core::fmt::Write::write_str", "core::fmt::Write::write_str"},
		{"<a::B as c::D>::e", "<a::B as c::D>::e"},
		{"", ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *demangled = cases[i].demangled;
		size_t length = readable_name_length(demangled);
		size_t start = readable_name_start(demangled, length);
		char shown[128];
		snprintf(shown, sizeof(shown), "%.*s", (int)(length - start), demangled + start);
		assert_string_equal(shown, cases[i].shown);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parameters_and_what_is_returned_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
