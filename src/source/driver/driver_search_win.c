// SPDX-License-Identifier: Apache-2.0

#include "source/driver/driver_search.h"

#include "base/container/array.h"
#include "base/os/win_error.h"
#include "base/text/string_builder.h"
#include "base/text/wide_text.h"
#include "driver/include/wperf_driver.h"
#include "source/driver/driver_device.h"

#include <stdlib.h>
#include <windows.h>
// Behind windows.h.
#include <setupapi.h>

static const GUID interface_guid = WPERF_INTERFACE_GUID;

enum { MAX_HARDWARE_IDS = 1024 }; // units

struct search {
	HDEVINFO set;
	DWORD next;
};

#define SEARCH_INIT                         \
	{                                   \
		.set = INVALID_HANDLE_VALUE \
	}

static void driver_search_deinit(struct search *search)
{
	if (search->set != INVALID_HANDLE_VALUE)
		SetupDiDestroyDeviceInfoList(search->set);
}

static struct error *search_open(struct search *search)
{
	search->set = SetupDiGetClassDevsW(&interface_guid, NULL, NULL,
					   DIGCF_PRESENT | DIGCF_DEVICEINTERFACE);
	return search->set == INVALID_HANDLE_VALUE
		       ? win_error(GetLastError(), "cannot list the driver's devices")
		       : NULL;
}

/** The path of the next one, to be freed; NULL: there are no more. */
static struct error *search_next(struct search *search, SP_DEVINFO_DATA *ret_device,
				 wchar_t **ret_path)
{
	SP_DEVICE_INTERFACE_DATA found = {.cbSize = sizeof(found)};
	*ret_device = (SP_DEVINFO_DATA){.cbSize = sizeof(*ret_device)};
	*ret_path = NULL;
	if (!SetupDiEnumDeviceInterfaces(search->set, NULL, &interface_guid, search->next++,
					 &found))
		return NULL;
	DWORD size = 0;
	// Fails by intention: it says how much room the path takes.
	SetupDiGetDeviceInterfaceDetailW(search->set, &found, NULL, 0, &size, NULL);
	if (size < sizeof(SP_DEVICE_INTERFACE_DETAIL_DATA_W))
		return win_error(GetLastError(), "a device of the driver has no path");
	_cleanup_free_ SP_DEVICE_INTERFACE_DETAIL_DATA_W *detail =
		calloc(1, size + sizeof(wchar_t));
	if (!detail)
		return &error_no_memory;
	// Of the fixed part, whatever was allocated behind it (WDK,
	// SP_DEVICE_INTERFACE_DETAIL_DATA).
	detail->cbSize = sizeof(*detail);
	if (!SetupDiGetDeviceInterfaceDetailW(search->set, &found, detail, size, NULL, ret_device))
		return win_error(GetLastError(), "a device of the driver has no path");
	*ret_path = wcsdup(detail->DevicePath);
	return *ret_path ? NULL : &error_no_memory;
}

struct error *driver_search_first(wchar_t **ret)
{
	_cleanup_(driver_search_deinit) struct search search = SEARCH_INIT;
	SP_DEVINFO_DATA device;
	struct error *err = search_open(&search);
	return err ? err : search_next(&search, &device, ret);
}

/** Several are joined by commas. */
static struct error *hardware_ids(struct search *search, SP_DEVINFO_DATA *device, char **ret)
{
	// REG_MULTI_SZ: texts one behind the other, with an empty one at the end.
	wchar_t ids[MAX_HARDWARE_IDS + 2] = L"";
	SetupDiGetDeviceRegistryPropertyW(search->set, device, SPDRP_HARDWAREID, NULL, (BYTE *)ids,
					  MAX_HARDWARE_IDS * sizeof(ids[0]), NULL);
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	struct error *err = NULL;
	for (const wchar_t *id = ids; !err && *id; id += wcslen(id) + 1) {
		_cleanup_free_ char *utf8 = NULL;
		err = utf8_from_wide(id, &utf8);
		if (!err)
			string_builder_appendf(&text, "%s%s", id == ids ? "" : ", ", utf8);
	}
	return err ? err : string_builder_finish(&text, ret);
}

struct error *driver_device_list(struct probe *ret)
{
	_cleanup_(driver_search_deinit) struct search search = SEARCH_INIT;
	struct error *err = search_open(&search);
	while (!err) {
		_cleanup_free_ wchar_t *path = NULL;
		_cleanup_free_ char *instance = NULL;
		_cleanup_free_ char *hardware = NULL;
		SP_DEVINFO_DATA device;
		err = search_next(&search, &device, &path);
		if (err || !path)
			break;
		err = utf8_from_wide(path, &instance);
		if (!err)
			err = hardware_ids(&search, &device, &hardware);
		if (!err)
			err = probe_add_device(ret, instance, hardware);
	}
	return err;
}
