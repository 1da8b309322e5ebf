/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_CLIENT_H
#define WPERF_SOURCE_DRIVER_CLIENT_H

/**
 * The client's side of the driver contract (driver/include/wperf_driver.h): what to ask, what the
 * answers mean, and the words for what goes wrong. How a request gets to the driver is the
 * transport's business: DeviceIoControl on Windows, a call into the driver's core for `sim`.
 * Answers are checked as if they came from outside, because they do.
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

	/** The time, on the clock of all records; as the next two, not for counting. */
	uint64_t (*now_ns)(void *context);

	/** Let time pass. */
	void (*pass_time)(void *context, uint64_t duration_ns);

	/** The same, but no longer than until WPERF_RING_CTL_WAIT is answered. Returns 0, or the
	 *  error number of that request. */
	uint32_t (*wait_for_ring)(void *context, uint64_t duration_ns);

	/** Time passes at our word only: all of a wait must pass. */
	bool is_simulated;
};

enum { DRIVER_TOPOLOGY_MAX_CHANNELS = WPERF_ALL_DMCS - 1 };

/** What the client finds out by itself, on Windows from the device tree. */
struct driver_topology {
	unsigned dsu_clusters;     /* 0: no DSU */
	unsigned dsu_cluster_size; /* cores of each */
	unsigned dmc_channels;     /* 0: no memory controller */
	/* Registers of each channel, for WindowsPerf's driver, which asks for them; or zeros. */
	struct wperf_dmc_range dmc_ranges[DRIVER_TOPOLOGY_MAX_CHANNELS];
};

/** Become the driver's owner. @force: take it from another client. */
struct error *driver_client_lock(const struct driver_transport *transport, bool force);

/** Give it back; on the way out nobody cares about errors. */
void driver_client_unlock(const struct driver_transport *transport);

/** What the cores are, and their counters. */
struct error *driver_client_hardware(const struct driver_transport *transport,
				     struct wperf_hw_cfg *ret);

/**
 * Ask for hardware, version, events, DSU and DMC. Fills what the driver knows: counters, limits,
 * registers, version, codes, vendor, SPE. Not core_midr, which the contract has for one core only,
 * nor the description.
 */
struct error *driver_client_describe(const struct driver_transport *transport,
				     const struct driver_topology *topology,
				     struct source_info *ret);

/**
 * Send one request; its answer must be @out_size bytes. A lock that was lost and requests that
 * fail become the peer's words.
 */
struct error *driver_client_send(const struct driver_transport *transport, uint32_t code,
				 const char *name, const void *in, size_t in_size, void *out,
				 size_t out_size);

/** The same with an answer of up to @out_size bytes. */
struct error *driver_client_ask(const struct driver_transport *transport, uint32_t code,
				const char *name, const void *in, size_t in_size, void *out,
				size_t out_size, size_t *ret_size);

/** The words for a request that got this error number. */
struct error *driver_client_failure(const char *name, uint32_t win32_error);

/** WPERF_FILTER_*: where :u, :k and -k let an event count. */
uint64_t driver_client_filter(const struct event_request *request, bool kernel);

#endif
