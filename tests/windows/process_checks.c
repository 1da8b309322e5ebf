// SPDX-License-Identifier: Apache-2.0

/**
 * What wperf sees of processes on Windows, against what the system says of itself. This program is
 * both: without words it checks, and starts itself with the word "victim" to be looked at.
 */

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/os/interrupt.h"
#include "process/memory/process_memory.h"
#include "process/process_watch.h"
#include "process/system/process_list.h"
#include "process/system/process_search.h"
#include "process/thread/running.h"
#include "process/thread/thread_activity.h"
#include "process/thread/thread_hold.h"
#include "process/thread/thread_registers.h"
#include "tests/windows/check.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <psapi.h>

static const char late_module[] = "winmm.dll"; // nothing else here uses it

/** What the victim does for a byte on its input; it ends with the input. */
static int be_victim(void)
{
	volatile uint64_t marker = UINT64_C(0x1122334455667788);
	printf("%p\n", (void *)&marker);
	fflush(stdout);
	for (int word = getchar(); word != EOF; word = getchar()) {
		if (word == 'l') {
			LoadLibraryA(late_module);
			printf("loaded\n");
			fflush(stdout);
		}
	}
	return 0;
}

struct victim {
	PROCESS_INFORMATION info;
	FILE *to, *from;
	uint64_t marker;
};

static FILE *open_pipe_end(HANDLE end, const char *mode)
{
	SetHandleInformation(end, HANDLE_FLAG_INHERIT, 0);
	return _fdopen(_open_osfhandle((intptr_t)end, 0), mode);
}

static void start_victim(struct victim *victim)
{
	SECURITY_ATTRIBUTES inherited = {.nLength = sizeof(inherited), .bInheritHandle = TRUE};
	HANDLE in_read, in_write, out_read, out_write;
	check(CreatePipe(&in_read, &in_write, &inherited, 0));
	check(CreatePipe(&out_read, &out_write, &inherited, 0));
	victim->to = open_pipe_end(in_write, "w");
	victim->from = open_pipe_end(out_read, "r");
	STARTUPINFOW start = {
		.cb = sizeof(start),
		.dwFlags = STARTF_USESTDHANDLES,
		.hStdInput = in_read,
		.hStdOutput = out_write,
		.hStdError = GetStdHandle(STD_ERROR_HANDLE),
	};
	wchar_t path[MAX_PATH], line[] = L"x victim";
	GetModuleFileNameW(NULL, path, MAX_PATH);
	check(CreateProcessW(path, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &victim->info));
	CloseHandle(in_read);
	CloseHandle(out_write);
	char line_back[32] = "";
	check(fgets(line_back, sizeof(line_back), victim->from) != NULL);
	victim->marker = strtoull(line_back, NULL, 16);
}

static void end_victim(struct victim *victim)
{
	fclose(victim->to);
	check(WaitForSingleObject(victim->info.hProcess, 10000) == WAIT_OBJECT_0);
	fclose(victim->from);
	CloseHandle(victim->info.hThread);
	CloseHandle(victim->info.hProcess);
}

static bool has_number(const uint32_t *numbers, size_t num, uint32_t number)
{
	bool is_ascending = true, is_there = false;
	for (size_t i = 0; i < num; i++) {
		is_ascending &= i == 0 || numbers[i - 1] < numbers[i];
		is_there |= numbers[i] == number;
	}
	return is_ascending && is_there;
}

static void check_lists(const struct victim *victim)
{
	_cleanup_free_ uint32_t *pids = NULL, *tids = NULL;
	size_t num_pids, num_tids;
	check_works(process_list(&pids, &num_pids));
	check(has_number(pids, num_pids, victim->info.dwProcessId));
	check_works(process_list_threads(victim->info.dwProcessId, &tids, &num_tids));
	check(has_number(tids, num_tids, victim->info.dwThreadId));
	uint32_t *none;
	check_fails(process_list_threads(0xfffffff0, &none, &num_tids),
		    "cannot list the threads of process 4294967280: no such process");
}

