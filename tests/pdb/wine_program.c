// SPDX-License-Identifier: Apache-2.0

// A program for Windows without its headers and libraries, which is busy for half a second.

typedef unsigned long long u64;

__declspec(dllimport) void ExitProcess(unsigned code);
__declspec(dllimport) unsigned GetTickCount(void);

static volatile u64 sink;

static inline __attribute__((always_inline)) u64 mix(u64 hash, u64 value)
{
	hash ^= value;
	hash *= 0x9E3779B97F4A7C15ull;
	return hash ^ (hash >> 29);
}

__attribute__((noinline)) u64 burn(u64 rounds)
{
	u64 hash = rounds;
	for (u64 i = 0; i < rounds; i++)
		hash = mix(hash, i);
	return hash;
}

__attribute__((noinline)) void work(unsigned milliseconds)
{
	unsigned start = GetTickCount();
	while (GetTickCount() - start < milliseconds)
		sink = burn(100000 + (sink & 1));
}

void mainCRTStartup(void)
{
	work(500);
	ExitProcess(0);
}
