/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_CHECKS_CLIENT_H
#define WPERF_TESTS_MINI_NT_CHECKS_CLIENT_H

/**
 * The driver from outside: loaded, opened, asked by IRPs as the I/O manager sends them, closed and
 * unloaded. Each call must come back at the IRQL that it was made at.
 */

#include "driver/include/wperf_driver.h"
#include "tests/baremetal/report.h"
#include "tests/mini_nt/exports/exports.h"

struct client {
	FILE_OBJECT file;
};

/** A request under way. */
struct request {
	IRP irp;
	IO_STACK_LOCATION locations[3];
	KEVENT done;
	uint8_t buffer[WPERF_MAX_OUTPUT];
};

/** Returns the status of DriverEntry(). */
NTSTATUS client_load_driver(void);
void client_unload_driver(void);

/** With Plug and Play: add a device to the driver and start it; remove it. */
NTSTATUS client_add_device(void);
void client_remove_device(void);

/** The computer goes to sleep, or works again. */
NTSTATUS client_set_system_power(SYSTEM_POWER_STATE state);

NTSTATUS client_open(struct client *client);
void client_close(struct client *client);

/** Returns STATUS_PENDING if it goes on. @request: need not be initialized. */
NTSTATUS client_begin(struct client *client, struct request *request, uint32_t code, const void *in,
		      size_t in_size, size_t out_size);

/** Wait until it is over. Returns its status. */
NTSTATUS client_end(struct request *request);

/** Both. @out: gets the answer, which must have @out_size bytes if it is good. */
NTSTATUS client_ask(struct client *client, uint32_t code, const void *in, size_t in_size, void *out,
		    size_t out_size);

/** With the lock. */
NTSTATUS client_open_locked(struct client *client);

/** Load the driver and open it with the lock; close and unload it. */
void client_begin_check(struct client *client, struct report *report);
void client_end_check(struct client *client);

/** One core, or all of them, and what counts them. */
struct wperf_control client_control(int cpu);

enum { CLIENT_ALL_CPUS = -1 };

NTSTATUS client_assign(struct client *client, uint16_t event, uint64_t filter);
NTSTATUS client_control_all(struct client *client, uint32_t code);

/** Of the event. */
struct client_count {
	uint64_t value, scheduled, round;
};

struct client_count client_count_of(struct client *client, unsigned cpu);
struct wperf_losses client_losses(struct client *client);

/** Into the ring, with all callers. */
NTSTATUS client_start_sampling(struct client *client, int cpu, uint32_t event, uint32_t interval,
			       uint32_t filter);
struct wperf_sample_summary client_stop_sampling(struct client *client, int cpu);

/** Read a core's ring until it is empty; @take gets each sample, with its callers behind it. */
void client_read_ring(struct client *client, unsigned cpu,
		      void (*take)(void *context, const struct wperf_ring_sample *sample,
				   const uint64_t *callers),
		      void *context);

#endif
