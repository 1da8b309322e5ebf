/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_TENANT_INTAKE_H
#define WPERF_SERVER_TENANT_INTAKE_H

/**
 * What a tenant may still send: batches and bytes a second, and different services and labels. One
 * agent that makes a label of each request would else fill the store's tables for good. Any thread
 * may use it.
 */

#include "base/error.h"
#include "fleet/fleet_batch.h"
#include "fleet/store/store_ops.h"

#include <stddef.h>
#include <stdint.h>

enum intake_unit {
	INTAKE_BATCHES,
	INTAKE_BYTES, /* unpacked: what it takes to read them */
	INTAKE_NUM_UNITS,
};

struct intake_limits {
	uint64_t per_s[INTAKE_NUM_UNITS]; /* over ten seconds */
	uint32_t max_services;
	uint32_t max_labels; /* each value of a key of a service is one */
};

struct intake;

/** @ret: set only on success; intake_destroy(). */
struct error *intake_create(const struct intake_limits *limits, struct intake **ret);

/** Accepts NULL. */
void intake_destroy(struct intake *intake);

/** Names that the store has already. */
struct error *intake_learn(struct intake *intake, const struct store_listing *listing);

/** For a request, which has a batch at least. How many seconds too early it comes; 0: it may come.
 *  @ret_unit: of what there was too much; set if it comes too early. */
uint32_t intake_take(struct intake *intake, uint64_t now_ns, enum intake_unit *ret_unit);

/** For what else a request that has come brings: the other batches, and its bytes. */
void intake_charge(struct intake *intake, enum intake_unit unit, size_t num);

/** An error of too many names is in words for the sender, and has ERROR_ABSENT. */
struct error *intake_check_names(struct intake *intake, const struct fleet_batch *batch);

/** Batches that an agent dropped, as it reports them with a batch that has been stored. Those of a
 *  batch that comes again count once, unless 100,000 others that report some came since. */
struct error *intake_count_dropped(struct intake *intake, const struct fleet_batch *batch);
uint64_t intake_num_dropped(struct intake *intake);

#endif
