// SPDX-License-Identifier: Apache-2.0
// TraceQueryInformation() exists since Windows 8; where advapi32 does not have it there is no ETW
// that could be used. So it is in Wine, whose StartTrace() says yes and does nothing. Nothing else
// may be called before that question. All functions are looked up: wperf.exe starts without them.

#include "source/etw/etw_calls.h"

#include "base/os/close_handle.h"
#include "base/os/host.h"

#include <stdlib.h>
#include <string.h>
#include <windows.h>
// Behind windows.h.
#include <evntrace.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

typedef ULONG(WINAPI *start_trace_fn)(TRACEHANDLE *handle, LPCWSTR name,
				      EVENT_TRACE_PROPERTIES *properties);
typedef ULONG(WINAPI *control_trace_fn)(TRACEHANDLE handle, LPCWSTR name,
					EVENT_TRACE_PROPERTIES *properties, ULONG control);
typedef ULONG(WINAPI *trace_set_fn)(TRACEHANDLE handle, int class, void *info, ULONG size);
typedef ULONG(WINAPI *trace_query_fn)(TRACEHANDLE handle, int class, void *info, ULONG size,
				      ULONG *ret_size);
typedef ULONG(WINAPI *query_all_fn)(EVENT_TRACE_PROPERTIES **sessions, ULONG max, ULONG *ret_num);
typedef LONG(WINAPI *set_system_fn)(int class, void *info, ULONG size);

struct etw_functions {
	start_trace_fn start;
	control_trace_fn control;
	trace_set_fn set;
	trace_query_fn query;
	query_all_fn query_all;
	set_system_fn set_system;
};

// Ours (etw_layout.h) are what is passed.
_Static_assert(sizeof(EVENT_TRACE_PROPERTIES) == offsetof(struct etw_properties, name), "its size");
_Static_assert(offsetof(EVENT_TRACE_PROPERTIES, Wnode.Guid) ==
		       offsetof(struct etw_properties, guid),
	       "its place");
_Static_assert(offsetof(EVENT_TRACE_PROPERTIES, LogFileMode) ==
		       offsetof(struct etw_properties, mode),
	       "its place");
_Static_assert(offsetof(EVENT_TRACE_PROPERTIES, EventsLost) ==
		       offsetof(struct etw_properties, events_lost),
	       "its place");
_Static_assert(offsetof(EVENT_TRACE_PROPERTIES, RealTimeBuffersLost) ==
		       offsetof(struct etw_properties, real_time_buffers_lost),
	       "its place");
_Static_assert(offsetof(EVENT_TRACE_PROPERTIES, LoggerNameOffset) ==
		       offsetof(struct etw_properties, name_offset),
	       "its place");
_Static_assert(sizeof(CLASSIC_EVENT_ID) == sizeof(struct etw_event_id), "its size");
_Static_assert(sizeof(TRACE_PROFILE_INTERVAL) == sizeof(struct etw_interval), "its size");
_Static_assert(offsetof(PROFILE_SOURCE_INFO, Description) == sizeof(struct etw_source_info),
	       "its place");
_Static_assert((int)EVENT_TRACE_SYSTEM_LOGGER_MODE == (int)ETW_MODE_SYSTEM_LOGGER, "its value");
_Static_assert((int)EVENT_TRACE_FLAG_DISPATCHER == (int)ETW_FLAG_READY, "its value");

static uint32_t etw_calls_start(void *context, uint64_t *ret_handle, const uint16_t *name,
				struct etw_properties *properties)
{
	const struct etw_functions *functions = context;
	TRACEHANDLE handle = 0;
	uint32_t code =
		functions->start(&handle, (LPCWSTR)name, (EVENT_TRACE_PROPERTIES *)properties);
	*ret_handle = handle;
	return code;
}

static uint32_t etw_calls_control(void *context, uint64_t handle, const uint16_t *name,
				  struct etw_properties *properties, uint32_t control)
{
	const struct etw_functions *functions = context;
	return functions->control(handle, (LPCWSTR)name, (EVENT_TRACE_PROPERTIES *)properties,
				  control);
}

static uint32_t etw_calls_set(void *context, uint64_t handle, enum etw_class class,
			      const void *info, uint32_t size)
{
	const struct etw_functions *functions = context;
	return functions->set(handle, (int)class, (void *)info, size);
}

static uint32_t etw_calls_query(void *context, uint64_t handle, enum etw_class class, void *info,
				uint32_t size, uint32_t *ret_size)
{
	const struct etw_functions *functions = context;
	ULONG got = 0;
	uint32_t code = functions->query(handle, (int)class, info, size, &got);
	*ret_size = got;
	return code;
}

