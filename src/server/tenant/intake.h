/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_TENANT_INTAKE_H
#define WPERF_SERVER_TENANT_INTAKE_H

/**
 * What a tenant may still send: batches a second, and different services and labels. One agent that
 * makes a label of each request would else fill the store's tables for good. Any thread may use it.
 */

#include "base/error.h"
#include "fleet/fleet_batch.h"
#include "fleet/store/store_ops.h"

#include <stddef.h>
#include <stdint.h>

struct intake_limits {
	uint32_t batches_per_s; /* over ten seconds */
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
 */
uint32_t intake_take(struct intake *intake, uint64_t now_ns);

/** For the other batches of a request that has come. */
void intake_charge(struct intake *intake, size_t num_batches);

/** An error of too many names is in words for the sender, and has ERROR_ABSENT. */
struct error *intake_check_names(struct intake *intake, const struct fleet_batch *batch);

/** Batches that agents dropped, as they report them; those of a batch that comes twice twice. */
void intake_count_dropped(struct intake *intake, uint64_t num_batches);
uint64_t intake_num_dropped(struct intake *intake);

#endif
