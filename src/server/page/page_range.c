// SPDX-License-Identifier: Apache-2.0
#include "server/page/page_range.h"

#include "base/container/array.h"
#include "fleet/store/store_ops.h"

#include <stddef.h>

#define MINUTE_NS (60 * (uint64_t)STORE_SECOND_NS)

enum {
	// Of a report's time line. More cost memory and cannot be seen.
	PAGE_MAX_STEPS = 120,
	PAGE_MIN_STEPS = 12,
	PAGE_MAX_HOST_STEPS = 12000, // steps times hosts: an hour of 1,000 hosts has 12 steps
				     // Of a heat map: a service on 1,000 hosts has 360,000 in six
				     // hours, which take a second.
	PAGE_MAX_WINDOWS = 400000,
	// Of a map that is longer than all rows of the table: as many as pixels are worth.
	PAGE_MAX_DAYS = 31,
	PAGE_MAX_COLUMNS = 400,
	PAGE_MAX_HOST_COLUMNS = 120, // of each of many rows
};

/** The map of a range of up to @shown_ns. Steps of an hour and more are made of sums of hours. */
static const struct page_map_kind {
	uint64_t shown_ns, map_ns, step_ns;
} page_map_kinds[] = {
	{15 * MINUTE_NS, 2 * STORE_HOUR_NS, MINUTE_NS},
	{STORE_HOUR_NS, 6 * STORE_HOUR_NS, MINUTE_NS},
	{6 * STORE_HOUR_NS, STORE_DAY_NS, 5 * MINUTE_NS},
	{STORE_DAY_NS, 7 * STORE_DAY_NS, STORE_HOUR_NS},
	{7 * STORE_DAY_NS, 14 * STORE_DAY_NS, STORE_HOUR_NS},
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct page_map_kind page_map_kind_of(uint64_t shown_ns)
{
	for (size_t i = 0; i < ARRAY_SIZE(page_map_kinds); i++)
		if (shown_ns <= page_map_kinds[i].shown_ns)
			return page_map_kinds[i];
	struct page_map_kind kind = {shown_ns, shown_ns, STORE_HOUR_NS};
	if (shown_ns > PAGE_MAX_DAYS * STORE_DAY_NS)
		kind.step_ns = (shown_ns / PAGE_MAX_COLUMNS / STORE_DAY_NS + 1) * STORE_DAY_NS;
	return kind;
}

struct page_map_range page_map_range(struct page_range shown, struct page_range data,
				     size_t num_hosts)
{
	uint64_t shown_ns = shown.until_ns - shown.from_ns;
	struct page_map_kind kind = page_map_kind_of(shown_ns);
	uint64_t around_ns = kind.map_ns - shown_ns;
	// Ends with the data where these end soon, and begins with them where they began late.
	uint64_t until =
		smaller(shown.until_ns + around_ns / 2, larger(data.until_ns, shown.until_ns));
	uint64_t from = until > kind.map_ns ? until - kind.map_ns : 0;
	from = smaller(shown.from_ns, larger(from, data.from_ns));
	if ((until - from) / MINUTE_NS * num_hosts > PAGE_MAX_WINDOWS &&
	    kind.step_ns < STORE_HOUR_NS)
		kind.step_ns = STORE_HOUR_NS;
	uint64_t unit = kind.map_ns > STORE_DAY_NS && kind.step_ns < STORE_DAY_NS ? STORE_DAY_NS
										  : kind.step_ns;
	return (struct page_map_range){
		.range = {from / unit * unit, (until + unit - 1) / unit * unit},
		.step_ns = kind.step_ns,
	};
}

struct page_map_range page_host_range(struct page_map_range map)
{
	static const uint64_t factors[] = {1, 2, 3, 6, 12, 24};
	uint64_t length = map.range.until_ns - map.range.from_ns;
	uint64_t step = map.step_ns;
	for (size_t i = 0; i < ARRAY_SIZE(factors) && length / step > PAGE_MAX_HOST_COLUMNS; i++)
		step = map.step_ns * factors[i];
	return (struct page_map_range){
		.range = {map.range.from_ns / step * step,
			  (map.range.until_ns + step - 1) / step * step},
		.step_ns = step,
	};
}

size_t page_map_num_steps(struct page_map_range map)
{
	return (size_t)((map.range.until_ns - map.range.from_ns) / map.step_ns);
}

uint64_t page_report_step(struct page_range shown, size_t num_hosts)
{
	uint64_t length = shown.until_ns - shown.from_ns;
	uint64_t steps = smaller(PAGE_MAX_HOST_STEPS / (num_hosts + 1) + 1, PAGE_MAX_STEPS);
	steps = larger(steps, PAGE_MIN_STEPS);
	uint64_t step = (length + steps * MINUTE_NS - 1) / (steps * MINUTE_NS) * MINUTE_NS;
	// From there on sums of hours can be taken, which are far fewer.
	return step > 10 * MINUTE_NS ? (step + STORE_HOUR_NS - 1) / STORE_HOUR_NS * STORE_HOUR_NS
				     : step;
}
