/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_DRIVER_CLIENT_H
#define WPERF_SOURCE_DRIVER_DRIVER_CLIENT_H

/**
 * The client of the driver contract (driver/include/wperf_driver.h): requests, their answers and
 * errors. A transport sends the requests: DeviceIoControl on Windows, a call into the driver's core
 * for `sim`. Answers are untrusted and checked.
 */

#include "base/error.h"
#include "catalog/event_list.h"
#include "driver/include/wperf_driver.h"
#include "source/source_info.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct driver_transport {
	/** Send a request. Returns 0, or the error number of Windows; @ret_size: bytes in @out. */
	uint32_t (*request)(void *context, uint32_t code, const void *in, size_t in_size, void *out,
			    size_t out_size, size_t *ret_size);
	void *context;

	/** The time, on the clock of all records. This and the next two are not for counting. */
	uint64_t (*now_ns)(void *context);

	/** Let time pass. */
	void (*pass_time)(void *context, uint64_t duration_ns);

	/** The same, but at most until WPERF_RING_CTL_WAIT is answered. Returns 0, or the error
	 *  number of that request. */
	uint32_t (*wait_for_ring)(void *context, uint64_t duration_ns);

	/** Time is simulated: it passes only in pass_time(), so a wait takes its full duration. */
	bool is_simulated;
};

enum { DRIVER_TOPOLOGY_MAX_CHANNELS = WPERF_ALL_DMCS - 1 };

/** What the driver does not report; on Windows from the device tree. */
struct driver_topology {
	unsigned dsu_clusters;     /* 0: no DSU */
	unsigned dsu_cluster_size; /* cores of each */
	unsigned dmc_channels;     /* 0: no memory controller */
	/* Registers of each channel, which WindowsPerf's driver needs; or zeros. */
	struct wperf_dmc_range dmc_ranges[DRIVER_TOPOLOGY_MAX_CHANNELS];
};

/** Become the driver's owner. @force: take it from another client. */
struct error *driver_client_lock(const struct driver_transport *transport, bool force);

/** Release the lock; errors are ignored. */
void driver_client_unlock(const struct driver_transport *transport);

/** The cores and their counters. */
struct error *driver_client_hardware(const struct driver_transport *transport,
				     struct wperf_hw_cfg *ret);

/**
 * Query hardware, version, events, DSU and DMC. Fills in what the driver knows: counters, limits,
 * registers, version, codes, vendor, SPE. Not core_midr, which the contract has for one core only,
 * and not the description.
 */
struct error *driver_client_describe(const struct driver_transport *transport,
				     const struct driver_topology *topology,
				     struct source_info *ret);

/**
 * Send one request; its answer must have @out_size bytes. A lost lock and failed requests are
 * errors with WindowsPerf's messages.
 */
struct error *driver_client_send(const struct driver_transport *transport, uint32_t code,
				 const char *name, const void *in, size_t in_size, void *out,
				 size_t out_size);

/** The same with an answer of up to @out_size bytes. */
struct error *driver_client_ask(const struct driver_transport *transport, uint32_t code,
				const char *name, const void *in, size_t in_size, void *out,
				size_t out_size, size_t *ret_size);

/** The error for a request that failed with this number. */
struct error *driver_client_failure(const char *name, uint32_t win32_error);

/** WPERF_FILTER_*, of the modifiers :u and :k, and of -k. */
uint64_t driver_client_filter(const struct event_request *request, bool kernel);

#endif
