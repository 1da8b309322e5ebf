// SPDX-License-Identifier: Apache-2.0
// Who may do what: docs of StartTrace() and "Configuring and Starting a SystemTraceProvider
// Session" (Microsoft). Members of "Performance Log Users" may start sessions, but no kernel
// samples.

#include "source/etw/etw_rights.h"

#include "base/container/array.h"

#define HINT_ADMINISTRATOR "run it as administrator; docs/etw.md explains how to allow others"

struct etw_refusal {
	uint32_t code;
	const char *words, *hint;
};

static const struct etw_refusal refusals[] = {
	{ETW_ERROR_ACCESS_DENIED, "Windows lets only administrators do this", HINT_ADMINISTRATOR},
	{ETW_ERROR_NO_PRIVILEGE, "this user lacks the privilege to profile system performance",
	 HINT_ADMINISTRATOR},
	{ETW_ERROR_NOT_ALL_ASSIGNED, "this user lacks the privilege to profile system performance",
	 HINT_ADMINISTRATOR},
	{ETW_ERROR_NOT_SUPPORTED, "this version of Windows does not support it", NULL},
	{ETW_ERROR_NOT_IMPLEMENTED, "this version of Windows does not support it", NULL},
	{ETW_ERROR_INVALID_PARAMETER,
	 "this version of Windows, or this virtual machine, does not support it",
	 "'wperf etw' lists what is there"},
	{ETW_ERROR_DISK_FULL, "the disk is full", NULL},
	{ETW_ERROR_ALREADY_EXISTS, "a session of this name exists",
	 "'wperf etw --clean' ends sessions that killed runs left behind"},
	{ETW_ERROR_NO_RESOURCES,
	 "other programs use all sessions for kernel events, or all counters of the CPU",
	 "stop other profilers and their sessions (logman query -ets); run wperf etw --clean"},
	{ETW_ERROR_NO_SESSION, "another program ended the session, or the disk was full",
	 "'logman query -ets' lists the running sessions"},
};

static const struct etw_refusal *etw_refusal_of(uint32_t code)
{
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++)
		if (refusals[i].code == code)
			return &refusals[i];
	return NULL;
}

struct error *etw_error(uint32_t code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	_cleanup_(error_destroyp) struct error *what = error_create_va(ERROR_FAILED, format, args);
	va_end(args);
	const struct etw_refusal *refusal = etw_refusal_of(code);
	if (!refusal)
		return error_create(ERROR_FAILED, "%s: Windows error %u", what->message, code);
	struct error *err = error_create(ERROR_FAILED, "%s: %s (error %u)", what->message,
					 refusal->words, code);
	return refusal->hint ? error_with_hint(err, "%s", refusal->hint) : err;
}

uint32_t etw_error_of_status(uint32_t status)
{
	static const struct {
		uint32_t status, code;
	} rows[] = {
		{0, 0},
		{0xc0000002, ETW_ERROR_NOT_IMPLEMENTED},   // STATUS_NOT_IMPLEMENTED
		{0xc0000003, ETW_ERROR_NOT_SUPPORTED},     // STATUS_INVALID_INFO_CLASS
		{0xc0000004, ETW_ERROR_BAD_LENGTH},        // STATUS_INFO_LENGTH_MISMATCH
		{0xc000000d, ETW_ERROR_INVALID_PARAMETER}, // STATUS_INVALID_PARAMETER
		{0xc0000022, ETW_ERROR_ACCESS_DENIED},     // STATUS_ACCESS_DENIED
		{0xc0000061, ETW_ERROR_NO_PRIVILEGE},      // STATUS_PRIVILEGE_NOT_HELD
		{0xc000009a, ETW_ERROR_NO_RESOURCES},      // STATUS_INSUFFICIENT_RESOURCES
		{0xc00000bb, ETW_ERROR_NOT_SUPPORTED},     // STATUS_NOT_SUPPORTED
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].status == status)
			return rows[i].code;
	return status;
}