static void check_search_of(const char *name, const struct victim *victim, bool is_there)
{
	_cleanup_free_ uint32_t *pids = NULL;
	size_t num_pids;
	check_works(process_search(name, &pids, &num_pids));
	check(has_number(pids, num_pids, victim->info.dwProcessId) == is_there);
	check(!num_pids || !has_number(pids, num_pids, GetCurrentProcessId()));
}

static void check_search(const struct victim *victim)
{
	char path[MAX_PATH];
	GetModuleFileNameA(NULL, path, MAX_PATH);
	check_search_of("process_checks.exe", victim, true);
	check_search_of("PROCESS_Checks", victim, true);
	check_search_of("process_check", victim, false);
	check_search_of(path, victim, true);
	strcat(path, "x");
	check_search_of(path, victim, false);
}

static void check_memory(const struct victim *victim)
{
	struct process_memory memory = process_memory_of(victim->info.dwProcessId);
	uint64_t marker = 0, other = 0;
	check(process_memory_read(&memory, victim->marker, &marker, sizeof(marker)));
	check(marker == UINT64_C(0x1122334455667788));
	struct process_memory_part parts[] = {
		{victim->marker, &other, 4},
		{victim->marker + 4, (char *)&other + 4, 4},
	};
	check(process_memory_read_parts(&memory, parts, 2));
	check(other == marker);
	parts[1].address = 8;
	check(!process_memory_read_parts(&memory, parts, 2));
	check(memory.read(memory.context, UINT64_MAX - 8, &other, 100) == 0);
	check_works(process_memory_check(victim->info.dwProcessId));
	check_fails(process_memory_check(0xfffffff0), "No such process");
}

/** A page, behind which there is nothing: far from all else, as Wine can read what it keeps free.
 */
