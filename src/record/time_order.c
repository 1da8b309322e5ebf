// SPDX-License-Identifier: Apache-2.0

#include "record/time_order.h"

#include "base/container/array.h"
#include "base/container/bisect.h"

#include <stdlib.h>
#include <string.h>

// A merge sort that uses the order that is already there (as Timsort does, with a simpler rule for
// merging). Each ring is sorted, so a round consists of as many long runs as there were rings:
// time_order_sort() finds them, and merges neighbours of similar length. n records in r runs take
// about n * log(r) steps, where qsort() would take n * log(n). It is stable, as records of equal
// times must keep their order (mmap before sample).
//
// The limit is that of perf's tools/perf/util/ordered-events.c: at the end of a round, all that is
// not newer than the newest record of the round before can be given, because each ring was read
// once since.

// What was taken is dropped; those that wait come to the front.
static void time_order_compact(struct time_order *order)
{
	if (!order->num_ready)
		return;
	size_t num_waiting = order->num_entries - order->num_ready;
	memmove(order->entries, order->entries + order->num_ready,
		num_waiting * sizeof(*order->entries));
	order->num_entries = num_waiting;
	order->first_entry = order->num_ready = 0;
}

struct error *time_order_add(struct time_order *order, uint64_t time_ns, uint64_t place)
{
	time_order_compact(order);
	struct error *err =
		array_reserve(&order->entries, &order->cap_entries, order->num_entries + 1);
	if (err)
		return err;
	order->entries[order->num_entries++] = (struct time_order_entry){time_ns, place};
	if (time_ns > order->newest_ns)
		order->newest_ns = time_ns;
	return NULL;
}

static void merge_forward(struct time_order_entry *left, size_t num_left, size_t num_right,
			  struct time_order_entry *scratch)
{
	const struct time_order_entry *right = left + num_left, *end = right + num_right;
	const struct time_order_entry *copy = scratch, *copy_end = scratch + num_left;
	memcpy(scratch, left, num_left * sizeof(*left));
	while (copy < copy_end && right < end)
		*left++ = right->time_ns < copy->time_ns ? *right++ : *copy++;
	// What is left of the right run is in its place.
	memcpy(left, copy, (size_t)(copy_end - copy) * sizeof(*left));
}

static void merge_backward(struct time_order_entry *left, size_t num_left, size_t num_right,
			   struct time_order_entry *scratch)
{
	struct time_order_entry *to = left + num_left + num_right;
	size_t from_left = num_left, from_copy = num_right;
	memcpy(scratch, left + num_left, num_right * sizeof(*left));
	// From the end, so that what is written over was moved already.
	while (from_left && from_copy) {
		bool left_is_newer = left[from_left - 1].time_ns > scratch[from_copy - 1].time_ns;
		*--to = left_is_newer ? left[--from_left] : scratch[--from_copy];
	}
	memcpy(to - from_copy, scratch, from_copy * sizeof(*left));
}

// Of two sorted neighbours. The smaller is copied away, so that half the memory is enough.
static struct error *time_order_merge(struct time_order *order, size_t start, size_t middle,
				      size_t end)
{
	struct time_order_entry *left = order->entries + start, *right = order->entries + middle;
	size_t num_left = middle - start, num_right = end - middle;
	// What is in its place already: runs that hardly overlap need little memory and no time.
	size_t num_in_place = BISECT_U64(left, num_left, time_ns, right->time_ns);
	left += num_in_place;
	num_left -= num_in_place;
	uint64_t newest_ns = num_left ? left[num_left - 1].time_ns : 0;
	num_right = newest_ns ? BISECT_U64(right, num_right, time_ns, newest_ns - 1) : 0;
	if (num_right == 0)
		return NULL;
	size_t num_smaller = num_left < num_right ? num_left : num_right;
	struct error *err = array_reserve(&order->scratch, &order->cap_scratch, num_smaller);
	if (err)
		return err;
	if (num_left <= num_right)
		merge_forward(left, num_left, num_right, order->scratch);
	else
		merge_backward(left, num_left, num_right, order->scratch);
	return NULL;
}

static struct error *time_order_sort(struct time_order *order)
{
	// Runs wait on a stack, each at least twice as long as the one above it: so every entry is
	// merged only as often as its run can double, and the stack is as high as a number has
	// bits.
	size_t starts[8 * sizeof(size_t) + 2], num_runs = 0;
	const struct time_order_entry *entries = order->entries;
	for (size_t start = 0, end; start < order->num_entries; start = end) {
		size_t first = start;
		end = start + 1;
		while (end < order->num_entries && entries[end - 1].time_ns <= entries[end].time_ns)
			end++;
		while (num_runs && first - starts[num_runs - 1] < 2 * (end - first)) {
			struct error *err =
				time_order_merge(order, starts[num_runs - 1], first, end);
			if (err)
				return err;
			first = starts[--num_runs];
		}
		starts[num_runs++] = first;
	}
	for (; num_runs > 1; num_runs--) {
		struct error *err = time_order_merge(order, starts[num_runs - 2],
						     starts[num_runs - 1], order->num_entries);
		if (err)
			return err;
	}
	return NULL;
}

struct error *time_order_end_until(struct time_order *order, uint64_t limit_ns)
{
	time_order_compact(order);
	struct error *err = time_order_sort(order);
	if (err)
		return err;
	order->num_ready = BISECT_U64(order->entries, order->num_entries, time_ns, limit_ns);
	return NULL;
}

struct error *time_order_end_round(struct time_order *order)
{
	struct error *err = time_order_end_until(order, order->limit_ns);
	if (!err)
		order->limit_ns = order->newest_ns;
	return err;
}

struct error *time_order_end(struct time_order *order)
{
	time_order_compact(order);
	struct error *err = time_order_sort(order);
	if (err)
		return err;
	order->num_ready = order->num_entries;
	return NULL;
}

struct error *time_order_give_up_half(struct time_order *order)
{
	time_order_compact(order);
	struct error *err = time_order_sort(order);
	if (err)
		return err;
	order->num_ready = (order->num_entries + 1) / 2;
	return NULL;
}

void time_order_deinit(struct time_order *order)
{
	free(order->entries);
	free(order->scratch);
	*order = (struct time_order)TIME_ORDER_INIT;
}
