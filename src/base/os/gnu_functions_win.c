// SPDX-License-Identifier: Apache-2.0

#include "base/os/gnu_functions_win.h"

#include "base/cleanup.h"

#include <stdbool.h>

// Sorting is a merge sort with room for half of the items, because qsort() of the C runtime is not
// stable, and glibc's is as long as there is memory.

char *strndup(const char *text, size_t size)
{
	size_t length = strnlen(text, size);
	char *copy = malloc(length + 1);
	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *strchrnul(const char *text, int character)
{
	char *found = strchr(text, character);
	return found ? found : (char *)text + strlen(text);
}

char *strsep(char **text, const char *separators)
{
	char *word = *text;
	if (!word)
		return NULL;
	char *end = word + strcspn(word, separators);
	*text = *end ? end + 1 : NULL;
	*end = '\0';
	return word;
}

struct tm *localtime_r(const time_t *time, struct tm *ret)
{
	return localtime_s(ret, time) ? NULL : ret;
}

struct sorting {
	size_t item_size;
	int (*compare)(const void *, const void *, void *);
	void *argument;
	char *room; // for half of the items
};

/** Each half by itself, then both together. */
static void gnu_functions_sort(const struct sorting *sorting, char *items, size_t num_items)
{
	if (num_items < 2)
		return;
	const size_t size = sorting->item_size;
	size_t num_left = num_items / 2, left_bytes = num_left * size;
	gnu_functions_sort(sorting, items, num_left);
	gnu_functions_sort(sorting, items + left_bytes, num_items - num_left);
	// The left half moves out, and @items is filled from its start: that never reaches an item
	// of the right half before it is taken.
	memcpy(sorting->room, items, left_bytes);
	const char *left = sorting->room, *left_end = left + left_bytes;
	const char *right = items + left_bytes, *right_end = items + num_items * size;
	while (left < left_end) {
		bool takes_right =
			right < right_end && sorting->compare(right, left, sorting->argument) < 0;
		memcpy(items, takes_right ? right : left, size);
		items += size;
		*(takes_right ? &right : &left) += size;
	}
}

/** qsort_s() has the argument in front. */
static int compare_swapped(void *context, const void *left, const void *right)
{
	const struct sorting *sorting = context;
	return sorting->compare(left, right, sorting->argument);
}

void qsort_r(void *items, size_t num_items, size_t item_size,
	     int (*compare)(const void *, const void *, void *), void *argument)
{
	struct sorting sorting = {item_size, compare, argument, NULL};
	_cleanup_free_ char *room = num_items > 1 ? malloc(num_items / 2 * item_size) : NULL;
	sorting.room = room;
	if (room)
		gnu_functions_sort(&sorting, items, num_items);
	else if (num_items > 1) // glibc does without order among equals, too, when memory ends
		qsort_s(items, num_items, item_size, compare_swapped, &sorting);
}

/** ISO C has no conversion from functions to data. */
struct plain_compare {
	int (*compare)(const void *, const void *);
};

static int compare_plain(const void *left, const void *right, void *argument)
{
	return ((const struct plain_compare *)argument)->compare(left, right);
}

void stable_qsort(void *items, size_t num_items, size_t item_size,
		  int (*compare)(const void *, const void *))
{
	struct plain_compare plain = {compare};
	qsort_r(items, num_items, item_size, compare_plain, &plain);
}
