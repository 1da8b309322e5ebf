// SPDX-License-Identifier: Apache-2.0

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "fleet/store/clickhouse/clickhouse_store.h"
#include "fleet/store/remote/remote_store.h"
#include "fleet/store/sqlite/sqlite_store.h"
#include "fleet/store/store_ops.h"

#include <string.h>

const struct store_ops *const all_stores[] = {
	&sqlite_store_ops,      &clickhouse_store_ops,   &clickhouse_secure_store_ops,
	&remote_http_store_ops, &remote_https_store_ops, NULL};

/** NULL: none has this name. A path without a colon is one of the first. @ret_rest: behind the
 * name.
 */
static const struct store_ops *store_find(const char *place, const char **ret_rest)
{
	*ret_rest = place;
	if (!strchr(place, ':'))
		return all_stores[0];
	for (const struct store_ops *const *ops = all_stores; *ops; ops++) {
		size_t length = strlen((*ops)->name);
		if (strncmp(place, (*ops)->name, length) != 0 || place[length] != ':')
			continue;
		*ret_rest = place + length + 1;
		return *ops;
	}
	return NULL;
}

bool store_uses_network(const char *place)
{
	const char *rest;
	const struct store_ops *ops = place ? store_find(place, &rest) : NULL;
	return ops && ops->uses_network;
}

struct error *store_open(const char *place, enum store_access access, struct store **ret)
{
	const char *rest;
	const struct store_ops *found = store_find(place, &rest);
	if (found)
		return found->open(rest, access, ret);
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	for (const struct store_ops *const *ops = all_stores; *ops; ops++)
		string_builder_appendf(&names, "%s%s:%s", ops == all_stores ? "" : ", ",
				       (*ops)->name, (*ops)->place_form);
	return error_with_hint(error_create(ERROR_USAGE, "not a store: '%s'", place),
			       "a store is %s", string_builder_peek(&names));
}

void store_close(struct store *store)
{
	if (store)
		store->ops->close(store);
}
