/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_GNU_FUNCTIONS_WIN_H
#define WPERF_BASE_OS_GNU_FUNCTIONS_WIN_H

/**
 * Windows only: functions of glibc that its C runtime lacks and that portable code calls. CMake
 * includes this header in every file.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char *strndup(const char *text, size_t size);
char *strchrnul(const char *text, int character);
char *strsep(char **text, const char *separators);
struct tm *localtime_r(const time_t *time, struct tm *ret);

/** Stable, as glibc's are: equal rows of tables keep their order. */
void qsort_r(void *items, size_t num_items, size_t item_size,
	     int (*compare)(const void *, const void *, void *), void *argument);
void stable_qsort(void *items, size_t num_items, size_t item_size,
		  int (*compare)(const void *, const void *));
#define qsort stable_qsort

#endif
