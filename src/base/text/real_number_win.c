// SPDX-License-Identifier: Apache-2.0

#include "base/text/real_number.h"

#include <locale.h>
#include <stdlib.h>

double real_number_parse(const char *text, char **end)
{
	_locale_t plain = _create_locale(LC_ALL, "C");
	double value = _strtod_l(text, end, plain);
	_free_locale(plain);
	return value;
}
