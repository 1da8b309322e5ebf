/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_PLACE_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_PLACE_H

/** Where a database of ClickHouse is: //[USER[:PASSWORD]@]HOST[:PORT]/DATABASE[?cluster=NAME]. */

#include "base/error.h"

#include <stdbool.h>

struct clickhouse_place {
	char *url;      /* http://HOST:PORT/ */
	char *database; /* letters, digits and _ */
	char *cluster;  /* letters, digits, _ and -; NULL: the database is on one server */
	char *user, *password;
	char *name; /* for messages: without user and password */
};

/** @text: behind "clickhouse:" or "clickhouses:". @ret: set only on success. */
struct error *clickhouse_place_parse(const char *text, bool is_secure,
				     struct clickhouse_place *ret);
void clickhouse_place_deinit(struct clickhouse_place *place);

#endif
