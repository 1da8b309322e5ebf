/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_COMMA_LIST_H
#define WPERF_CATALOG_COMMA_LIST_H

/**
 * Iterates over `a,b,c` in a writable copy:
 *
 *	for (char *rest = copy, *item; (item = comma_list_next(&rest));)
 */

#include <string.h>

/** Cut off the next item, which may be empty; NULL after the last. "" has one empty item. */
static inline char *comma_list_next(char **rest)
{
	char *item = *rest;
	if (!item)
		return NULL;
	char *comma = strchr(item, ',');
	if (comma)
		*comma = '\0';
	*rest = comma ? comma + 1 : NULL;
	return item;
}

#endif
