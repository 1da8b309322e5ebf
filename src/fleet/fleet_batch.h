/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_FLEET_BATCH_H
#define WPERF_FLEET_FLEET_BATCH_H

/**
 * What an agent sends at once: the sums of one window of time, of one service on one host. It is
 * the unit that is sent, stored and counted; one that arrives twice counts once, by its id.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** As OpenTelemetry names attributes of resources: "service.name", "host.name", "container.id". */
struct fleet_label {
	char *key, *value;
};

struct fleet_batch {
	char *id; /* unique: agent, boot and sequence; "" if the sender has none */
	struct fleet_label *labels; /* by key, each key once */
	size_t num_labels, cap_labels;
	uint64_t start_ns, length_ns; /* of the window; since 1970 */
	uint64_t num_dropped;         /* batches that the agent dropped before this one */
	/** What a store answered, rather than a window: its samples keep their times, and all its
	 *  tables their order. Else samples have no time of their own, and equal ones are one. */
	bool has_times;
	struct named_profile profile;
};

struct error *fleet_batch_init(struct fleet_batch *batch);
void fleet_batch_deinit(struct fleet_batch *batch);

/** For a batch whose id and profile belong to somebody else. */
void fleet_batch_deinit_labels(struct fleet_batch *batch);

struct error *fleet_batch_set_id(struct fleet_batch *batch, const char *id);

/** Another value of a key replaces the one before. */
struct error *fleet_batch_set_label(struct fleet_batch *batch, const char *key, const char *value);

/** "" if there is no such label. */
const char *fleet_batch_label(const struct fleet_batch *batch, const char *key);

#endif
