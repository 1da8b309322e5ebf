// SPDX-License-Identifier: Apache-2.0

#include "process/system/process_command.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

// /proc/PID/cmdline has the words with NUL behind each; see proc(5).

enum { PATH_SIZE = 64 };

void process_command_read(uint32_t pid, char *ret, size_t size)
{
	char path[PATH_SIZE];
	ret[0] = '\0';
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/cmdline", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	ssize_t length = read(fd, ret, size - 1);
	close(fd);
	while (length > 0 && !ret[length - 1])
		length--;
	for (ssize_t i = 0; i < length; i++)
		if ((unsigned char)ret[i] < ' ')
			ret[i] = ' ';
	ret[length > 0 ? length : 0] = '\0';
}
