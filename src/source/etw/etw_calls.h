/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_CALLS_H
#define WPERF_SOURCE_ETW_ETW_CALLS_H

/**
 * Every call of Windows that ETW needs. The rest of this folder is portable; tests give it a
 * machine of their own (tests/etw/fake_etw.h).
 *
 * Functions return an error number of Windows; 0 is success.
 */

#include "base/error.h"
#include "source/etw/etw_layout.h"

#include <stdbool.h>
#include <stdint.h>

enum etw_cpu { ETW_CPU_ARM, ETW_CPU_INTEL, ETW_CPU_AMD };

struct etw_calls {
	void *context;

	/** This process, and when it began, which tells it from others of the same number. */
	uint32_t pid;
	uint64_t birth;
	enum etw_cpu cpu; /* whose layout an event has that is registered */
	uint64_t midr;    /* of the cores, which are told apart by nobody here; 0: not known */

	/** StartTraceW() */
	uint32_t (*start)(void *context, uint64_t *ret_handle, const uint16_t *name,
			  struct etw_properties *properties);
	/** ControlTraceW(); @name: NULL if there is a handle. */
	uint32_t (*control)(void *context, uint64_t handle, const uint16_t *name,
			    struct etw_properties *properties, uint32_t control);
	/** TraceSetInformation(), TraceQueryInformation(); @handle: 0 for what is of the machine.
	 */
	uint32_t (*set)(void *context, uint64_t handle, enum etw_class class, const void *info,
			uint32_t size);
	uint32_t (*query)(void *context, uint64_t handle, enum etw_class class, void *info,
			  uint32_t size, uint32_t *ret_size);
	/** QueryAllTracesW() */
	uint32_t (*list)(void *context, struct etw_properties *const *sessions, uint32_t max,
			 uint32_t *ret_num);
	/** NtSetSystemInformation(ETW_SYSTEM_CLASS). Returns an NTSTATUS. */
	uint32_t (*set_system)(void *context, const void *info, uint32_t size);
	/** Switch SeSystemProfilePrivilege on; ERROR_NOT_ALL_ASSIGNED: the user does not have it.
	 */
	uint32_t (*enable_privilege)(void *context);
	/** Does the process run that began then? True if Windows does not say. */
	bool (*is_running)(void *context, uint32_t pid, uint64_t birth);
	/** May be NULL. */
	void (*close)(void *context);
};

#define ETW_CALLS_INIT \
	{              \
	}

/** The calls of this system. ERROR_ABSENT, with words: it has no ETW. */
struct error *etw_calls_open(struct etw_calls *ret);
static inline void etw_calls_close(struct etw_calls *calls)
{
	if (calls->close)
		calls->close(calls->context);
	*calls = (struct etw_calls)ETW_CALLS_INIT;
}

#endif
