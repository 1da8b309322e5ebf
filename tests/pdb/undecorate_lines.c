// SPDX-License-Identifier: Apache-2.0

// Decorated names from standard input, a line each: its declaration and its name, or the same
// again.

#include "object/names/undecorate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const char *name, enum undecorate_style style, const char *behind)
{
	_cleanup_free_ char *text = NULL;
	error_destroy(undecorate(name, style, &text));
	printf("%s%s", text ? text : name, behind);
}

int main(void)
{
	_cleanup_free_ char *line = NULL;
	size_t capacity = 0;
	while (getline(&line, &capacity, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		print(line, UNDECORATE_DECLARATION, "\t");
		print(line, UNDECORATE_NAME, "\n");
	}
	return 0;
}
