// SPDX-License-Identifier: Apache-2.0

#include "server/tenant/tenants.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

void tenants_init(struct tenants *tenants, const struct tenant_config *config)
{
	*tenants = (struct tenants){.config = *config};
	pthread_mutex_init(&tenants->lock, NULL);
}

void tenants_deinit(struct tenants *tenants)
{
	for (size_t i = 0; i < tenants->num_items; i++)
		tenant_destroy(tenants->items[i]);
	free(tenants->items);
	pthread_mutex_destroy(&tenants->lock);
}

static struct tenant *tenants_find_locked(struct tenants *tenants, const char *name)
{
	for (size_t i = 0; i < tenants->num_items; i++)
		if (strcmp(tenant_name(tenants->items[i]), name) == 0)
			return tenants->items[i];
	return NULL;
}

static struct error *tenants_add_locked(struct tenants *tenants, const char *name)
{
	struct error *err =
		array_reserve(&tenants->items, &tenants->cap_items, tenants->num_items + 1);
	if (!err)
		err = tenant_create(name, &tenants->config, &tenants->items[tenants->num_items]);
	tenants->num_items += !err;
	return err;
}

struct error *tenants_get(struct tenants *tenants, const char *name, struct tenant **ret)
{
	struct error *err = NULL;
	pthread_mutex_lock(&tenants->lock);
	if (!tenants_find_locked(tenants, name))
		err = tenants_add_locked(tenants, name);
	if (!err)
		*ret = tenants_find_locked(tenants, name);
	pthread_mutex_unlock(&tenants->lock);
	return err;
}

struct tenant *tenants_find(struct tenants *tenants, const char *name)
{
	pthread_mutex_lock(&tenants->lock);
	struct tenant *tenant = tenants_find_locked(tenants, name);
	pthread_mutex_unlock(&tenants->lock);
	return tenant;
}

struct tenant *tenants_at(struct tenants *tenants, size_t i)
{
	pthread_mutex_lock(&tenants->lock);
	struct tenant *tenant = i < tenants->num_items ? tenants->items[i] : NULL;
	pthread_mutex_unlock(&tenants->lock);
	return tenant;
}
