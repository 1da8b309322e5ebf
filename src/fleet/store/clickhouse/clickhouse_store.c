// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/clickhouse/clickhouse_store.h"

#include "fleet/store/clickhouse/clickhouse_cluster.h"
#include "fleet/store/clickhouse/clickhouse_put.h"
#include "fleet/store/clickhouse/clickhouse_query.h"
#include "fleet/store/clickhouse/clickhouse_retain.h"
#include "fleet/store/clickhouse/clickhouse_schema.h"

#include <stdlib.h>

struct clickhouse_store {
	struct store store;
	struct clickhouse_server server;
	struct clickhouse_known known;
};

static struct clickhouse_store *clickhouse_store_of(struct store *store)
{
	return (struct clickhouse_store *)store;
}

static void clickhouse_store_close(struct store *store)
{
	clickhouse_server_deinit(&clickhouse_store_of(store)->server);
	clickhouse_known_clear(&clickhouse_store_of(store)->known);
	free(store);
}

static struct error *clickhouse_store_open_with(const struct store_ops *ops, const char *place,
						enum store_access access, struct store **ret)
{
	_cleanup_(clickhouse_place_deinit) struct clickhouse_place parsed = {0};
	struct error *err =
		clickhouse_place_parse(place, ops == &clickhouse_secure_store_ops, &parsed);
	if (err)
		return err;
	struct clickhouse_store *store = calloc(1, sizeof(*store));
	if (!store)
		return &error_no_memory;
	store->store.ops = ops;
	err = clickhouse_server_open(&store->server, &parsed);
	if (!err)
		err = clickhouse_cluster_find(&store->server);
	if (!err)
		err = clickhouse_schema_open(&store->server, access, &store->store.versions);
	if (err)
		clickhouse_store_close(&store->store);
	else
		*ret = &store->store;
	return err;
}

static struct error *clickhouse_store_open(const char *place, enum store_access access,
					   struct store **ret)
{
	return clickhouse_store_open_with(&clickhouse_store_ops, place, access, ret);
}

static struct error *clickhouse_store_open_secure(const char *place, enum store_access access,
						  struct store **ret)
{
	return clickhouse_store_open_with(&clickhouse_secure_store_ops, place, access, ret);
}

static struct error *clickhouse_store_put(struct store *store,
					  const struct fleet_batch *const *batches,
					  size_t num_batches, struct store_put_result *ret)
{
	struct clickhouse_store *clickhouse = clickhouse_store_of(store);
	return clickhouse_put(&clickhouse->server, &clickhouse->known, batches, num_batches, ret);
}

static struct error *clickhouse_store_query(struct store *store, const struct store_query *query,
					    struct named_profile *ret)
{
	return clickhouse_query(&clickhouse_store_of(store)->server, query, ret);
}

static struct error *clickhouse_store_list(struct store *store, struct store_listing *ret)
{
	return clickhouse_query_list(&clickhouse_store_of(store)->server, ret);
}

static struct error *clickhouse_store_heat(struct store *store, const struct store_query *query,
					   struct store_heat *ret)
{
	return clickhouse_query_heat(&clickhouse_store_of(store)->server, query, ret);
}

static struct error *clickhouse_store_heats(struct store *store, const struct store_query *query,
					    const struct store_label_range *label,
					    struct store_heats *ret)
{
	return clickhouse_query_heats(&clickhouse_store_of(store)->server, query, label, ret);
}

static void clickhouse_store_limit(struct store *store, const struct store_patience *patience)
{
	clickhouse_store_of(store)->server.patience = *patience;
}

static struct error *clickhouse_store_roll_up(struct store *store, uint64_t until_ns)
{
	return clickhouse_roll_up(&clickhouse_store_of(store)->server, until_ns);
}

static struct error *clickhouse_store_retain(struct store *store, uint64_t windows_ns,
					     uint64_t hours_ns)
{
	return clickhouse_retain(&clickhouse_store_of(store)->server, windows_ns, hours_ns);
}

#define CLICKHOUSE_STORE_OPS                                                    \
	.put = clickhouse_store_put, .query = clickhouse_store_query,           \
	.list = clickhouse_store_list, .heat = clickhouse_store_heat,           \
	.heats = clickhouse_store_heats, .limit = clickhouse_store_limit,       \
	.roll_up = clickhouse_store_roll_up, .retain = clickhouse_store_retain, \
	.close = clickhouse_store_close, .place_form = "//HOST:PORT/DATABASE",  \
	.uses_network = true

const struct store_ops clickhouse_store_ops = {
	.name = "clickhouse",
	.open = clickhouse_store_open,
	CLICKHOUSE_STORE_OPS,
};

const struct store_ops clickhouse_secure_store_ops = {
	.name = "clickhouses",
	.open = clickhouse_store_open_secure,
	CLICKHOUSE_STORE_OPS,
};
