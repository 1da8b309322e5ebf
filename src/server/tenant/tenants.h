/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_TENANT_TENANTS_H
#define WPERF_SERVER_TENANT_TENANTS_H

/** All tenants of a server. One stays until the server ends: requests keep pointers to it. */

#include "base/error.h"
#include "server/tenant/tenant.h"

#include <pthread.h>
#include <stddef.h>

struct tenants {
	struct tenant_config config;
	pthread_mutex_t lock;
	struct tenant **items;
	size_t num_items, cap_items;
};

/** @config: its texts must outlive the tenants. */
void tenants_init(struct tenants *tenants, const struct tenant_config *config);
void tenants_deinit(struct tenants *tenants);

/** The one of this name, which is made if there is none. @ret: set only on success. */
struct error *tenants_get(struct tenants *tenants, const char *name, struct tenant **ret);

/** NULL: there is none. */
struct tenant *tenants_find(struct tenants *tenants, const char *name);

/** The number @i; NULL: there are not so many. */
struct tenant *tenants_at(struct tenants *tenants, size_t i);

#endif
