// SPDX-License-Identifier: Apache-2.0

/**
 * Programs that wperf starts on Windows. This program is all of them, too: its first word says what
 * it does then.
 */

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/os/clock.h"
#include "base/os/interrupt.h"
#include "base/text/string_builder.h"
#include "base/text/wide_text.h"
#include "process/quoted_words.h"
#include "session/program/child.h"
#include "tests/windows/check.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

#include <shellapi.h>

enum { OUTPUT_BYTES = 4096 };

/** The words behind the first two, one per line. */
static int say_words(int argc, wchar_t **words)
{
	for (int i = 2; i < argc; i++) {
		char *text;
		check_works(utf8_from_wide(words[i], &text));
		printf("[%s]\n", text);
		free(text);
	}
	return 0;
}

static int say_cores(void)
{
	DWORD_PTR mine, all;
	GetProcessAffinityMask(GetCurrentProcess(), &mine, &all);
	printf("%llx\n", (unsigned long long)mine);
	return 0;
}

/** Starts another one of us, and says its number. */
static HANDLE start_other(const wchar_t *words)
{
	wchar_t path[MAX_PATH], line[32];
	STARTUPINFOW start = {.cb = sizeof(start)};
	PROCESS_INFORMATION info;
	GetModuleFileNameW(NULL, path, MAX_PATH);
	wcscpy(line, words);
	if (!CreateProcessW(path, line, NULL, NULL, FALSE, 0, NULL, NULL, &start, &info))
		exit(1);
	printf("%lu\n", info.dwProcessId);
	return info.hProcess;
}

/** Which sleeps. */
static int start_sleeper(bool stays)
{
	start_other(L"x sleep");
	fflush(stdout);
	if (stays)
		Sleep(60000);
	return 0;
}

/** Which is over when its number is said. */
static int start_brief(void)
{
	WaitForSingleObject(start_other(L"x exit 0"), INFINITE);
	fflush(stdout);
	Sleep(60000);
	return 0;
}

/** Has a file open, as an editor or a viewer does. */
static int hold_file(const wchar_t *path)
{
	HANDLE file =
		CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
	if (file == INVALID_HANDLE_VALUE)
		return 1;
	printf("held\n");
	fflush(stdout);
	Sleep(60000);
	return 0;
}

static int play(int argc, wchar_t **words)
{
	const wchar_t *role = words[1];
	if (!wcscmp(role, L"words"))
		return say_words(argc, words);
	if (!wcscmp(role, L"exit"))
		return (int)wcstoul(words[2], NULL, 0);
	if (!wcscmp(role, L"hold"))
		return hold_file(words[2]);
	if (!wcscmp(role, L"cores"))
		return say_cores();
	if (!wcscmp(role, L"sleep"))
		Sleep(60000);
	if (!wcscmp(role, L"start") || !wcscmp(role, L"leave"))
		return start_sleeper(!wcscmp(role, L"start"));
	if (!wcscmp(role, L"brief"))
		return start_brief();
	return 0;
}

static char *own_path(void)
{
	static char path[MAX_PATH];
	GetModuleFileNameA(NULL, path, MAX_PATH);
	return path;
}

/** Standard output of what is started goes into a pipe from now on. */
static HANDLE catch_output(HANDLE *ret_before)
{
	SECURITY_ATTRIBUTES inherited = {.nLength = sizeof(inherited), .bInheritHandle = TRUE};
	HANDLE from, to;
	check(CreatePipe(&from, &to, &inherited, OUTPUT_BYTES));
	SetHandleInformation(from, HANDLE_FLAG_INHERIT, 0);
	*ret_before = GetStdHandle(STD_OUTPUT_HANDLE);
	SetStdHandle(STD_OUTPUT_HANDLE, to);
	return from;
}

/** Everything up to its end; what wrote it has ended, or so much came. */
static void read_output(HANDLE from, HANDLE before, char output[OUTPUT_BYTES], bool to_end)
{
	CloseHandle(GetStdHandle(STD_OUTPUT_HANDLE));
	SetStdHandle(STD_OUTPUT_HANDLE, before);
	size_t length = 0;
	for (DWORD count = 1; count && length < OUTPUT_BYTES - 1; length += count) {
		if (!ReadFile(from, output + length, (DWORD)(OUTPUT_BYTES - 1 - length), &count,
			      NULL))
			break;
		if (!to_end)
			break;
	}
	output[to_end ? length : OUTPUT_BYTES - 1] = '\0';
	CloseHandle(from);
}

