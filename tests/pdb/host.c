// SPDX-License-Identifier: Apache-2.0

// Maps a Windows image as a program under Wine does, section by section from the file, at the base
// that it is linked for, and calls a function of it for a while: host IMAGE BASE ENTRY SECONDS
// ADDRESS:OFFSET:SIZE:x|w ...

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

typedef uint64_t __attribute__((ms_abi)) (*function)(uint64_t);

static int map_section(int fd, uint64_t base, const char *text)
{
	unsigned long long address, offset, size;
	char kind;
	if (sscanf(text, "%llx:%llx:%llx:%c", &address, &offset, &size, &kind) != 4)
		return -1;
	int protection = kind == 'x' ? PROT_READ | PROT_EXEC : PROT_READ | PROT_WRITE;
	void *wanted = (void *)(uintptr_t)(base + address);
	void *mapped = mmap(wanted, size, protection, MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd,
			    (off_t)offset);
	return mapped == wanted ? 0 : -1;
}

int main(int argc, char **argv)
{
	if (argc < 6)
		return 2;
	int fd = open(argv[1], O_RDONLY);
	uint64_t base = strtoull(argv[2], NULL, 16);
	for (int i = 5; i < argc; i++)
		if (map_section(fd, base, argv[i]) < 0)
			return 1;
	function call = (function)(uintptr_t)(base + strtoull(argv[3], NULL, 16));
	uint64_t sum = 0;
	while (clock() < atoi(argv[4]) * CLOCKS_PER_SEC / 10)
		for (int i = 0; i < 1000; i++)
			sum += call((uint64_t)i);
	return sum == 1;
}
