/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_REMOTE_REMOTE_STORE_H
#define WPERF_FLEET_STORE_REMOTE_REMOTE_STORE_H

/** The store of a server, by its read API: it can only be read. The place is an address,
 *  http://HOST:PORT or https://HOST. Nothing is sent before something is asked for. */

#include "fleet/store/store_ops.h"

extern const struct store_ops remote_http_store_ops, remote_https_store_ops;

#endif
