/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_DRIVER_SOURCE_H
#define WPERF_SOURCE_DRIVER_DRIVER_SOURCE_H

/**
 * The common part of all sources that use the driver contract. They differ in their transport,
 * which sends requests and passes time, and in what they know about their machine. Their structs
 * begin with this one; they fill in transport, topology and machine.
 */

#include "source/driver/counting_client.h"
#include "source/driver/driver_sampler.h"
#include "source/source.h"

enum { DRIVER_SOURCE_MAX_NOTE = 160 };

struct driver_source {
	struct source base;
	struct driver_transport transport;
	struct driver_topology topology;
	struct spe_client_machine machine;
	struct counting_client counting;
	struct driver_sampler sampler;
	struct wperf_losses losses; /* of what was stopped last */
	char lost_note[DRIVER_SOURCE_MAX_NOTE];
};

/** Stop counting and sampling, and release the lock. */
void driver_source_deinit(struct driver_source *source);

/** For their tables of operations. */
struct error *driver_source_count_open(struct source *source, const struct count_plan *plan);
struct error *driver_source_count_start(struct source *source);
struct error *driver_source_count_stop(struct source *source);
struct error *driver_source_count_reset(struct source *source);
struct error *driver_source_count_read(struct source *source, struct source_counts *ret);
void driver_source_count_close(struct source *source);
struct error *driver_source_sample_open(struct source *source, const struct sample_plan *plan);
struct error *driver_source_sample_start(struct source *source);
struct error *driver_source_sample_stop(struct source *source);
struct error *driver_source_sample_wait(struct source *source, uint64_t timeout_ns, int fd);
struct error *driver_source_sample_next(struct source *source, struct record *ret, bool *ret_more);
void driver_source_sample_close(struct source *source);
struct sample_totals driver_source_sample_totals(struct source *source);
const char *driver_source_run_note(struct source *source, size_t n);
const struct perf_data_event *driver_source_sample_events(struct source *source, size_t *ret_num);

#endif
