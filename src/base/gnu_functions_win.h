/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_GNU_FUNCTIONS_WIN_H
#define WPERF_BASE_GNU_FUNCTIONS_WIN_H

/**
 * Windows only: functions of glibc that the C runtime there does not have, and that code of all
 * systems calls by their names. CMake includes this in front of every file.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char *strndup(const char *text, size_t size);
char *strchrnul(const char *text, int character);
char *strsep(char **text, const char *separators);
struct tm *localtime_r(const time_t *time, struct tm *ret);

/** As in glibc, what is equal stays in its order: tables show it. */
void qsort_r(void *items, size_t num_items, size_t item_size,
	     int (*compare)(const void *, const void *, void *), void *argument);
void stable_qsort(void *items, size_t num_items, size_t item_size,
		  int (*compare)(const void *, const void *));
#define qsort stable_qsort

#endif
