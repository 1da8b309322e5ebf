// SPDX-License-Identifier: Apache-2.0

/** What base/ has for Windows alone, and what wperf relies on there. */

#include "base/container/array.h"
#include "base/file/file_draft.h"
#include "base/file/file_map.h"
#include "base/file/file_path.h"
#include "base/file/folder.h"
#include "base/file/memory_stream.h"
#include "base/os/clock.h"
#include "base/os/close_handle.h"
#include "base/os/command_line.h"
#include "base/os/host.h"
#include "base/os/interrupt.h"
#include "base/os/random_bytes.h"
#include "base/os/shared_library.h"
#include "base/os/trace_provider.h"
#include "base/os/win_error.h"
#include "base/terminal/terminal_screen.h"
#include "base/text/wide_text.h"
#include "tests/windows/check.h"

#include <errno.h>
#include <inttypes.h>
#include <io.h>

#define MS UINT64_C(1000000)

static const char name[] = "Gr\xc3\xb6\xc3\x9f"
			   "e \xe6\xb8\xac \xf0\x9f\x98\x80.txt";

static void check_text(void)
{
	_cleanup_free_ wchar_t *wide = NULL;
	_cleanup_free_ char *back = NULL;
	check_works(wide_from_utf8(name, &wide));
	check(wcslen(wide) == 14);
	check_works(utf8_from_wide(wide, &back));
	check(!strcmp(back, name));
	check_fails(wide_from_utf8("a\xff", &wide), "is not valid UTF-8");
	_cleanup_free_ char *half = NULL;
	check_works(utf8_from_wide(L"a\xd800z", &half));
	check(!strcmp(half, "a\xef\xbf\xbdz"));
}

static void check_errors(void)
{
	struct error *err = win_error(ERROR_PATH_NOT_FOUND, "cannot open '%s'", "x");
	check(err->code == ERROR_ABSENT);
	check_fails(err, "cannot open 'x': No such file or directory");
	check_fails(win_error(ERROR_ACCESS_DENIED, "no"), "no: Permission denied");
	err = win_error(ERROR_SHARING_VIOLATION, "no");
	check(err->code == ERROR_FAILED && !strpbrk(err->message, "\r\n"));
	check(err->message[strlen(err->message) - 1] != '.');
	error_destroy(err);
	check_fails(win_error(0xabcdef, "no"), "no: error 11259375");
}

static void check_file(void)
{
	FILE *file = file_path_open(name, "w");
	check(file && fputs("a\nb\x1a", file) >= 0 && fclose(file) == 0);
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	check_works(file_map_open(&map, name));
	check(map.size == 4 && !memcmp(map.data, "a\nb\x1a", 4));
	check(file_path_kind(name) == FILE_PATH_FILE && file_path_kind(".") == FILE_PATH_OTHER);
	check(file_path_kind("nobody") == FILE_PATH_ABSENT && errno == ENOENT);
	check(!file_path_open(".", "r") && errno == EISDIR);
	struct file_map other = FILE_MAP_INIT;
	check_fails(file_map_open(&other, "."), "Is a directory");
	_cleanup_free_ char *whole = file_path_whole(name);
	check(whole && whole[1] == ':' && strstr(whole, name));
	check(!file_path_whole("nobody"));
}

static bool has_text(const char *path, const char *text)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	check_works(file_map_open(&map, path));
	return map.size == strlen(text) && !memcmp(map.data, text, map.size);
}

static void open_draft(struct file_draft *draft, const char *text)
{
	check(file_draft_open(draft, "kept"));
	check(fputs(text, draft->stream) >= 0);
}

/** As another program would have it open that shares it with readers and writers. */
static HANDLE hold(const char *path, DWORD share)
{
	HANDLE file = CreateFileA(path, GENERIC_READ, share, NULL, OPEN_EXISTING, 0, NULL);
	check(file != INVALID_HANDLE_VALUE);
	return file;
}

static DWORD WINAPI close_soon(void *file)
{
	Sleep(60);
	CloseHandle(file);
	return 0;
}

