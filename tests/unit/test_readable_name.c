// SPDX-License-Identifier: Apache-2.0

#include "symbols/readable_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void test_parameters_are_cut(void **state)
{
	static const struct {
		const char *name, *expected;
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
		{"f(", "f("},
		{"f)", "f)"},
		{"", ""},
		{"()", "()"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char cut[200] = "";
		memcpy(cut, cases[i].name, readable_name_length(cases[i].name));
		assert_string_equal(cut, cases[i].expected);
	}
}

static void test_names_of_python(void **state)
{
	struct python_name name;
	assert_true(readable_name_parse_python("py::A.f:/x/y.py", &name));
	assert_int_equal(name.function_length, 3);
	assert_memory_equal(name.function, "A.f", 3);
	assert_string_equal(name.file, "/x/y.py");
	assert_true(readable_name_parse_python("py::<module>:<frozen x>", &name));
	assert_string_equal(name.file, "<frozen x>");
	assert_false(readable_name_parse_python("py::f", &name));
	assert_false(readable_name_parse_python("py:::x", &name));
	assert_false(readable_name_parse_python("python", &name));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parameters_are_cut),
		cmocka_unit_test(test_names_of_python),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
