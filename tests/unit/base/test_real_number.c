// SPDX-License-Identifier: Apache-2.0

#include "base/text/real_number.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/** What it parses is what strtod() parses in the locale that the program begins with. */
static void numbers_are_those_of_strtod(void **state)
{
	static const char *const texts[] = {
		"1.5", "2.3283064365386962890625e-10", "0", "-12e3", ".25x", "x", "", "1,5"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		char *end, *reference;
		assert_true(real_number_parse(texts[i], &end) == strtod(texts[i], &reference));
		assert_ptr_equal(end, reference);
	}
	assert_true(real_number_parse("3.25", NULL) == 3.25);
}

/** A locale with a comma, made from the sources of the C library's; NULL: these are not here. */
static locale_t comma_locale(char *folder)
{
	char command[256];
	assert_non_null(mkdtemp(folder));
	snprintf(command, sizeof(command),
		 "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
	int status = system(command); // NOLINT(cert-env33-c): a program of the system
	setenv("LOCPATH", folder, 1);
	locale_t made =
		status == 0 ? newlocale(LC_NUMERIC_MASK, "de_DE.UTF-8", (locale_t)0) : (locale_t)0;
	unsetenv("LOCPATH");
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0); // NOLINT(cert-env33-c)
	return made;
}

static void the_locale_of_a_program_does_not_matter(void **state)
{
	char folder[] = "/tmp/test_real_number.XXXXXX";
	locale_t comma = comma_locale(folder);
	if (!comma)
		skip();
	locale_t before = uselocale(comma);
	bool differs = strtod("1.5", NULL) == 1;
	double value = real_number_parse("1.5", NULL);
	uselocale(before);
	freelocale(comma);
	assert_true(differs);
	assert_true(value == 1.5);
}

int real_number_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_those_of_strtod),
		cmocka_unit_test(the_locale_of_a_program_does_not_matter),
	};
	return cmocka_run_group_tests_name("real_number", tests, NULL, NULL);
}