static uint32_t etw_calls_list(void *context, struct etw_properties *const *sessions, uint32_t max,
			       uint32_t *ret_num)
{
	const struct etw_functions *functions = context;
	ULONG num = 0;
	uint32_t code = functions->query_all((EVENT_TRACE_PROPERTIES **)sessions, max, &num);
	*ret_num = num < max ? num : max;
	return code;
}

static uint32_t etw_calls_set_system(void *context, const void *info, uint32_t size)
{
	const struct etw_functions *functions = context;
	return (uint32_t)functions->set_system(ETW_SYSTEM_CLASS, (void *)info, size);
}

// AdjustTokenPrivileges() succeeds without it, too: the error number tells.
static uint32_t etw_calls_enable_privilege(void *context)
{
	_cleanup_(close_handle) HANDLE token = NULL;
	TOKEN_PRIVILEGES wanted = {.PrivilegeCount = 1};
	wanted.Privileges[0].Attributes = SE_PRIVILEGE_ENABLED;
	if (!LookupPrivilegeValueW(NULL, L"SeSystemProfilePrivilege", &wanted.Privileges[0].Luid) ||
	    !OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &token) ||
	    !AdjustTokenPrivileges(token, FALSE, &wanted, 0, NULL, NULL))
		return GetLastError();
	return GetLastError(); // of a call that succeeded: 0, or ERROR_NOT_ALL_ASSIGNED
}

/** When the process began, as a FILETIME; 0: not known. */
static uint64_t etw_calls_birth(HANDLE process)
{
	FILETIME birth, end, kernel, user;
	if (!GetProcessTimes(process, &birth, &end, &kernel, &user))
		return 0;
	return (uint64_t)birth.dwHighDateTime << 32 | birth.dwLowDateTime;
}

static bool etw_calls_is_running(void *context, uint32_t pid, uint64_t birth)
{
	_cleanup_(close_handle) HANDLE process =
		OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, pid);
	if (!process) // there is none of this number, or it is not ours to see
		return GetLastError() == ERROR_ACCESS_DENIED;
	// While others have a handle, one that has ended can still be opened.
	return WaitForSingleObject(process, 0) != WAIT_OBJECT_0 &&
	       etw_calls_birth(process) == birth;
}

static void etw_calls_end(void *context)
{
	free(context);
}

// That of the machine, also for a wperf of x64 that Windows on Arm translates.
static enum etw_cpu etw_calls_cpu(void)
{
	if (!strcmp(host_read().machine, "aarch64"))
		return ETW_CPU_ARM;
#if defined(__x86_64__)
	unsigned eax, ebx, ecx, edx;
	// "AuthenticAMD" in EBX, EDX, ECX; "HygonGenuine" has the events of AMD as well.
	if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) &&
	    (ebx == signature_AMD_ebx || ebx == signature_HYGON_ebx))
		return ETW_CPU_AMD;
#endif
	return ETW_CPU_INTEL;
}

static bool etw_calls_find(HMODULE module, const char *name, void *ret)
{
	FARPROC address = GetProcAddress(module, name);
	memcpy(ret, &address, sizeof(address));
	return address;
}

static bool etw_calls_load(struct etw_functions *ret)
{
	// Both are in every process; advapi32 is one that wperf.exe is linked with.
	HMODULE advapi = GetModuleHandleW(L"advapi32.dll"), ntdll = GetModuleHandleW(L"ntdll.dll");
	return advapi && ntdll && etw_calls_find(advapi, "TraceQueryInformation", &ret->query) &&
	       etw_calls_find(advapi, "TraceSetInformation", &ret->set) &&
	       etw_calls_find(advapi, "StartTraceW", &ret->start) &&
	       etw_calls_find(advapi, "ControlTraceW", &ret->control) &&
	       etw_calls_find(advapi, "QueryAllTracesW", &ret->query_all) &&
	       etw_calls_find(ntdll, "NtSetSystemInformation", &ret->set_system);
}

struct error *etw_calls_open(struct etw_calls *ret)
{
	_cleanup_free_ struct etw_functions *functions = calloc(1, sizeof(*functions));
	if (!functions)
		return &error_no_memory;
	if (!etw_calls_load(functions))
		return error_with_hint(error_create(ERROR_ABSENT, "this system has no ETW"),
				       "Windows 8 and later have it; Wine does not");
	*ret = (struct etw_calls){
		.context = take_ptr(functions),
		.pid = GetCurrentProcessId(),
		.birth = etw_calls_birth(GetCurrentProcess()),
		.cpu = etw_calls_cpu(),
		.midr = strtoull(host_read().cpu_id, NULL, 16),
		.start = etw_calls_start,
		.control = etw_calls_control,
		.set = etw_calls_set,
		.query = etw_calls_query,
		.list = etw_calls_list,
		.set_system = etw_calls_set_system,
		.enable_privilege = etw_calls_enable_privilege,
		.is_running = etw_calls_is_running,
		.close = etw_calls_end,
	};
	return NULL;
}
