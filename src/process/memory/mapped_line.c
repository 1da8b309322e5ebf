// SPDX-License-Identifier: Apache-2.0

#include "process/memory/mapped_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool mapped_line_parse(char *line, struct mapped_line *ret)
{
	struct mapped_line parsed = {0};
	char protection[8];
	int path_at = 0;
	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %" SCNx32 ":%" SCNx32 " %" SCNu64 " %n",
		   &parsed.start, &parsed.end, protection, &parsed.offset, &parsed.major,
		   &parsed.minor, &parsed.inode, &path_at) < 7 ||
	    parsed.end <= parsed.start || strlen(protection) < 3)
		return false;
	parsed.is_readable = protection[0] == 'r';
	parsed.is_writable = protection[1] == 'w';
	parsed.is_executable = protection[2] == 'x';
	line[strcspn(line, "\n")] = '\0';
	parsed.path = path_at ? line + path_at : "";
	*ret = parsed;
	return true;
}
