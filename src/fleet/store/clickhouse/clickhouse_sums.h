/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_SUMS_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_SUMS_H

/**
 * Sums of whole hours: of all hosts, for fast answers (table sums), and of each, for the time whose
 * windows are dropped (table hours).
 *
 * Why sums are exact, at every moment, whoever makes them and whatever comes late or twice:
 * - A row of sums has the print of the windows in it: their number, and the sum of a hash of each,
 *   by batch and part. Sums, their number and their print come of one reading of the table.
 * - A query takes an hour's sums only if each event that has windows in this hour has sums with
 *   the print of these windows. A late batch changes the print: until the next roll_up(), the hour
 *   is made of windows again. A batch that was written twice does not, as it counts once.
 * - Windows of an hour only become more. So the sums with the most windows are the newest, and
 *   queries take these: sums that several servers made at once, or that were made again, count
 *   once. Of as many windows, but not the same ones, all queries take the sums with the largest
 *   print: if that is not the print of all windows, the hour is made of windows.
 * - Where windows were dropped, the number of windows in `hours` stands for the print: nothing is
 *   added to that time any more.
 */

#include "fleet/store/clickhouse/clickhouse_scan.h"

#include <stddef.h>
#include <stdint.h>

struct clickhouse_hour {
	uint64_t start_ns;
	uint64_t version; /* the sum of the versions of its rows: it becomes only larger */
};

struct clickhouse_hours {
	struct clickhouse_hour *hours; /* ascending */
	size_t num_hours, cap_hours;
};

void clickhouse_hours_deinit(struct clickhouse_hours *hours);

/** Hours in a time of whole hours whose sums are those of all windows that the query wants. */
struct error *clickhouse_sums_find(const struct clickhouse_scan *scan, struct clickhouse_range time,
				   struct clickhouse_hours *ret);

/** Make the sums of all hosts that are missing, or have not all windows. @time: whole hours. */
struct error *clickhouse_sums_make(const struct clickhouse_server *server,
				   const struct clickhouse_facts *facts,
				   struct clickhouse_range time);

/** Make the sums of each host. */
struct error *clickhouse_sums_make_hosts(const struct clickhouse_server *server,
					 const struct clickhouse_facts *facts,
					 struct clickhouse_range time);

#endif
