// SPDX-License-Identifier: Apache-2.0
#include "symbols/readable_name.h"

#include "base/container/array.h"

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
		{"main", "main"},
		{"f()", "f"},
		{"ns::f<int>(int, char const*) const", "ns::f<int>"},
		{"S::g() const &", "S::g"},
		{"std::map<int, void (*)(char)>::find(int const&)",
		 "std::map<int, void (*)(char)>::find"},
		{"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
		{"a::(anonymous namespace)::f(int)", "a::(anonymous namespace)::f"},
		{"S::operator()(int) const", "S::operator()"},
		{"operator<(A const&, A const&)", "operator<"},
		{"operator<< <int>(A&, int)", "operator<< <int>"},
		{"A::operator->() const", "A::operator->"},
		{"A::operator bool() const", "A::operator bool"},
		{"operator new(unsigned long)", "operator new"},
		{"myoperator(int)", "myoperator"},
		{"main::{lambda(int)#1}::operator()(int) const",
		 "main::{lambda(int)#1}::operator()"},
		{"f(int)::S::g(char)", "f(int)::S::g"},
		{"f(int) [clone .cold]", "f"},
		{"f(int) (.cold)", "f"},
		{"g(int (*)(char))", "g"},
		{"A<(B)1>::f(A<(B)1>)", "A<(B)1>::f"},
		{"core::ops::function::FnOnce::call_once",
		 "core::ops::function::FnOnce::call_once"},
		{"<alloc::vec::Vec<fn(u8) -> u8> as core::ops::Drop>::drop",
		 "<alloc::vec::Vec<fn(u8) -> u8> as core::ops::Drop>::drop"},
		{"`main'::`2'::local::get(int)", "`main'::`2'::local::get"},
		{"`anonymous namespace'::f(int)", "`anonymous namespace'::f"},
		{"[thunk]: C::f`adjustor{8}'(int)", "[thunk]: C::f`adjustor{8}'"},
		{"<lambda_1>::operator()(int) const", "<lambda_1>::operator()"},
		{"C::operator int (__cdecl *)(int)() const", "C::operator int (__cdecl *)(int)"},
		{"f(", "f("},
		{"f)", "f)"},
		{"", ""},
		{"()", "()"},
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

int readable_name_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parameters_and_what_is_returned_are_left_out),
	};
	return cmocka_run_group_tests_name("readable_name", tests, NULL, NULL);
}
