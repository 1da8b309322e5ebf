// SPDX-License-Identifier: Apache-2.0

// wperf-devgen: installs the driver, removes it, says how it is. The device is created before the
// driver is installed, since Windows installs drivers for devices that it knows; a device that was
// created in vain is removed again. Errors of SetupAPI have codes of their own (0xe0000200 and up,
// setupapi.h), for which hint_of() says what an administrator can do.
//
// A program without a C runtime: the same file runs on a Windows without any redistributable, and
// its start is our start().

#include "driver/windows/devgen/driver_version.h"
#include "driver/windows/devgen/root_device.h"
#include "driver/windows/devgen/say.h"

#include <shellapi.h>

enum exit_code {
	EXIT_GOOD = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_NOT_INSTALLED = 3,
	EXIT_NOT_STARTED = 4,
};

enum { MAX_LONG_PATH = 4096 };

void start(void);

static const wchar_t usage[] =
	L"usage: wperf-devgen install [FILE.inf] | uninstall | status | --version\r\n"
	L"\r\n"
	L"  install    create the device Root\\WPERFDRIVER with the driver of FILE.inf;\r\n"
	L"             default: wperf.inf beside this program\r\n"
	L"  uninstall  remove the device and the driver package; also: remove\r\n"
	L"  status     show whether the driver is installed and running, and its version\r\n"
	L"  --version  print the version of this program\r\n"
	L"\r\n"
	L"exit codes: 0 success, 1 failed, 2 wrong command line, 3 not installed, 4 not running";

static const wchar_t *hint_of(DWORD error)
{
	static const struct {
		DWORD error;
		const wchar_t *hint;
	} hints[] = {
		{ERROR_ACCESS_DENIED, L"run it as administrator, from an elevated prompt"},
		{ERROR_FILE_NOT_FOUND, L"put FILE.inf, its .sys and its .cat into one folder"},
		{577, // ERROR_INVALID_IMAGE_HASH, which headers lack
		 L"Windows rejects the driver's signature: see docs/windows-driver.md, test mode"},
		{0xe0000242, L"an administrator chose not to trust the signer"},
		{0xe0000243, L"the signer is not trusted: see docs/windows-driver.md, test mode"},
		{0xe0000247, L"the package is not signed: see docs/windows-driver.md, test mode"},
		{0xe000022f, L"the signed .cat is missing: see docs/windows-driver.md, test mode"},
		{0x800b0109, L"the root certificate is not trusted: see docs/windows-driver.md"},
		{ERROR_NO_SUCH_DEVINST, L"FILE.inf has no driver for this CPU architecture"},
	};
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		if (hints[i].error == error)
			return hints[i].hint;
	}
	return NULL;
}

static int main_fail(const wchar_t *what, const wchar_t *on_what, DWORD error)
{
	struct say_message message = say_message(error);
	say_error(what, on_what, L": ", message.text, NULL);
	if (hint_of(error))
		say_error(L"hint: ", hint_of(error), NULL);
	return EXIT_FAILED;
}

static void say_restart(bool needs_restart)
{
	if (needs_restart)
		say(L"restart the computer to finish", NULL);
}

// Beside this program.
static DWORD default_inf(wchar_t path[MAX_LONG_PATH])
{
	static const wchar_t name[] = L"wperf.inf";
	DWORD length = GetModuleFileNameW(NULL, path, MAX_LONG_PATH);
	while (length > 0 && path[length - 1] != L'\\')
		length--;
	if (length + sizeof(name) / sizeof(wchar_t) > MAX_LONG_PATH)
		return ERROR_FILENAME_EXCED_RANGE;
	lstrcpyW(path + length, name);
	return 0;
}

static DWORD find_inf(const wchar_t *named, wchar_t path[MAX_LONG_PATH])
{
	DWORD error = 0;
	if (!named)
		error = default_inf(path);
	else if (GetFullPathNameW(named, MAX_LONG_PATH, path, NULL) >= MAX_LONG_PATH)
		error = ERROR_FILENAME_EXCED_RANGE;
	if (!error && GetFileAttributesW(path) == INVALID_FILE_ATTRIBUTES)
		error = GetLastError();
	return error;
}

// A device without a driver is of no use to anybody.
static int give_driver(struct root_device *device, bool is_new, const wchar_t *inf)
{
	bool needs_restart = false, unused;
	DWORD error = root_device_update_driver(inf, &needs_restart);
	if (error) {
		if (is_new)
			root_device_remove(device, &unused);
		return main_fail(L"cannot install the driver of ", inf, error);
	}
	say(is_new ? L"installed: " : L"updated: ", inf, NULL);
	say_restart(needs_restart);
	return EXIT_GOOD;
}

