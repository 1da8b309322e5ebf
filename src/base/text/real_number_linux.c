// SPDX-License-Identifier: Apache-2.0

#include "base/text/real_number.h"

#include <locale.h>
#include <stdlib.h>

// The locale "C" is a constant of the C library: nothing is read or allocated for it.
double real_number_parse(const char *text, char **end)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", NULL);
	double value = strtod_l(text, end, plain);
	freelocale(plain);
	return value;
}
