// SPDX-License-Identifier: Apache-2.0

#include "base/os/gnu_functions_win.h"

#include "base/cleanup.h"

#include <stdbool.h>

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

/** Both halves are in order, and the left one is in the room: @items is filled from its start. */
static void gnu_functions_merge(const struct sorting *sorting, char *items, size_t num_left,
				size_t num_right)
{
	const size_t size = sorting->item_size;
	const char *left = sorting->room, *left_end = left + num_left * size;
	const char *right = items + num_left * size, *right_end = right + num_right * size;
	while (left < left_end) {
		bool takes_right =
			right < right_end && sorting->compare(right, left, sorting->argument) < 0;
		memcpy(items, takes_right ? right : left, size);
		items += size;
		*(takes_right ? &right : &left) += size;
	}
}

static void gnu_functions_sort(const struct sorting *sorting, char *items, size_t num_items)
{
	if (num_items < 2)
		return;
	size_t num_left = num_items / 2, left_bytes = num_left * sorting->item_size;
	gnu_functions_sort(sorting, items, num_left);
	gnu_functions_sort(sorting, items + left_bytes, num_items - num_left);
	memcpy(sorting->room, items, left_bytes);
	gnu_functions_merge(sorting, items, num_left, num_items - num_left);
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