static int run(char *const *words, char output[OUTPUT_BYTES])
{
	HANDLE before, from = catch_output(&before);
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	check_works(child_spawn(words, NULL, NULL, 0, CHILD_OUTPUT_OURS, &child));
	check_works(child_release(&child));
	check_works(child_wait(&child));
	read_output(from, before, output, true);
	for (char *c = output, *to = output; (*to = *c); c++)
		to += *c != '\r';
	return child.exit_code;
}

static void exit_codes_are_kept(void)
{
	static const struct {
		const char *word;
		int exit_code;
	} rows[] = {{"0", 0}, {"7", 7}, {"259", 259}, {"0xc0000005", (int)0xc0000005}};
	char output[OUTPUT_BYTES];
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *words[] = {own_path(), (char *)"exit", (char *)rows[i].word, NULL};
		check(run(words, output) == rows[i].exit_code);
	}
}

static void words_arrive_as_they_were(void)
{
	char *words[] = {own_path(),
			 (char *)"words",
			 (char *)"",
			 (char *)"a b",
			 (char *)"\"",
			 (char *)"a\\\\b\\",
			 (char *)"a b\\",
			 (char *)"\\\"x\\\\\" y",
			 (char *)"*.c",
			 (char *)"Gr\xc3\xbc\xc3\x9f"
				 "e \xe4\xb8\x96\xf0\x9f\x98\x80",
			 (char *)"%PATH%",
			 NULL};
	char output[OUTPUT_BYTES];
	_cleanup_(string_builder_deinit) struct string_builder expected = STRING_BUILDER_INIT;
	for (size_t i = 2; words[i]; i++)
		string_builder_appendf(&expected, "[%s]\n", words[i]);
	check(run(words, output) == 0);
	check(strcmp(output, string_builder_peek(&expected)) == 0);
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

static char *random_word(uint32_t *state)
{
	static const char letters[] = "\\\\\\\"\" \tab\n\v&^";
	char word[12] = "";
	size_t length = next_random(state) % (sizeof(word) - 1);
	for (size_t i = 0; i < length; i++)
		word[i] = letters[next_random(state) % (sizeof(letters) - 1)];
	return strdup(word);
}

/** Against the system's own function. */
static void check_line(char **words, size_t num_words)
{
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	_cleanup_free_ wchar_t *wide = NULL;
	check_works(quoted_words_join(words, &line));
	check_works(wide_from_utf8(string_builder_peek(&line), &wide));
	int num;
	wchar_t **back = CommandLineToArgvW(wide, &num);
	check(back && num == (int)num_words);
	for (int i = 0; back && i < num && i < (int)num_words; i++) {
		char *text;
		check_works(utf8_from_wide(back[i], &text));
		check_that(strcmp(text, words[i]) == 0, string_builder_peek(&line), __FILE__,
			   __LINE__);
		free(text);
	}
	LocalFree(back);
}

static void quoted_words_come_back(void)
{
	uint32_t state = 1;
	for (int i = 0; i < 2000; i++) {
		char *words[6] = {(char *)"C:\\a b\\c\\"};
		size_t num = 1 + next_random(&state) % 5;
		for (size_t k = 1; k < num; k++)
			words[k] = random_word(&state);
		check_line(words, num);
		for (size_t k = 1; k < num; k++)
			free(words[k]);
	}
}

static void it_runs_on_its_cores(void)
{
	unsigned cores[] = {1};
	char output[OUTPUT_BYTES];
	char *words[] = {own_path(), (char *)"cores", NULL};
	HANDLE before, from = catch_output(&before);
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	check_works(child_spawn(words, NULL, cores, 1, CHILD_OUTPUT_OURS, &child));
	check_works(child_release(&child));
	check_works(child_wait(&child));
	read_output(from, before, output, true);
	check(strtoul(output, NULL, 16) == 2);
	cores[0] = 5000;
	_cleanup_(child_deinit) struct child other = CHILD_INIT;
	check_fails(child_spawn(words, NULL, cores, 1, CHILD_OUTPUT_OURS, &other),
		    "no core 5000: this machine has cores 0 to ");
}

static void nothing_runs_before_its_release(void)
{
	char *words[] = {own_path(), (char *)"exit", (char *)"5", NULL};
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	enum interrupt_wake wake;
	check_works(child_spawn(words, NULL, NULL, 0, CHILD_OUTPUT_OURS, &child));
	check_works(interrupt_wait(child.pidfd, 50000000, &wake));
	check(wake == INTERRUPT_WAKE_TIMEOUT);
	check_works(child_release(&child));
	check_works(interrupt_wait(child.pidfd, UINT64_C(10000000000), &wake));
	check(wake == INTERRUPT_WAKE_READY);
	check_works(child_wait(&child));
	check(child.exit_code == 5);
}

static bool runs(DWORD pid)
{
	HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, pid);
	bool is_there = process && WaitForSingleObject(process, 5000) == WAIT_TIMEOUT;
	if (process)
		CloseHandle(process);
	return is_there;
}

