// SPDX-License-Identifier: Apache-2.0
// A store is opened when it is first needed. Readers are kept open, as many as were needed at once:
// each has a connection of its own, and so none waits for the writer (SQLite's write-ahead log).

#include "server/tenant/tenant.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "server/tenant/batch_writer.h"
#include "server/tenant/tenant_place.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TENANT_MAX_NAME = 32, TENANT_MAX_READERS = 8 };

struct tenant {
	char *name, *place, *symbols_folder;
	struct tenant_config config;
	struct intake *intake;
	pthread_mutex_t lock; // of what follows
	struct batch_writer *writer;
	uint64_t newest_ns; // the end of the newest window, when the writer was opened
	struct store *readers[TENANT_MAX_READERS];
	size_t num_readers;
};

bool tenant_is_name(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
	return length && length <= TENANT_MAX_NAME && !name[length] && *name >= 'a' && *name <= 'z';
}

struct error *tenant_create(const char *name, const struct tenant_config *config,
			    struct tenant **ret)
{
	struct tenant *tenant = calloc(1, sizeof(*tenant));
	if (!tenant)
		return &error_no_memory;
	pthread_mutex_init(&tenant->lock, NULL);
	tenant->config = *config;
	tenant->name = strdup(name);
	struct error *err = tenant->name ? NULL : &error_no_memory;
	if (!err)
		err = tenant_place_store(config->place, name, &tenant->place);
	if (!err)
		err = tenant_place_symbols(config->place, name, &tenant->symbols_folder);
	if (!err)
		err = intake_create(&config->limits, &tenant->intake);
	if (err) {
		tenant_destroy(tenant);
		return err;
	}
	*ret = tenant;
	return NULL;
}

void tenant_destroy(struct tenant *tenant)
{
	if (!tenant)
		return;
	batch_writer_destroy(tenant->writer);
	for (size_t i = 0; i < tenant->num_readers; i++)
		store_close(tenant->readers[i]);
	intake_destroy(tenant->intake);
	pthread_mutex_destroy(&tenant->lock);
	free(tenant->name);
	free(tenant->place);
	free(tenant->symbols_folder);
	free(tenant);
}

const char *tenant_name(const struct tenant *tenant)
{
	return tenant->name;
}

const char *tenant_place(const struct tenant *tenant)
{
	return tenant->place;
}

const char *tenant_symbols_folder(const struct tenant *tenant)
{
	return tenant->symbols_folder;
}

struct intake *tenant_intake(struct tenant *tenant)
{
	return tenant->intake;
}

static uint64_t tenant_find_newest(const struct store_listing *listing)
{
	uint64_t newest_ns = 0;
	for (size_t i = 0; i < listing->num_events; i++)
		if (listing->events[i].end_ns > newest_ns)
			newest_ns = listing->events[i].end_ns;
	return newest_ns;
}

static struct error *tenant_open_writer(struct tenant *tenant)
{
	_cleanup_(store_closep) struct store *store = NULL;
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	struct error *err = store_open(tenant->place, STORE_CREATE, &store);
	if (!err)
		err = store->ops->list(store, &listing);
	if (!err)
		err = intake_learn(tenant->intake, &listing);
	tenant->newest_ns = tenant_find_newest(&listing);
	return err ? err
		   : batch_writer_create(take_ptr(store), tenant->config.metrics,
					 tenant->config.log, &tenant->writer);
}

struct error *tenant_writer(struct tenant *tenant, struct store **ret)
{
	pthread_mutex_lock(&tenant->lock);
	struct error *err = tenant->writer ? NULL : tenant_open_writer(tenant);
	pthread_mutex_unlock(&tenant->lock);
	if (!err)
		*ret = batch_writer_store(tenant->writer);
	return err;
}

struct error *tenant_take_reader(struct tenant *tenant, struct store **ret)
{
	// A store that nobody has written to yet has no samples: not to exist is no error.
	struct store *store = NULL;
	struct error *err = tenant_writer(tenant, &store);
	if (err)
		return err;
	store = NULL;
	pthread_mutex_lock(&tenant->lock);
	if (tenant->num_readers)
		store = tenant->readers[--tenant->num_readers];
	pthread_mutex_unlock(&tenant->lock);
	if (store) {
		*ret = store;
		return NULL;
	}
	return store_open(tenant->place, STORE_READ, ret);
}

void tenant_give_reader(struct tenant *tenant, struct store *store, bool is_fine)
{
	// Whoever set a limit need not outlive it.
	if (store->ops->limit)
		store->ops->limit(store, &(const struct store_patience){0});
	pthread_mutex_lock(&tenant->lock);
	bool is_kept = is_fine && tenant->num_readers < TENANT_MAX_READERS;
	if (is_kept)
		tenant->readers[tenant->num_readers++] = store;
	pthread_mutex_unlock(&tenant->lock);
	if (!is_kept)
		store_close(store);
}

char *tenant_fault(struct tenant *tenant)
{
	pthread_mutex_lock(&tenant->lock);
	struct batch_writer *writer = tenant->writer;
	pthread_mutex_unlock(&tenant->lock);
	return writer ? batch_writer_fault(writer) : NULL;
}

struct error *tenant_newest(struct tenant *tenant, uint64_t now_ns, uint64_t *ret_ns)
{
	struct store *writer;
	struct error *err = tenant_writer(tenant, &writer);
	if (err)
		return err;
	*ret_ns = tenant->newest_ns < now_ns ? tenant->newest_ns : now_ns;
	return NULL;
}

static uint64_t tenant_limit(uint64_t now_ns, uint64_t keep_ns)
{
	return keep_ns < now_ns ? now_ns - keep_ns : 0;
}

struct error *tenant_trim(struct tenant *tenant, uint64_t now_ns, uint64_t keep_ns,
			  uint64_t keep_hours_ns)
{
	_cleanup_(store_closep) struct store *store = NULL;
	struct error *err = store_open(tenant->place, STORE_CREATE, &store);
	if (!err)
		err = store->ops->roll_up(store, now_ns);
	if (!err)
		err = store->ops->retain(store, tenant_limit(now_ns, keep_ns),
					 tenant_limit(now_ns, keep_hours_ns));
	return err;
}