/** A file that is open cannot be replaced: what was written then has another name. */
static void check_draft_of_open_file(DWORD share)
{
	struct file_draft draft;
	open_draft(&draft, "first");
	check_works(file_draft_close(&draft, "kept"));
	file_draft_deinit(&draft);
	HANDLE reader = hold("kept", share);
	open_draft(&draft, "second");
	check(!file_draft_place(&draft) && errno == EBUSY);
	_cleanup_free_ char *name_of_draft = strdup(draft.draft);
	_cleanup_(error_destroyp) struct error *err = file_draft_close(&draft, "kept");
	file_draft_deinit(&draft);
	check(err && !strcmp(err->message, "cannot replace 'kept': it is in use"));
	check(err && strstr(err->hint, name_of_draft));
	check(has_text("kept", "first") && has_text(name_of_draft, "second"));
	CloseHandle(reader);
	check(file_path_rename(name_of_draft, "kept") && has_text("kept", "second"));
}

/** A virus scanner is done with it soon. */
static void check_draft_waits(void)
{
	struct file_draft draft;
	open_draft(&draft, "third");
	HANDLE thread = CreateThread(NULL, 0, close_soon, hold("kept", FILE_SHARE_READ), 0, NULL);
	check_works(file_draft_close(&draft, "kept"));
	file_draft_deinit(&draft);
	check(has_text("kept", "third"));
	WaitForSingleObject(thread, INFINITE);
	CloseHandle(thread);
}

static void check_draft_keeps_old(void)
{
	struct file_draft draft;
	open_draft(&draft, "fourth");
	draft.keeps_old = true;
	check(file_draft_place(&draft)); // with its stream open
	check_works(file_draft_close(&draft, "kept"));
	file_draft_deinit(&draft);
	check(has_text("kept", "fourth") && has_text("kept.old", "third"));
	HANDLE reader = hold("kept.old", FILE_SHARE_READ);
	open_draft(&draft, "fifth");
	draft.keeps_old = true;
	check_fails(file_draft_close(&draft, "kept"),
		    "cannot rename 'kept' to 'kept.old': one of them is in use");
	file_draft_deinit(&draft);
	check(has_text("kept", "fourth"));
	CloseHandle(reader);
}

static void check_folder(void)
{
	_cleanup_(folder_closep) struct folder *folder = NULL;
	unsigned num_found = 0;
	check_works(folder_open(".", &folder));
	for (const char *found; folder && (found = folder_next(folder));)
		num_found += !strcmp(found, name);
	check(num_found == 1);
	struct folder *none;
	check_fails(folder_open("nobody", &none), "cannot open 'nobody': No such file");
}

static void check_memory_stream(void)
{
	_cleanup_(memory_stream_deinit) struct memory_stream stream = MEMORY_STREAM_INIT;
	check_works(memory_stream_open(&stream));
	fprintf(stream.stream, "%zu\n%" PRIu64, (size_t)1, UINT64_MAX);
	check_works(memory_stream_close(&stream));
	check(!strcmp(stream.text, "1\n18446744073709551615"));
	check(stream.size == strlen(stream.text));
}

/** Words that CommandLineToArgvW() has to take apart and to widen: see the end of main(). */
static void check_words(int argc, char **argv)
{
	_cleanup_(command_line_deinit) struct command_line line = COMMAND_LINE_INIT;
	check_works(command_line_init(&line, argc, argv));
	check(line.argc == 4 && !line.argv[4]);
	check(line.argc == 4 && !strcmp(line.argv[1], name));
	check(line.argc == 4 && !strcmp(line.argv[2], "") && !strcmp(line.argv[3], "a \"b\\"));
}

static void check_clocks(void)
{
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC);
	Sleep(20);
	uint64_t passed_ns = clock_ns(CLOCK_MONOTONIC) - began_ns;
	check(passed_ns >= 15 * MS && passed_ns < 5000 * MS);
	check(clock_ns(CLOCK_REALTIME) / (1000 * MS) - (uint64_t)time(NULL) + 1 <= 2);
}

static void check_waits(void)
{
	enum interrupt_wake wake = INTERRUPT_WAKE_REQUESTED;
	_cleanup_(close_handle) HANDLE event = CreateEventW(NULL, TRUE, FALSE, NULL);
	int fd = (int)(intptr_t)event;
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC);
	check_works(interrupt_wait(-1, 0, &wake)); // also without a handler
	check(wake == INTERRUPT_WAKE_TIMEOUT);
	check_works(interrupt_install());
	check_works(interrupt_wait(fd, 20 * MS, &wake));
	check(wake == INTERRUPT_WAKE_TIMEOUT && clock_ns(CLOCK_MONOTONIC) - began_ns >= 15 * MS);
	SetEvent(event);
	check_works(interrupt_wait(fd, INTERRUPT_NO_TIMEOUT, &wake));
	check(wake == INTERRUPT_WAKE_READY && !interrupt_requested());
	check_works(interrupt_wait(-1, 0, &wake));
	check(wake == INTERRUPT_WAKE_TIMEOUT);
	interrupt_uninstall();
	check_works(interrupt_wait(fd, 0, &wake));
}

