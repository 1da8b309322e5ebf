/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_STORE_JSON_H
#define WPERF_FLEET_STORE_STORE_JSON_H

/**
 * Listings and heat maps as JSON: what a server answers, what `wperf store list --json` prints
 * (docs/schemas/store.schema.json), and what a client of a server reads.
 *
 *	{"services": [{"service": "shop", "batches": 7, "batches_dropped": 0, "samples_lost": 0}],
 *	 "events": [{"service": "shop", "event": "cycles", "unit": "events",
 *		     "first_ns": 1760000000000000000, "end_ns": 1760000060000000000}],
 *	 "labels": [{"service": "shop", "key": "host.name", "value": "web-1"}]}
 *
 *	{"start_ns": 1760000000000000000, "step_ns": 60000000000,
 *	 "counts": [3, 0, 9], "weights": [300, 0, 900]}
 *
 * Times are since 1970. Numbers above INT64_MAX, which only sums that did not fit can be, are
 * INT64_MAX.
 */

#include "base/error.h"
#include "base/text/json_document.h"
#include "fleet/store/store_ops.h"
#include "view/json/json_writer.h"

void store_json_write_listing(const struct store_listing *listing, struct json_writer *json);
void store_json_write_heat(const struct store_heat *heat, struct json_writer *json);

/** @root: of an untrusted document. @ret: set only on success. An error says what is wrong with
 *  it, but not where it is from. */
struct error *store_json_read_listing(const struct json_value *root, struct store_listing *ret);
struct error *store_json_read_heat(const struct json_value *root, struct store_heat *ret);

#endif
