// SPDX-License-Identifier: Apache-2.0
// Programs that run on the simulated machine of the driver, and start others.
// Usage: family_program ROLE CORE MS [PROGRAM [NUMBER]]
//   work    runs on the core for so long, and prints for how many microseconds it did at least and
//           at most
//   start   starts PROGRAM for the work, NUMBER times one after the other
//   later   prints its number, waits for a line of input, and then does as `start`

#include "driver/windows/sim_request.h"

#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static HANDLE driver;

static void run_on(uint32_t core, bool runs, const void *where)
{
	struct sim_request_run request = {core, runs, (uint64_t)(uintptr_t)where};
	DWORD size;
	if (!DeviceIoControl(driver, SIM_REQUEST_RUN, &request, sizeof(request), NULL, 0, &size,
			     NULL))
		exit(3);
}

static uint64_t now_us(void)
{
	LARGE_INTEGER now, frequency;
	QueryPerformanceCounter(&now);
	QueryPerformanceFrequency(&frequency);
	return (uint64_t)(now.QuadPart / (frequency.QuadPart / 1000000));
}

/** It is here that the machine says it is. */
__attribute__((noinline)) int work(uint32_t core, DWORD ms)
{
	driver = CreateFileA("\\\\.\\WPERFDRIVER", GENERIC_READ | GENERIC_WRITE,
			     FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
	if (driver == INVALID_HANDLE_VALUE)
		return 4;
	uint64_t before_us = now_us();
	run_on(core, true, (const char *)work + 1);
	uint64_t began_us = now_us();
	Sleep(ms);
	uint64_t ended_us = now_us();
	run_on(core, false, NULL);
	fprintf(stderr, "worked %llu %llu us\n", (unsigned long long)(ended_us - began_us),
		(unsigned long long)(now_us() - before_us));
	return 0;
}

static int start(char **words)
{
	int number = words[5] ? atoi(words[5]) : 1;
	for (int i = 0; i < number; i++) {
		intptr_t code =
			_spawnl(_P_WAIT, words[4], words[4], "work", words[2], words[3], NULL);
		if (code)
			return 5;
	}
	return 0;
}

int main(int argc, char **argv)
{
	char line[16];
	if (argc < 4)
		return 2;
	if (!strcmp(argv[1], "work"))
		return work((uint32_t)atoi(argv[2]), (DWORD)atoi(argv[3]));
	if (!strcmp(argv[1], "later")) {
		printf("%lu\n", GetCurrentProcessId());
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 6;
	}
	return argc > 4 ? start(argv) : 2;
}
