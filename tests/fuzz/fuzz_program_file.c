// SPDX-License-Identifier: Apache-2.0
// Input: a file that somebody wants to run.

#include "driver/emulator/program_file.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32], loader[PATH_MAX];
	int fd = memfd_create("program", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct program_script script;
	enum program_kind kind = program_file_kind(path, &script);
	if (kind == PROGRAM_SCRIPT &&
	    (!*script.interpreter || strpbrk(script.interpreter, " \t\n") ||
	     strlen(script.argument) >= PROGRAM_LINE_SIZE))
		abort();
	if (program_file_loader(path, loader, sizeof(loader)) && strlen(loader) >= sizeof(loader))
		abort();
	close(fd);
	return 0;
}
