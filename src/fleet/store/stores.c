// SPDX-License-Identifier: Apache-2.0

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "fleet/store/clickhouse/clickhouse_store.h"
#include "fleet/store/sqlite/sqlite_store.h"
#include "fleet/store/store_ops.h"

#include <string.h>

const struct store_ops *const all_stores[] = {&sqlite_store_ops, &clickhouse_store_ops,
					      &clickhouse_secure_store_ops, NULL};

struct error *store_open(const char *place, enum store_access access, struct store **ret)
{
	if (!strchr(place, ':'))
		return all_stores[0]->open(place, access, ret);
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	for (const struct store_ops *const *ops = all_stores; *ops; ops++) {
		size_t length = strlen((*ops)->name);
		if (strncmp(place, (*ops)->name, length) == 0 && place[length] == ':')
			return (*ops)->open(place + length + 1, access, ret);
		string_builder_appendf(&names, "%s%s:%s", ops == all_stores ? "" : ", ",
				       (*ops)->name, (*ops)->rest);
	}
	return error_with_hint(error_create(ERROR_USAGE, "not a store: '%s'", place),
			       "a store is %s", string_builder_peek(&names));
}

void store_close(struct store *store)
{
	if (store)
		store->ops->close(store);
}