static DWORD start_family(const char *role, struct child *child)
{
	char *words[] = {own_path(), (char *)role, NULL};
	char output[OUTPUT_BYTES] = "";
	HANDLE before, from = catch_output(&before);
	check_works(child_spawn(words, NULL, NULL, 0, CHILD_OUTPUT_OURS, child));
	check_works(child_release(child));
	read_output(from, before, output, false);
	return strtoul(output, NULL, 10);
}

static void its_children_are_known_and_end_with_it(void)
{
	struct child child = CHILD_INIT;
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	uint64_t before_ns = clock_ns(CLOCK_MONOTONIC);
	DWORD other = start_family("start", &child);
	check_works(child_look(&child, before_ns, &family));
	check(family.num_members == 2);
	check(family_has(&family, child.pid, clock_ns(CLOCK_MONOTONIC)));
	check(family_has(&family, other, clock_ns(CLOCK_MONOTONIC)));
	check(!family_has(&family, other, before_ns - 1));
	check_works(child_look(&child, before_ns, &family));
	check(family.num_members == 2);
	child_deinit(&child);
	check(!runs(other));
}

static void children_that_are_over_are_known(void)
{
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	uint64_t before_ns = clock_ns(CLOCK_MONOTONIC);
	DWORD other = start_family("brief", &child);
	uint64_t over_ns = clock_ns(CLOCK_MONOTONIC);
	bool is_over = false;
	for (int i = 0; i < 500 && !is_over; i++, Sleep(10)) {
		check_works(child_look(&child, before_ns, &family));
		is_over = !family_has(&family, other, clock_ns(CLOCK_MONOTONIC) + 1);
	}
	check(is_over && family.num_members == 2);
	check(family_has(&family, other, over_ns));
	check(!family_has(&family, other, before_ns - 1));
	check(family_has(&family, child.pid, clock_ns(CLOCK_MONOTONIC)));
}

static void what_it_leaves_behind_goes_on(void)
{
	struct child child = CHILD_INIT;
	DWORD other = start_family("leave", &child);
	check_works(child_wait(&child));
	child_deinit(&child);
	HANDLE process = OpenProcess(SYNCHRONIZE | PROCESS_TERMINATE, FALSE, other);
	check(process && WaitForSingleObject(process, 100) == WAIT_TIMEOUT);
	TerminateProcess(process, 0);
	CloseHandle(process);
}

static void check_refusal(const char *program, const char *word, const char *message)
{
	char *words[] = {(char *)program, (char *)word, NULL};
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	check_fails(child_spawn(words, NULL, NULL, 0, CHILD_OUTPUT_OURS, &child), message);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");
	check(file && fputs(text, file) >= 0);
	if (file)
		fclose(file);
}

static void batch_files_are_run(void)
{
	char output[OUTPUT_BYTES];
	char *words[] = {(char *)"say words", (char *)"a&b c", (char *)"(^)", NULL};
	write_file("say words.cmd", "@echo off\r\necho [%1] [%2]\r\nexit /b 9\r\n");
	check(run(words, output) == 9);
	check(strncmp(output, "[\"a&b c\"] [\"(^)\"]", strlen("[\"a&b c\"] [\"(^)\"]")) == 0);
	check_refusal("say words", "100%", "cmd.exe would misread it");
	remove("say words.cmd");
}

static void what_cannot_run_is_told(void)
{
	write_file("not_a_program.exe", "hello");
	check_refusal("no such program", "", "CreateProcess failed (0x2).");
	check_refusal("not_a_program", "", "CreateProcess failed (0x");
	check_refusal(".", "", "cannot run '.': no such program");
	check_refusal("", "", "cannot run '': no such program");
	remove("not_a_program.exe");
}

int main(int argc, char **argv)
{
	int num_words;
	wchar_t **words = CommandLineToArgvW(GetCommandLineW(), &num_words);
	_setmode(_fileno(stdout), _O_BINARY);
	if (argc > 1)
		return play(num_words, words);
	check_works(interrupt_install());
	exit_codes_are_kept();
	words_arrive_as_they_were();
	quoted_words_come_back();
	it_runs_on_its_cores();
	nothing_runs_before_its_release();
	its_children_are_known_and_end_with_it();
	children_that_are_over_are_known();
	what_it_leaves_behind_goes_on();
	batch_files_are_run();
	what_cannot_run_is_told();
	interrupt_uninstall();
	LocalFree(words);
	return check_report();
}
