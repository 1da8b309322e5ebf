// SPDX-License-Identifier: Apache-2.0

#include "source/driver/driver_device.h"

#include <initguid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
// Behind windows.h.
#include <cfgmgr32.h>
#include <devpkey.h>
#include <setupapi.h>

// Hardware ids of Arm's devices in ACPI: the shared unit of a cluster, whose siblings are the
// cluster's cores, and a channel of the memory controller, whose memory are its registers.
static const wchar_t dsu_id[] = L"ACPI\\ARMHD500";
static const wchar_t dmc_id[] = L"ACPI\\ARMHD620";

enum {
	MAX_UNITS = 32 * 1024, // of lists of names
	MAX_RESOURCE = 4096,   // bytes
};

/** A walk over the devices that ACPI tells of. */
struct device_walk {
	HDEVINFO set;
	wchar_t *names; // MAX_UNITS, and two zeros
};

static bool has_id(const struct device_walk *walk, SP_DEVINFO_DATA *device, const wchar_t *id)
{
	memset(walk->names, 0, MAX_UNITS * sizeof(walk->names[0]));
	if (!SetupDiGetDeviceRegistryPropertyW(walk->set, device, SPDRP_HARDWAREID, NULL,
					       (BYTE *)walk->names,
					       MAX_UNITS * sizeof(walk->names[0]), NULL))
		return false;
	for (const wchar_t *name = walk->names; *name; name += wcslen(name) + 1) {
		if (_wcsicmp(name, id) == 0)
			return true;
	}
	return false;
}

static unsigned count_siblings(const struct device_walk *walk, SP_DEVINFO_DATA *device)
{
	DEVPROPTYPE type = 0;
	unsigned num = 0;
	memset(walk->names, 0, MAX_UNITS * sizeof(walk->names[0]));
	if (!SetupDiGetDevicePropertyW(walk->set, device, &DEVPKEY_Device_Siblings, &type,
				       (BYTE *)walk->names, MAX_UNITS * sizeof(walk->names[0]),
				       NULL, 0))
		return 0;
	for (const wchar_t *name = walk->names; *name; name += wcslen(name) + 1)
		num++;
	return num;
}

/** The first range of memory that the firmware gave it. */
static bool find_memory(DWORD instance, struct wperf_dmc_range *ret)
{
	LOG_CONF config;
	RES_DES resource;
	union {
		MEM_RESOURCE memory;
		uint8_t bytes[MAX_RESOURCE];
	} data;
	if (CM_Get_First_Log_Conf(&config, instance, BOOT_LOG_CONF) != CR_SUCCESS)
		return false;
	bool is_found = CM_Get_Next_Res_Des(&resource, config, ResType_Mem, NULL, 0) == CR_SUCCESS;
	if (is_found) {
		is_found = CM_Get_Res_Des_Data(resource, &data, sizeof(data), 0) == CR_SUCCESS;
		CM_Free_Res_Des_Handle(resource);
	}
	CM_Free_Log_Conf_Handle(config);
	if (is_found) {
		ret->start = data.memory.MEM_Header.MD_Alloc_Base;
		ret->end = data.memory.MEM_Header.MD_Alloc_End;
	}
	return is_found;
}

static void walk_devices(const struct device_walk *walk, struct driver_topology *topology)
{
	bool is_uneven = false;
	SP_DEVINFO_DATA device = {.cbSize = sizeof(device)};
	for (DWORD i = 0; SetupDiEnumDeviceInfo(walk->set, i, &device); i++) {
		if (has_id(walk, &device, dsu_id)) {
			unsigned size = count_siblings(walk, &device);
			if (topology->dsu_clusters == 0)
				topology->dsu_cluster_size = size;
			is_uneven |= size == 0 || size != topology->dsu_cluster_size;
			topology->dsu_clusters++;
		} else if (has_id(walk, &device, dmc_id) &&
			   topology->dmc_channels < DRIVER_TOPOLOGY_MAX_CHANNELS) {
			struct wperf_dmc_range *range =
				&topology->dmc_ranges[topology->dmc_channels];
			topology->dmc_channels += find_memory(device.DevInst, range);
		}
	}
	// The contract has one size for all clusters: with others there is no DSU for us.
	if (is_uneven)
		topology->dsu_clusters = topology->dsu_cluster_size = 0;
}

struct error *driver_device_find_topology(struct driver_topology *ret)
{
	*ret = (struct driver_topology){.dsu_clusters = 0};
	struct device_walk walk = {
		.set = SetupDiGetClassDevsW(NULL, L"ACPI", NULL, DIGCF_PRESENT | DIGCF_ALLCLASSES),
		.names = calloc(MAX_UNITS + 2, sizeof(wchar_t)),
	};
	struct error *err = walk.names ? NULL : &error_no_memory;
	if (!err && walk.set != INVALID_HANDLE_VALUE)
		walk_devices(&walk, ret);
	if (walk.set != INVALID_HANDLE_VALUE)
		SetupDiDestroyDeviceInfoList(walk.set);
	free(walk.names);
	return err;
}

// Windows on Arm keeps system registers of each core there, by their encoding: 0x4000 is MIDR_EL1.
bool driver_device_core_midr(unsigned core, uint64_t *ret)
{
	wchar_t key[64];
	uint64_t midr;
	DWORD size = sizeof(midr);
	swprintf(key, sizeof(key) / sizeof(key[0]),
		 L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\%u", core);
	if (RegGetValueW(HKEY_LOCAL_MACHINE, key, L"CP 4000", RRF_RT_REG_QWORD, NULL, &midr,
			 &size) != ERROR_SUCCESS)
		return false;
	*ret = midr;
	return true;
}
