/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_SCAN_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_SCAN_H

/**
 * The rows that a query is about: windows, and the sums of hours instead of the windows of whole
 * hours. Each sample of the fleet is in one of them.
 */

#include "fleet/store/sqlite/sqlite_file.h"

struct sqlite_series {
	int64_t number, service, label_set, event, unit, model, language;
	int64_t flags, period, frequency;
};

struct sqlite_scan_row {
	const struct sqlite_series *series;
	uint64_t start_ns;         /* of a window, or an hour */
	uint64_t first_ns, end_ns; /* of the first window, and the end of the last */
	struct named_total sum;    /* as far as SQLite's numbers reach: up to INT64_MAX */
	/** The pairs: sqlite_file_bytes(). */
	enum sqlite_statement statement;
	int pairs;
};

typedef struct error *(*sqlite_scan_fn)(void *data, const struct sqlite_scan_row *row);

/** The numbers of the names in a query. */
struct sqlite_scan {
	struct sqlite_file *file;
	const struct store_query *query;
	int64_t service, event, first_window;
	int64_t *labels;     /* keys and values, by turns */
	bool is_empty;       /* a service or label is not in the store */
	bool has_no_event;   /* but batches may have lost samples */
	uint64_t until_ns;   /* as in the query, but never 0 */
	bool may_take_hours; /* where there are windows as well */
	bool has_no_pairs;   /* they are not asked for */
	/** Of these hours, the sums of all labels are taken. */
	int64_t whole_from, whole_until;
	sqlite_scan_fn visit; /* of each row, series by series */
	void *data;
};

struct error *sqlite_scan_init(struct sqlite_scan *scan, struct sqlite_file *file,
			       const struct store_query *query);
void sqlite_scan_deinit(struct sqlite_scan *scan);

/** Does a label set have all labels of the query? */
struct error *sqlite_scan_has_labels(struct sqlite_scan *scan, int64_t label_set, bool *ret);

typedef struct error *(*sqlite_scan_series_fn)(void *data, const struct sqlite_series *series);
struct error *sqlite_scan_each_series(struct sqlite_file *file, sqlite_scan_series_fn visit,
				      void *data);

struct error *sqlite_scan_run(struct sqlite_scan *scan, sqlite_scan_fn visit, void *data);

#endif
