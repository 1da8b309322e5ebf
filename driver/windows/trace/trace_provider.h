/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_TRACE_TRACE_PROVIDER_H
#define WPERF_DRIVER_WINDOWS_TRACE_TRACE_PROVIDER_H

/**
 * A provider of ETW, whose routines are looked up when it is registered: a driver that imports a
 * routine that the kernel lacks is not loaded at all, and Wine's kernel has none of them. Where
 * they are missing there is no provider, and nobody listens. The loss of an event is no error.
 */

#include "driver/windows/kernel.h"

typedef NTSTATUS(NTAPI *trace_unregister_fn)(REGHANDLE provider);
typedef BOOLEAN(NTAPI *trace_enabled_fn)(REGHANDLE provider, const EVENT_DESCRIPTOR *event);
typedef NTSTATUS(NTAPI *trace_write_fn)(REGHANDLE provider, const EVENT_DESCRIPTOR *event,
					const GUID *activity, ULONG num,
					EVENT_DATA_DESCRIPTOR *data);

struct trace_provider {
	bool is_registered;
	REGHANDLE handle;
	trace_unregister_fn unregister;
	trace_enabled_fn is_enabled;
	trace_write_fn write;
};

/**
 * At PASSIVE_LEVEL, as the end.
 * @traits: the metadata of a provider whose events describe themselves, u16 size first; or NULL.
 */
void trace_provider_init(struct trace_provider *provider, const GUID *id, const void *traits,
			 USHORT traits_size);
void trace_provider_deinit(struct trace_provider *provider);

/** At any level, as writing: does anybody record this event? */
bool trace_provider_is_heard(const struct trace_provider *provider, const EVENT_DESCRIPTOR *event);

void trace_provider_write(const struct trace_provider *provider, const EVENT_DESCRIPTOR *event,
			  EVENT_DATA_DESCRIPTOR *data, ULONG num);

#endif
