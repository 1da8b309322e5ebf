// SPDX-License-Identifier: Apache-2.0

#include "base/file/first_line.h"

#include <stdio.h>
#include <string.h>

void first_line_read(const char *path, char *line, int size)
{
	line[0] = '\0';
	FILE *file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(line, size, file))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	fclose(file);
}