static int main_install(const wchar_t *named)
{
	static wchar_t inf[MAX_LONG_PATH]; // large for a stack without probes
	struct root_device device;
	DWORD error = find_inf(named, inf);
	if (error)
		return main_fail(L"cannot read ", named ? named : inf, error);
	error = root_device_find(&device);
	bool is_new = error == ERROR_NO_SUCH_DEVINST;
	if (is_new)
		error = root_device_create(&device, inf);
	if (error)
		return main_fail(is_new ? L"cannot create the device for "
					: L"cannot find out whether there is a device for ",
				 inf, error);
	int code = give_driver(&device, is_new, inf);
	root_device_close(&device);
	return code;
}

static int remove_device(const wchar_t *unused)
{
	struct root_device device;
	wchar_t inf[MAX_PATH];
	bool needs_restart = false;
	DWORD error = root_device_find(&device);
	if (error == ERROR_NO_SUCH_DEVINST) {
		say(L"not installed", NULL);
		return EXIT_NOT_INSTALLED;
	}
	if (error)
		return main_fail(L"cannot query ", L"the device", error);
	root_device_driver_text(&device, L"InfPath", inf, MAX_PATH);
	error = root_device_remove(&device, &needs_restart);
	root_device_close(&device);
	if (error)
		return main_fail(L"cannot remove ", L"the device", error);
	// Windows has copied the INF under a name of its own; others are not ours to remove.
	wchar_t begin[4] = {inf[0], inf[0] ? inf[1] : 0, inf[0] && inf[1] ? inf[2] : 0};
	bool is_package = lstrcmpiW(begin, L"oem") == 0;
	if (is_package && !SetupUninstallOEMInfW(inf, SUOI_FORCEDELETE, NULL))
		main_fail(L"cannot remove the driver package ", inf, GetLastError());
	say(L"removed", NULL);
	say_restart(needs_restart);
	return EXIT_GOOD;
}

static void say_version(void)
{
	struct wperf_version version;
	DWORD error = driver_version_ask(&version);
	if (error) {
		struct say_message message = say_message(error);
		say(L"version:  unknown: ", message.text, NULL);
		return;
	}
	struct say_number major = say_number(version.major), minor = say_number(version.minor),
			  patch = say_number(version.patch);
	version.gitver[WPERF_GIT_VERSION_SIZE - 1] = 0;
	version.featurestring[WPERF_FEATURE_STRING_SIZE - 1] = 0;
	say(L"version:  ", major.digits, L".", minor.digits, L".", patch.digits, L" (",
	    (const wchar_t *)version.gitver, L") ", (const wchar_t *)version.featurestring, NULL);
}

static int say_status(const wchar_t *unused)
{
	struct root_device device;
	wchar_t text[MAX_PATH];
	ULONG problem;
	DWORD error = root_device_find(&device);
	if (error == ERROR_NO_SUCH_DEVINST) {
		say(L"device:   not installed", NULL);
		return EXIT_NOT_INSTALLED;
	}
	if (error)
		return main_fail(L"cannot query ", L"the device", error);
	root_device_driver_text(&device, L"DriverVersion", text, MAX_PATH);
	say(L"package:  ", text[0] ? text : L"without a version", NULL);
	bool is_started = root_device_is_started(&device, &problem);
	root_device_close(&device);
	struct say_number number = say_number(problem);
	if (is_started)
		say(L"device:   running", NULL);
	else
		say(L"device:   not running, Windows problem code ", number.digits, NULL);
	if (is_started)
		say_version();
	return is_started ? EXIT_GOOD : EXIT_NOT_STARTED;
}

static int print_version(const wchar_t *unused)
{
	say(L"wperf-devgen " WPERF_VERSION, NULL);
	return EXIT_GOOD;
}

static int print_usage(const wchar_t *unused)
{
	say(usage, NULL);
	return EXIT_GOOD;
}

static int main_run(int argc, wchar_t **argv)
{
	static const struct {
		const wchar_t *name;
		int max_words;
		int (*run)(const wchar_t *word);
	} commands[] = {
		{L"install", 1, main_install},    {L"uninstall", 0, remove_device},
		{L"remove", 0, remove_device},    {L"status", 0, say_status},
		{L"--version", 0, print_version}, {L"--help", 0, print_usage},
	};
	for (size_t i = 0; argc >= 2 && i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (lstrcmpW(argv[1], commands[i].name) == 0 && argc - 2 <= commands[i].max_words)
			return commands[i].run(argc > 2 ? argv[2] : NULL);
	}
	say_error(usage, NULL);
	return EXIT_USAGE;
}

void start(void)
{
	int argc;
	wchar_t **argv = CommandLineToArgvW(GetCommandLineW(), &argc);
	ExitProcess(argv ? (UINT)main_run(argc, argv) : EXIT_FAILED);
}
