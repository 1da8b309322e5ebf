/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_CLIENT_H
#define WPERF_TESTS_BAREMETAL_CLIENT_H

/** Who asks the driver. What goes wrong is in the report. */

#include "driver/include/wperf_driver.h"
#include "tests/baremetal/machine.h"
#include "tests/baremetal/report.h"

#include <stddef.h>
#include <stdint.h>

struct client {
	struct machine *machine;
	struct report *report;
	driver_client id;
};

/** The first client of a new machine, with the lock. @free_counters: as in machine_init(). */
struct client client_create(struct machine *machine, struct report *report, uint32_t free_counters);

/** Another one of the same machine, without the lock. */
struct client client_create_rival(const struct client *client);

/** @flag: enum wperf_lock_flag. */
enum wperf_lock_status client_lock(const struct client *client, uint32_t flag);

/** A request with just any input. The answer must have @out_size bytes if it is good. */
enum driver_status client_query(const struct client *client, uint32_t code, void *out,
				size_t out_size);

void client_assign(const struct client *client, const uint16_t *events, uint16_t num,
		   uint64_t filter);

enum driver_status client_try_start(const struct client *client, int32_t period_ms);
void client_start(const struct client *client, int32_t period_ms);
void client_stop(const struct client *client);
void client_reset(const struct client *client);

struct wperf_core_counts client_read(const struct client *client);

/** Sample these, from now on. Taking the samples away is fine meanwhile. */
void client_sample_start(const struct client *client, const struct wperf_sample_event *events,
			 unsigned num);
struct wperf_sample_summary client_sample_stop(const struct client *client);
void client_sample_get(const struct client *client, struct wperf_samples *ret);

#endif
