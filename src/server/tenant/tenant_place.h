/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_TENANT_TENANT_PLACE_H
#define WPERF_SERVER_TENANT_TENANT_PLACE_H

/** Where a tenant's store and debug files are, beside those of the server. */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Of "sqlite:DIR/fleet.db" it is "sqlite:DIR/TENANT.db", of an address "...//HOST/DB" it is
 * "...//HOST/DB_TENANT", with the same "?cluster=NAME"; the default tenant has @place itself.
 * @ret: to be freed; set only on success.
 */
struct error *tenant_place_store(const char *place, const char *tenant, char **ret);

/**
 * "DIR/debug/TENANT" beside a file of SQLite; else in the state folder.
 * @ret: to be freed; set only on success.
 */
struct error *tenant_place_symbols(const char *place, const char *tenant, char **ret);

/** @place without the password of "//USER:PASSWORD@HOST", to be freed; NULL without memory. */
char *tenant_place_shown(const char *place);

/** How many bytes a store has on this disk, its log included; false: it is elsewhere. */
bool tenant_place_size(const char *place, uint64_t *ret);

/** Where the server keeps its things if the user names nothing: an absolute path, to be freed. */
struct error *tenant_place_state_folder(char **ret);

#endif
