// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/sqlite/sqlite_store.h"

static struct error *sqlite_store_open(const char *place, enum store_access access,
				       struct store **ret)
{
	return error_with_hint(error_create(ERROR_FAILED,
					    "wperf for Windows has no SQLite, which "
					    "the store '%s' needs",
					    place),
			       "use wperf on Linux for stores");
}

// Without a store nobody can call the rest.
const struct store_ops sqlite_store_ops = {
	.name = "sqlite", .place_form = "FILE", .open = sqlite_store_open};
