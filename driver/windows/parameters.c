// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/parameters.h"

// The headers lack these.
#ifndef RTL_QUERY_REGISTRY_TYPECHECK
#define RTL_QUERY_REGISTRY_TYPECHECK       0x100
#define RTL_QUERY_REGISTRY_TYPECHECK_SHIFT 24
#endif

// Services\wperf, whatever the driver's file is called.
static const wchar_t path[] = L"wperf\\Parameters";

void parameters_read(struct parameters *parameters)
{
	PAGED_CODE();
	RtlZeroMemory(parameters, sizeof(*parameters));
	// The system checks the type, and writes no more than it: with REG_NONE, and a type that is
	// given above, what is no DWORD is refused.
	const ULONG flags = RTL_QUERY_REGISTRY_DIRECT | RTL_QUERY_REGISTRY_TYPECHECK;
	const ULONG type = REG_DWORD << RTL_QUERY_REGISTRY_TYPECHECK_SHIFT | REG_NONE;
	RTL_QUERY_REGISTRY_TABLE rows[3] = {
		{
			.Flags = flags,
			.Name = L"DsuClusterSize",
			.EntryContext = &parameters->dsu_cluster_size,
			.DefaultType = type,
		},
		{
			.Flags = flags,
			.Name = L"HasDevice",
			.EntryContext = &parameters->has_device,
			.DefaultType = type,
		},
	};
	// Without the key, or with values of another type, all stays 0, the default.
	RtlQueryRegistryValues(RTL_REGISTRY_SERVICES, path, rows, NULL, NULL);
}
