/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_PAGE_PAGE_RANGE_H
#define WPERF_SERVER_PAGE_PAGE_RANGE_H

/** Ranges and steps of time on pages. Times are nanoseconds since 1970. */

#include <stddef.h>
#include <stdint.h>

struct page_range {
	uint64_t from_ns, until_ns;
};

struct page_map_range {
	struct page_range range; /* whole steps; whole days where it is longer than one */
	uint64_t step_ns;
};

/**
 * What the heat map above a report has: some time around what is shown, as far as there are data,
 * so that there is something to go on to. Its steps are whole hours if there would be too many
 * windows to add up. @shown must not be empty. @data: of the service.
 */
struct page_map_range page_map_range(struct page_range shown, struct page_range data,
				     size_t num_hosts);

/** The same time in fewer and longer steps, for a row of each host. */
struct page_map_range page_host_range(struct page_map_range map);

size_t page_map_num_steps(struct page_map_range map);

/** Steps for the time line of a report: whole minutes, few enough to be seen, and fewer of many
 *  hosts, whose steps have nearly all stacks each. */
uint64_t page_report_step(struct page_range shown, size_t num_hosts);

#endif
