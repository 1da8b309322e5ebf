// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/sqlite/sqlite_store.h"

#include "fleet/store/sqlite/sqlite_file.h"
#include "fleet/store/sqlite/sqlite_put.h"
#include "fleet/store/sqlite/sqlite_query.h"
#include "fleet/store/sqlite/sqlite_retain.h"

#include <stdlib.h>

struct sqlite_store {
	struct store store;
	struct sqlite_file *file;
};

static struct sqlite_file *sqlite_store_file(struct store *store)
{
	return ((struct sqlite_store *)store)->file;
}

static struct error *sqlite_store_open(const char *place, enum store_access access,
				       struct store **ret)
{
	_cleanup_free_ struct sqlite_store *store = calloc(1, sizeof(*store));
	if (!store)
		return &error_no_memory;
	store->store.ops = &sqlite_store_ops;
	struct error *err = sqlite_file_open(place, access, &store->file);
	if (err)
		return err;
	store->store.versions = store->file->versions;
	*ret = &take_ptr(store)->store;
	return NULL;
}

static void sqlite_store_close(struct store *store)
{
	sqlite_file_close(sqlite_store_file(store));
	free(store);
}

static struct error *sqlite_store_put(struct store *store, const struct fleet_batch *const *batches,
				      size_t num_batches, struct store_put_result *ret)
{
	return sqlite_put(sqlite_store_file(store), batches, num_batches, ret);
}

static struct error *sqlite_store_query(struct store *store, const struct store_query *query,
					struct named_profile *ret)
{
	return sqlite_query(sqlite_store_file(store), query, ret);
}

static struct error *sqlite_store_list(struct store *store, struct store_listing *ret)
{
	return sqlite_query_list(sqlite_store_file(store), ret);
}

static struct error *sqlite_store_heat(struct store *store, const struct store_query *query,
				       struct store_heat *ret)
{
	return sqlite_query_heat(sqlite_store_file(store), query, ret);
}

static struct error *sqlite_store_heats(struct store *store, const struct store_query *query,
					const struct store_label_range *label,
					struct store_heats *ret)
{
	return sqlite_query_heats(sqlite_store_file(store), query, label, ret);
}

static void sqlite_store_limit(struct store *store, const struct store_patience *patience)
{
	sqlite_file_limit(sqlite_store_file(store), patience);
}

static struct error *sqlite_store_roll_up(struct store *store, uint64_t until_ns)
{
	return sqlite_retain_roll_up(sqlite_store_file(store), until_ns);
}

static struct error *sqlite_store_retain(struct store *store, uint64_t windows_ns,
					 uint64_t hours_ns)
{
	return sqlite_retain(sqlite_store_file(store), windows_ns, hours_ns);
}

const struct store_ops sqlite_store_ops = {
	.name = "sqlite",
	.place_form = "FILE",
	.open = sqlite_store_open,
	.put = sqlite_store_put,
	.query = sqlite_store_query,
	.list = sqlite_store_list,
	.heat = sqlite_store_heat,
	.heats = sqlite_store_heats,
	.limit = sqlite_store_limit,
	.roll_up = sqlite_store_roll_up,
	.retain = sqlite_store_retain,
	.close = sqlite_store_close,
};