static void check_hole(void)
{
	enum { PAGE = 4096 };
	static char bytes[2 * PAGE];
	void *far_away = (void *)(uintptr_t)0x100000000000;
	char *pages = VirtualAlloc(far_away, PAGE, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
	check(pages != NULL);
	memset(pages, 'x', PAGE);
	struct process_memory memory = process_memory_of(GetCurrentProcessId());
	uint64_t address = (uint64_t)(uintptr_t)pages;
	check(memory.read(memory.context, address + 10, bytes, 2 * PAGE) == PAGE - 10);
	check(bytes[PAGE - 11] == 'x' && !bytes[PAGE - 10]);
	VirtualFree(pages, 0, MEM_RELEASE);
}

/** Is there a section of code of the module at @base among the records, by this name? */
struct seen_module {
	uint64_t base, size;
	const char *name;
	unsigned num_times;
};

static void note_record(const struct record *record, const struct victim *victim,
			struct seen_module *wanted, unsigned *ret_names)
{
	check(record->pid == victim->info.dwProcessId);
	if (record->kind == RECORD_COMM)
		*ret_names += strcmp(record->comm.name, "process_checks.exe") == 0;
	if (record->kind != RECORD_MAP)
		return;
	check(record->map.is_executable && record->map.length > 0);
	if (record->map.start < wanted->base || record->map.start >= wanted->base + wanted->size)
		return;
	const char *slash = strrchr(record->map.path, '\\');
	check(slash && _stricmp(slash + 1, wanted->name) == 0);
	check(record->map.file_offset % 512 == 0 && record->map.file_offset > 0);
	wanted->num_times++;
}

static unsigned look(struct running *running, const struct victim *victim,
		     struct seen_module *wanted)
{
	unsigned num_names = 0;
	for (bool more = true; more;) {
		struct record record;
		check_works(running_next(running, &record, &more));
		if (more)
			note_record(&record, victim, wanted, &num_names);
	}
	return num_names;
}

static void each_module_of_the_system_is_told(struct victim *victim)
{
	HMODULE modules[256];
	DWORD size;
	check(EnumProcessModulesEx(victim->info.hProcess, modules, sizeof(modules), &size,
				   LIST_MODULES_64BIT));
	for (size_t i = 0; i < size / sizeof(*modules); i++) {
		MODULEINFO info;
		char name[MAX_PATH];
		GetModuleInformation(victim->info.hProcess, modules[i], &info, sizeof(info));
		GetModuleBaseNameA(victim->info.hProcess, modules[i], name, sizeof(name));
		struct seen_module wanted = {(uint64_t)(uintptr_t)info.lpBaseOfDll,
					     info.SizeOfImage, name, 0};
		_cleanup_(running_destroyp) struct running *running = NULL;
		uint32_t pid = victim->info.dwProcessId;
		check_works(running_open(&pid, 1, &running));
		check(look(running, victim, &wanted) == 1);
		check(wanted.num_times > 0);
	}
}

static void order_late_module(struct victim *victim)
{
	char answer[16] = "";
	fputc('l', victim->to);
	fflush(victim->to);
	check(fgets(answer, sizeof(answer), victim->from) && !strncmp(answer, "loaded", 6));
}

static void late_modules_are_told_once(struct victim *victim)
{
	struct seen_module any = {0, UINT64_MAX, late_module, 0};
	uint32_t pid = victim->info.dwProcessId;
	_cleanup_(running_destroyp) struct running *running = NULL;
	check_works(running_open(&pid, 1, &running));
	struct seen_module none = {0, 0, "", 0};
	look(running, victim, &none);
	check_works(running_look_again(running));
	look(running, victim, &any);
	check(any.num_times == 0);
	order_late_module(victim);
	check_works(running_look_again(running));
	// What it is built on comes along with it.
	unsigned num_maps = 0;
	for (bool more = true, is_there = false; more || !is_there;) {
		struct record record;
		check_works(running_next(running, &record, &more));
		if (!more)
			break;
		num_maps++;
		is_there |=
			record.kind == RECORD_MAP && strstr(record.map.path, late_module) != NULL;
	}
	check(num_maps > 0);
	check_works(running_look_again(running));
	look(running, victim, &any);
	check(any.num_times == 0);
}

/** Of all processes, those that began after the first look are told, too. */
static void new_processes_are_told(void)
{
	_cleanup_(running_destroyp) struct running *running = NULL;
	check_works(running_open(NULL, 0, &running));
	struct record record;
	for (bool more = true; more;)
		check_works(running_next(running, &record, &more));
	struct victim victim;
	start_victim(&victim);
	check_works(running_look_again(running));
	unsigned num_maps = 0;
	for (bool more = true; more;) {
		check_works(running_next(running, &record, &more));
		num_maps +=
			more && record.kind == RECORD_MAP && record.pid == victim.info.dwProcessId;
	}
	check(num_maps > 2);
	end_victim(&victim);
}

/** As perf tells of the kernel; the system's own image among its sections. */
static void check_kernel_map(const struct record *record, unsigned *ret_kernels)
{
	const struct record_map *map = &record->map;
	const char *slash = strrchr(map->path, '\\');
	check(record->kind == RECORD_MAP && record->pid == UINT32_MAX && map->is_executable);
	check(map->start && map->length && slash);
	if (!slash || _stricmp(slash + 1, "ntoskrnl.exe") != 0)
		return;
	char windows[MAX_PATH];
	GetWindowsDirectoryA(windows, sizeof(windows));
	check(_strnicmp(map->path, windows, strlen(windows)) == 0);
	check(GetFileAttributesA(map->path) != INVALID_FILE_ATTRIBUTES);
	check(map->file_offset > 0 && map->file_offset % 512 == 0);
	++*ret_kernels;
}

/** How many sections of the system's image are told; the kernel comes before all processes. */
static unsigned look_at_kernel(struct running *running)
{
	unsigned num_kernels = 0;
	bool is_behind = false;
	for (bool more = true; more;) {
		struct record record;
		check_works(running_next(running, &record, &more));
		if (!more)
			break;
		is_behind |= record.mode != RECORD_MODE_KERNEL;
		check(is_behind == (record.mode != RECORD_MODE_KERNEL));
		if (!is_behind)
			check_kernel_map(&record, &num_kernels);
	}
	return num_kernels;
}

static void the_kernel_is_told_once(void)
{
	enum { PAUSE_MS = 600 }; // it is not looked at all the time
	uint32_t pid = GetCurrentProcessId();
	_cleanup_(running_destroyp) struct running *running = NULL;
	check_works(running_open(&pid, 1, &running));
	check_works(running_add_kernel(running));
	check(look_at_kernel(running) > 0);
	for (int i = 0; i < 2; i++) {
		check_works(running_look_again(running));
		check(look_at_kernel(running) == 0);
		Sleep(PAUSE_MS);
	}
}

static void what_is_held_stands_still(const struct victim *victim)
{
	struct thread_hold hold = {.pid = 0};
	uint32_t pid = victim->info.dwProcessId, tid = victim->info.dwThreadId;
	check_works(thread_hold_check(pid));
	for (int i = 0; i < 20; i++) {
		struct user_regs regs;
		struct stack_limits stack;
		check(thread_hold_begin(&hold, pid, tid));
		check(thread_registers_read(&hold, &regs));
		check(regs.ip && regs.sp);
		check(thread_registers_stack(&hold, &stack));
		check(victim->marker >= stack.low && victim->marker < stack.high);
		check(SuspendThread(victim->info.hThread) == 1); // once by the hold
		ResumeThread(victim->info.hThread);
		thread_hold_end(&hold);
		check(SuspendThread(victim->info.hThread) == 0);
		ResumeThread(victim->info.hThread);
	}
	check(!thread_hold_begin(&hold, pid + 4, tid));
	check(thread_hold_begin(&hold, pid, tid));
	thread_hold_deinit(&hold);
	check_fails(thread_hold_check(0xfffffff0),
		    "cannot list the threads of process 4294967280: no such process");
}

static void names_of_threads_are_theirs(void)
{
	char name[64];
	HMODULE kernel = GetModuleHandleW(L"kernel32.dll");
	HRESULT(WINAPI * describe)(HANDLE, const wchar_t *);
	FARPROC found = GetProcAddress(kernel, "SetThreadDescription");
	memcpy(&describe, &found, sizeof(describe));
	if (!describe || FAILED(describe(GetCurrentThread(), L"t\u00e4ter")))
		return; // a system that has no such thing
	if (running_thread_name(GetCurrentProcessId(), GetCurrentThreadId(), name, sizeof(name)))
		check(strcmp(name, "t\xc3\xa4ter") == 0);
	check(!running_thread_name(GetCurrentProcessId() + 4, GetCurrentThreadId(), name,
				   sizeof(name)));
}

/** Wine does not say what threads do. */
static bool is_wine(void)
{
	return GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != NULL;
}

static void check_activity(const struct victim *victim)
{
	enum thread_state state =
		thread_activity_read(victim->info.dwProcessId, victim->info.dwThreadId).state;
	check(state == (is_wine() ? THREAD_UNKNOWN : THREAD_SLEEPS));
	check(thread_activity_read(4, 0xfffffff0).state == THREAD_UNKNOWN);
}

static void an_end_is_seen(struct victim *victim)
{
	int fd = -1;
	enum interrupt_wake wake;
	uint32_t pid = victim->info.dwProcessId;
	check_works(interrupt_install());
	check_works(process_watch_open(pid, &fd));
	check(!process_watch_has_ended(fd));
	check_works(interrupt_wait(fd, 1000000, &wake));
	check(wake == INTERRUPT_WAKE_TIMEOUT);
	TerminateProcess(victim->info.hProcess, 3);
	check_works(interrupt_wait(fd, UINT64_C(10000000000), &wake));
	check(wake == INTERRUPT_WAKE_READY);
	check(process_watch_has_ended(fd));
	process_watch_close(&fd);
	check(fd == -1);
	check_fails(process_watch_open(0xfffffff0, &fd), "No such process");
	interrupt_uninstall();
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "victim") == 0)
		return be_victim();
	struct victim victim;
	start_victim(&victim);
	check_lists(&victim);
	check_search(&victim);
	check_memory(&victim);
	check_hole();
	each_module_of_the_system_is_told(&victim);
	late_modules_are_told_once(&victim);
	new_processes_are_told();
	the_kernel_is_told_once();
	what_is_held_stands_still(&victim);
	names_of_threads_are_theirs();
	check_activity(&victim);
	an_end_is_seen(&victim);
	end_victim(&victim);
	return check_report();
}
