// SPDX-License-Identifier: Apache-2.0
// A program of Windows with known shares of CPU time: of its work 7 parts are in seventy(), 2 in
// twenty() and 1 in ten(). Usage: timer_program MODE SECONDS
//   work     the parts, then exit code 7
//   sleeper  the same, beside a thread that only sleeps and one that waits for a lock
//   parent   starts itself for the work, waits for it, and does none of its own
//   told     prints its number, then does the work
//   count    prints a growing number every 20 ms, until its time is over

#include <process.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define PART __attribute__((noinline, noclone))

static volatile uint64_t sink;

/** The same code for all, so that rounds are time. */
PART void spin(uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i++)
		sink += i * 3;
}

PART void seventy(uint64_t rounds)
{
	spin(rounds);
	sink += 70;
}

PART void twenty(uint64_t rounds)
{
	spin(rounds);
	sink += 20;
}

PART void ten(uint64_t rounds)
{
	spin(rounds);
	sink += 10;
}

PART void parts(uint64_t unit)
{
	seventy(7 * unit);
	twenty(2 * unit);
	ten(unit);
	sink++;
}

/** Of CPU time, whoever else wants the cores. */
static double spent(void)
{
	FILETIME begin, end, kernel, user;
	GetThreadTimes(GetCurrentThread(), &begin, &end, &kernel, &user);
	uint64_t ticks = (uint64_t)user.dwHighDateTime << 32 | user.dwLowDateTime;
	return (double)ticks / 1e7;
}

PART void work(double seconds)
{
	while (spent() < seconds)
		for (int i = 0; i < 100; i++)
			parts(20000);
	sink++;
}

static DWORD WINAPI sleeps(void *unused)
{
	(void)unused;
	for (;;)
		Sleep(1);
}

static DWORD WINAPI waits(void *lock)
{
	EnterCriticalSection(lock);
	return 0;
}

static void start_sleepers(void)
{
	static CRITICAL_SECTION lock;
	InitializeCriticalSection(&lock);
	EnterCriticalSection(&lock);
	CreateThread(NULL, 0, sleeps, NULL, 0, NULL);
	CreateThread(NULL, 0, waits, &lock, 0, NULL);
}

PART void count(double seconds)
{
	ULONGLONG end = GetTickCount64() + (ULONGLONG)(seconds * 1000);
	for (unsigned i = 0; GetTickCount64() < end; i++) {
		printf("%lu %u\n", GetCurrentProcessId(), i);
		fflush(stdout);
		for (int k = 0; k < 10; k++)
			parts(20000);
		Sleep(20);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	double seconds = atof(argv[2]);
	if (!strcmp(argv[1], "parent"))
		return (int)_spawnl(_P_WAIT, argv[0], argv[0], "work", argv[2], NULL);
	if (!strcmp(argv[1], "count")) {
		count(seconds);
		return 0;
	}
	if (!strcmp(argv[1], "sleeper"))
		start_sleepers();
	if (!strcmp(argv[1], "told")) {
		printf("%lu\n", GetCurrentProcessId());
		fflush(stdout);
	}
	work(seconds);
	printf("done\n");
	return 7;
}
