// SPDX-License-Identifier: Apache-2.0

#include "base/os/command_line.h"

// The words of main() are the bytes that were typed, and no copies are needed.
struct error *command_line_init(struct command_line *line, int argc, char **argv)
{
	*line = (struct command_line){.argc = argc, .argv = argv};
	return NULL;
}

void command_line_deinit(struct command_line *line)
{
	*line = (struct command_line)COMMAND_LINE_INIT;
}
