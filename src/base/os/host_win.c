// SPDX-License-Identifier: Apache-2.0

#include "base/os/host.h"

#include "base/text/wide_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <windows.h>

static void read_name(struct host *host)
{
	wchar_t wide[HOST_TEXT_SIZE];
	DWORD size = HOST_TEXT_SIZE;
	_cleanup_free_ char *name = NULL;
	if (!GetComputerNameExW(ComputerNameDnsHostname, wide, &size))
		return;
	error_destroy(utf8_from_wide(wide, &name));
	snprintf(host->name, sizeof(host->name), "%s", name ? name : "");
}

// GetVersionEx() tells programs without a manifest of their own that this was Windows 8.
typedef LONG(WINAPI *get_version_fn)(OSVERSIONINFOW *version);

static void read_release(struct host *host)
{
	OSVERSIONINFOW version = {.dwOSVersionInfoSize = sizeof(version)};
	get_version_fn get_version = (get_version_fn)(void *)GetProcAddress(
		GetModuleHandleW(L"ntdll.dll"), "RtlGetVersion");
	if (get_version && get_version(&version) == 0)
		snprintf(host->release, sizeof(host->release), "%lu.%lu.%lu",
			 version.dwMajorVersion, version.dwMinorVersion, version.dwBuildNumber);
}

typedef BOOL(WINAPI *is_wow64_fn)(HANDLE process, USHORT *process_machine, USHORT *native);

// What GetNativeSystemInfo() tells an x64 program on Arm64 is x64.
static USHORT native_machine(void)
{
	USHORT process, native;
	is_wow64_fn is_wow64 = (is_wow64_fn)(void *)GetProcAddress(
		GetModuleHandleW(L"kernel32.dll"), "IsWow64Process2");
	if (is_wow64 && is_wow64(GetCurrentProcess(), &process, &native))
		return native;
	SYSTEM_INFO info;
	GetNativeSystemInfo(&info);
	return info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64
		       ? IMAGE_FILE_MACHINE_ARM64
		       : IMAGE_FILE_MACHINE_AMD64;
}

struct host host_read(void)
{
	struct host host = {0};
	// Wine counts neither the cores of all groups where it does not know how they belong
	// together, nor those that may come.
	SYSTEM_INFO info;
	GetNativeSystemInfo(&info);
	uint32_t online = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
	uint32_t available = GetMaximumProcessorCount(ALL_PROCESSOR_GROUPS);
	host.cpus_online = online ? online : info.dwNumberOfProcessors;
	host.cpus_available = available > host.cpus_online ? available : host.cpus_online;
	read_name(&host);
	read_release(&host);
	snprintf(host.machine, sizeof(host.machine), "%s",
		 native_machine() == IMAGE_FILE_MACHINE_ARM64 ? "aarch64" : "x86_64");
	// Windows on Arm keeps the identification registers of each core here; MIDR_EL1 is
	// "CP 4000".
	uint64_t midr;
	DWORD size = sizeof(midr);
	if (RegGetValueW(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
			 L"CP 4000", RRF_RT_REG_QWORD, NULL, &midr, &size) == ERROR_SUCCESS)
		snprintf(host.cpu_id, sizeof(host.cpu_id), "0x%016" PRIx64, midr);
	MEMORYSTATUSEX memory = {.dwLength = sizeof(memory)};
	if (GlobalMemoryStatusEx(&memory))
		host.total_memory_kb = memory.ullTotalPhys / 1024;
	return host;
}