struct pair {
	int key, place;
};

static int compare_keys(const void *left, const void *right)
{
	return ((const struct pair *)left)->key - ((const struct pair *)right)->key;
}

static int compare_backwards(const void *left, const void *right, void *sign)
{
	return *(int *)sign * compare_keys(left, right);
}

static bool is_sorted(const struct pair *pairs, size_t num_pairs, int sign)
{
	for (size_t i = 1; i < num_pairs; i++) {
		int order = sign * (pairs[i - 1].key - pairs[i].key);
		if (order > 0 || (order == 0 && pairs[i - 1].place > pairs[i].place))
			return false;
	}
	return true;
}

static void check_sorting(void)
{
	struct pair pairs[1000];
	int sign = -1;
	for (size_t num = 0; num <= ARRAY_SIZE(pairs); num += num < 10 ? 1 : 99) {
		for (size_t i = 0; i < num; i++)
			pairs[i] = (struct pair){(int)(i * 7919 % 10), (int)i};
		qsort(pairs, num, sizeof(*pairs), compare_keys);
		check(is_sorted(pairs, num, 1));
		for (size_t i = 0; i < num; i++)
			pairs[i] = (struct pair){(int)(i * 7919 % 10), (int)i};
		qsort_r(pairs, num, sizeof(*pairs), compare_backwards, &sign);
		check(is_sorted(pairs, num, -1));
	}
}

static void check_functions(void)
{
	char list[] = "a,,b", *rest = list;
	check(!strcmp(strsep(&rest, ","), "a") && !strcmp(strsep(&rest, ","), ""));
	check(!strcmp(strsep(&rest, ","), "b") && !strsep(&rest, ","));
	check(!strcmp(strchrnul("a:b", ':'), ":b") && !*strchrnul("a", ':'));
	_cleanup_free_ char *copy = strndup("abc", 2);
	check(copy && !strcmp(copy, "ab"));
	struct tm parts;
	time_t never = 0;
	check(localtime_r(&never, &parts) == &parts && parts.tm_year >= 69);
}

/** What the compiler calls for large frames and for 128 bits; on Arm64 that is ours. */
static __attribute__((noinline)) unsigned touch_large_frame(unsigned seed)
{
	volatile unsigned char bytes[3 << 20];
	for (size_t i = 0; i < sizeof(bytes); i += 4096)
		bytes[i] = (unsigned char)seed;
	return bytes[0] + bytes[(2 << 20) + 4096 * 7] + (sizeof(bytes) >> 20);
}

static void check_compiler_calls(void)
{
	volatile uint64_t value = UINT64_C(0xfedcba9876543210),
			  factor = UINT64_C(0x123456789abcdef1);
	check(touch_large_frame(7) == 17);
	unsigned __int128 product = (unsigned __int128)value * factor;
	check((uint64_t)(product / factor) == value && (uint64_t)(product / value) == factor);
	check((uint64_t)((product + factor - 1) / factor) == value);
	check((uint64_t)((product + factor) / factor) == value + 1);
	check((uint64_t)(value / (unsigned __int128)factor) == 14 && product / (product + 1) == 0);
}

static void check_system(void)
{
	struct host host = host_read();
	check(host.name[0] && strchr(host.release, '.') && host.total_memory_kb);
	check(!strcmp(host.machine, "x86_64") || !strcmp(host.machine, "aarch64"));
	check(host.cpus_online && host.cpus_online <= host.cpus_available);
	unsigned char bytes[2][16] = {{0}};
	check_works(random_bytes_fill(bytes[0], sizeof(bytes[0])));
	check_works(random_bytes_fill(bytes[1], sizeof(bytes[1])));
	check(memcmp(bytes[0], bytes[1], sizeof(bytes[0])) != 0);
	void *library = shared_library_open("kernel32.dll");
	DWORD(WINAPI * get_number)(void) = NULL;
	check(library && shared_library_find(library, "GetCurrentProcessId", &get_number));
	check(get_number && get_number() == GetCurrentProcessId());
	check(!shared_library_find(library, "no such function", &get_number));
	shared_library_close(library);
	check(!shared_library_open("no-such-library.dll"));
}

