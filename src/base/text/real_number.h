/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_REAL_NUMBER_H
#define WPERF_BASE_TEXT_REAL_NUMBER_H

/**
 * As strtod(), always with a decimal point: the program around the library may have set a locale in
 * which strtod() wants a comma.
 * @end: NULL: not asked for.
 */
double real_number_parse(const char *text, char **end);

#endif
