// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/devgen/root_device.h"

#include "driver/include/wperf_driver.h"

#include <cfgmgr32.h>
#include <newdev.h>

// A device that no bus reports is "root-enumerated": a program creates it with SetupAPI (WDK,
// DIF_REGISTERDEVICE) and gives it a hardware id; Windows then looks for an INF file with that id.
// It is found again by the same id, whichever instance number Windows has given it
// (DICD_GENERATE_ID).

// Two zeros end a list of texts.
static const wchar_t hardware_ids[] = L"Root\\WPERFDRIVER\0";

enum { MAX_IDS = 1024 };

static bool has_our_id(HDEVINFO list, SP_DEVINFO_DATA *data)
{
	// Two units more than are read stay 0: a text from the registry need not end.
	wchar_t ids[MAX_IDS] = {0};
	if (!SetupDiGetDeviceRegistryPropertyW(list, data, SPDRP_HARDWAREID, NULL, (BYTE *)ids,
					       sizeof(ids) - 2 * sizeof(wchar_t), NULL))
		return false;
	for (const wchar_t *id = ids; *id; id += lstrlenW(id) + 1) {
		if (lstrcmpiW(id, hardware_ids) == 0)
			return true;
	}
	return false;
}

DWORD root_device_find(struct root_device *device)
{
	device->list = SetupDiGetClassDevsW(NULL, L"ROOT", NULL, DIGCF_ALLCLASSES);
	if (device->list == INVALID_HANDLE_VALUE)
		return GetLastError();
	device->data.cbSize = sizeof(device->data);
	for (DWORD i = 0; SetupDiEnumDeviceInfo(device->list, i, &device->data); i++) {
		if (has_our_id(device->list, &device->data))
			return 0;
	}
	root_device_close(device);
	return ERROR_NO_SUCH_DEVINST;
}

DWORD root_device_create(struct root_device *device, const wchar_t *inf)
{
	wchar_t class_name[MAX_CLASS_NAME_LEN];
	GUID class_id;
	if (!SetupDiGetINFClassW(inf, &class_id, class_name, MAX_CLASS_NAME_LEN, NULL))
		return GetLastError();
	device->list = SetupDiCreateDeviceInfoList(&class_id, NULL);
	if (device->list == INVALID_HANDLE_VALUE)
		return GetLastError();
	device->data.cbSize = sizeof(device->data);
	if (SetupDiCreateDeviceInfoW(device->list, class_name, &class_id, NULL, NULL,
				     DICD_GENERATE_ID, &device->data) &&
	    SetupDiSetDeviceRegistryPropertyW(device->list, &device->data, SPDRP_HARDWAREID,
					      (const BYTE *)hardware_ids, sizeof(hardware_ids)) &&
	    SetupDiCallClassInstaller(DIF_REGISTERDEVICE, device->list, &device->data))
		return 0;
	DWORD error = GetLastError();
	root_device_close(device);
	return error;
}

void root_device_close(struct root_device *device)
{
	SetupDiDestroyDeviceInfoList(device->list);
	device->list = INVALID_HANDLE_VALUE;
}

DWORD root_device_remove(struct root_device *device, bool *ret_needs_restart)
{
	SP_DEVINSTALL_PARAMS_W params = {.cbSize = sizeof(params)};
	if (!SetupDiCallClassInstaller(DIF_REMOVE, device->list, &device->data))
		return GetLastError();
	// The installer of the class leaves there whether something is still in use.
	*ret_needs_restart = SetupDiGetDeviceInstallParamsW(device->list, &device->data, &params) &&
			     (params.Flags & (DI_NEEDRESTART | DI_NEEDREBOOT));
	return 0;
}

typedef BOOL(WINAPI *update_fn)(HWND window, const wchar_t *hardware_id, const wchar_t *inf,
				DWORD flags, BOOL *ret_needs_restart);

// By hand: computers without this library have no devices to install either.
DWORD root_device_update_driver(const wchar_t *inf, bool *ret_needs_restart)
{
	BOOL needs_restart = FALSE;
	HMODULE library = LoadLibraryExW(L"newdev.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);
	if (!library)
		return GetLastError();
	update_fn update =
		(update_fn)(void *)GetProcAddress(library, "UpdateDriverForPlugAndPlayDevicesW");
	DWORD error = 0;
	if (!update || !update(NULL, hardware_ids, inf, INSTALLFLAG_FORCE, &needs_restart))
		error = GetLastError();
	FreeLibrary(library);
	*ret_needs_restart = needs_restart;
	return error;
}

void root_device_driver_text(struct root_device *device, const wchar_t *name, wchar_t *text,
			     DWORD size)
{
	DWORD bytes = (size - 1) * (DWORD)sizeof(wchar_t), type;
	text[0] = 0;
	HKEY key = SetupDiOpenDevRegKey(device->list, &device->data, DICS_FLAG_GLOBAL, 0, DIREG_DRV,
					KEY_READ);
	if (key == INVALID_HANDLE_VALUE)
		return;
	if (RegQueryValueExW(key, name, NULL, &type, (BYTE *)text, &bytes) == ERROR_SUCCESS &&
	    type == REG_SZ)
		text[bytes / sizeof(wchar_t)] = 0;
	else
		text[0] = 0;
	RegCloseKey(key);
}

// The driver shows the interface as long as its device is started.
bool root_device_is_started(const struct root_device *device, ULONG *ret_problem)
{
	static const GUID interface_id = WPERF_INTERFACE_GUID;
	ULONG status;
	SP_DEVICE_INTERFACE_DATA data = {.cbSize = sizeof(data)};
	*ret_problem = 0;
	CM_Get_DevNode_Status(&status, ret_problem, device->data.DevInst, 0);
	HDEVINFO list = SetupDiGetClassDevsW(&interface_id, NULL, NULL,
					     DIGCF_DEVICEINTERFACE | DIGCF_PRESENT);
	if (list == INVALID_HANDLE_VALUE)
		return false;
	bool is_started = SetupDiEnumDeviceInterfaces(list, NULL, &interface_id, 0, &data) &&
			  (data.Flags & SPINT_ACTIVE);
	SetupDiDestroyDeviceInfoList(list);
	return is_started;
}