// Wine registers providers, and nobody can listen to them.
static void check_trace_provider(void)
{
	static const struct trace_identity identity = {
		.guid = {1, 2, 3},
		.traits = "\x04\0x",
		.traits_size = 4,
	};
	static const struct trace_event event = {
		.id = 1,
		.metadata = "\x08\0\0e\0f\0" TRACE_TYPE_UINT32,
		.metadata_size = 8,
	};
	uint32_t number = 1;
	const struct trace_field field = {&number, sizeof(number)};
	struct trace_provider provider;
	trace_provider_init(&identity, &provider);
	check(provider.handle != 0);
	check(!trace_provider_is_heard(&provider, &event));
	trace_provider_write(&provider, &event, &field, 1);
	trace_provider_deinit(&provider);
	check(provider.handle == 0);
	check(!trace_provider_is_heard(&provider, &event));
}

/** A key as the console tells it: pressed, and let go. */
static void press_key(HANDLE keyboard, WORD key, wchar_t letter)
{
	for (int is_down = 1; is_down >= 0; is_down--) {
		INPUT_RECORD event = {.EventType = KEY_EVENT};
		DWORD num_written;
		event.Event.KeyEvent.bKeyDown = is_down;
		event.Event.KeyEvent.wRepeatCount = 1;
		event.Event.KeyEvent.wVirtualKeyCode = key;
		event.Event.KeyEvent.uChar.UnicodeChar = letter;
		check(WriteConsoleInputW(keyboard, &event, 1, &num_written) && num_written == 1);
	}
}

static HANDLE open_console(const wchar_t *which)
{
	return CreateFileW(which, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
			   NULL, OPEN_EXISTING, 0, NULL);
}

/** Keys of the browser: arrows, letters of any code page, also those outside of UTF-16's first
 *  plane, and nothing of keys that only change others. */
static void check_keys(void)
{
	static const struct {
		WORD key;
		wchar_t letters[2];
		int wanted[5];
	} keys[] = {
		{'J', {L'j'}, {'j'}},
		{VK_UP, {0}, {TERMINAL_KEY_UP}},
		{VK_NEXT, {0}, {TERMINAL_KEY_PAGE_DOWN}},
		{VK_HOME, {0}, {TERMINAL_KEY_HOME}},
		{VK_RETURN, {L'\r'}, {'\r'}},
		{VK_BACK, {L'\b'}, {TERMINAL_KEY_BACKSPACE}},
		{'0', {0xe0}, {0xc3, 0xa0}}, /* what _getch() has in front of arrows */
		{VK_PACKET, {0xd83d, 0xde00}, {0xf0, 0x9f, 0x98, 0x80}},
		{VK_SHIFT, {0}, {TERMINAL_KEY_NONE}},
		{VK_ESCAPE, {0x1b}, {TERMINAL_KEY_ESCAPE}},
	};
	_cleanup_(terminal_screen_closep) struct terminal_screen *screen = NULL;
	HANDLE keyboard = open_console(L"CONIN$");
	FILE *console = _fdopen(_open_osfhandle((intptr_t)open_console(L"CONOUT$"), 0), "w");
	check(console && keyboard != INVALID_HANDLE_VALUE);
	if (!console || keyboard == INVALID_HANDLE_VALUE)
		return;
	check_works(terminal_screen_open(console, &screen));
	for (size_t i = 0; screen && i < ARRAY_SIZE(keys); i++) {
		press_key(keyboard, keys[i].key, keys[i].letters[0]);
		if (keys[i].letters[1])
			press_key(keyboard, keys[i].key, keys[i].letters[1]);
		for (size_t j = 0; j == 0 || keys[i].wanted[j - 1]; j++)
			check(terminal_screen_read_key(screen) == keys[i].wanted[j]);
	}
	CloseHandle(keyboard);
}

int main(int argc, char **argv)
{
	// On a console of its own: base.py.
	if (argc == 2 && !strcmp(argv[1], "keys")) {
		check_keys();
		return check_report();
	}
	check_text();
	check_errors();
	check_file();
	check_draft_of_open_file(FILE_SHARE_READ);
	check_draft_of_open_file(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE);
	check_draft_waits();
	check_draft_keeps_old();
	check_folder();
	check_memory_stream();
	check_words(argc, argv);
	check_clocks();
	check_waits();
	check_sorting();
	check_functions();
	check_compiler_calls();
	check_system();
	check_trace_provider();
	return check_report();
}
