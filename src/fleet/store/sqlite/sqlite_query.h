/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_QUERY_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_QUERY_H

#include "fleet/store/sqlite/sqlite_file.h"

/** See query(), heat(), heats() and list() of store_ops.h. */
struct error *sqlite_query(struct sqlite_file *file, const struct store_query *query,
			   struct named_profile *ret);
struct error *sqlite_query_heat(struct sqlite_file *file, const struct store_query *query,
				struct store_heat *ret);
struct error *sqlite_query_heats(struct sqlite_file *file, const struct store_query *query,
				 const struct store_label_range *label, struct store_heats *ret);
struct error *sqlite_query_list(struct sqlite_file *file, struct store_listing *ret);

#endif
