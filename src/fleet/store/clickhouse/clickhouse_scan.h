/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_SCAN_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_SCAN_H

/**
 * The rows that a query is about, as SQL: windows, and sums of hours instead of the windows of
 * whole hours. Each sample of the fleet is in one of them.
 */

#include "fleet/store/clickhouse/clickhouse_schema.h"
#include "fleet/store/clickhouse/clickhouse_server.h"
#include "fleet/store/store_ops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clickhouse_range {
	uint64_t from_ns, until_ns; /* from <= start < until */
};

struct clickhouse_scan {
	const struct clickhouse_server *server;
	const struct store_query *query;
	struct clickhouse_facts facts;
	struct clickhouse_range *whole; /* hours of which the sums of all hosts are taken */
	size_t num_whole, cap_whole;
	uint64_t version; /* the sum of the versions of these */
};

enum clickhouse_scan_rows {
	CLICKHOUSE_SCAN_ALL,   /* sums of all hosts, where they are exact */
	CLICKHOUSE_SCAN_HOSTS, /* none of them */
};

/** @query: must outlive it. @return: an error too: clickhouse_scan_deinit(). */
struct error *clickhouse_scan_init(struct clickhouse_scan *scan,
				   const struct clickhouse_server *server,
				   const struct store_query *query, enum clickhouse_scan_rows rows);
void clickhouse_scan_deinit(struct clickhouse_scan *scan);

/**
 * "(SELECT ... UNION ALL SELECT ...)": the rows, each once. @columns: of all tables. Besides, there
 * are "step", where the step of a row begins, "begin", the start of its first window, and
 * "sum_version", the version of sums of all hosts, 0 of other rows: if the rows do not add up to
 * the version of the scan, other sums were read than were found before.
 */
void clickhouse_scan_append_rows(const struct clickhouse_scan *scan, struct string_builder *sql,
				 const char *columns);
/** " PREWHERE ...": all windows of the query's time that are complete. */
void clickhouse_scan_append_windows(const struct clickhouse_scan *scan, struct string_builder *sql);
/** " AND ...": for all that the query wants but times. */
void clickhouse_scan_append_names(const struct clickhouse_scan *scan, struct string_builder *sql,
				  bool has_event);

/** @ret_is_whole: false: retain() drops rows of the query meanwhile, and some may be missing. */
struct error *clickhouse_scan_check(const struct clickhouse_scan *scan, bool *ret_is_whole);

/** " AND (...)": windows of puts that are complete. */
void clickhouse_scan_append_commits(struct string_builder *sql,
				    const struct clickhouse_facts *facts);

#endif
