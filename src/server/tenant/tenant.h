/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_TENANT_TENANT_H
#define WPERF_SERVER_TENANT_TENANT_H

/**
 * Whose profiles they are: each tenant has a store and a folder of debug files of its own, so that
 * no query can read another's. Any thread may use it.
 */

#include "base/error.h"
#include "fleet/store/store_ops.h"
#include "server/server_metrics.h"
#include "server/tenant/intake.h"

#include <stdbool.h>
#include <stdio.h>

struct tenant;

struct tenant_config {
	/** Of the default tenant, "sqlite:/var/lib/wperf/fleet.db". That of another tenant is
	 * derived from it. */
	const char *place;
	struct intake_limits limits;
	struct server_metrics *metrics;
	FILE *log;
};

/** Of servers without tokens; its store is the one that --store names. */
#define TENANT_DEFAULT "default"

/** Lower-case letters, digits and '_', a letter first, at most 32: it is part of file names. */
bool tenant_is_name(const char *name);

/** @ret: set only on success; tenant_destroy(). */
struct error *tenant_create(const char *name, const struct tenant_config *config,
			    struct tenant **ret);

/** Accepts NULL. */
void tenant_destroy(struct tenant *tenant);

const char *tenant_name(const struct tenant *tenant);
const char *tenant_place(const struct tenant *tenant);
const char *tenant_symbols_folder(const struct tenant *tenant);

struct intake *tenant_intake(struct tenant *tenant);

/** A store to put into, for any number of threads; made if it is not there. Not to be closed. */
struct error *tenant_writer(struct tenant *tenant, struct store **ret);

/** A store to read, for one thread; to be given back. */
struct error *tenant_take_reader(struct tenant *tenant, struct store **ret);

/** Its limit ends. @is_fine: false: do not use it again. */
void tenant_give_reader(struct tenant *tenant, struct store *store, bool is_fine);

/** Why a transaction failed in the last minute, to be freed; NULL: the last one did not. */
char *tenant_fault(struct tenant *tenant);

/** @ret_ns: the end of the newest window when the store was opened for writing, but @now_ns at
 *  most; 0: there was none. */
struct error *tenant_newest(struct tenant *tenant, uint64_t now_ns, uint64_t *ret_ns);

/** Sum up hours that are over, and drop what is older. */
struct error *tenant_trim(struct tenant *tenant, uint64_t now_ns, uint64_t keep_ns,
			  uint64_t keep_hours_ns);

#endif
