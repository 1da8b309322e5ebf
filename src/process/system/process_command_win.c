// SPDX-License-Identifier: Apache-2.0

#include "process/system/process_command.h"

void process_command_read(uint32_t pid, char *ret, size_t size)
{
	ret[0] = '\0';
}
