// SPDX-License-Identifier: Apache-2.0

#include "session/program/program_path.h"

#include "base/text/wide_text.h"
#include "session/program/program_line.h"

struct error *program_path_find(const char *name, char **ret)
{
	char *words[] = {(char *)name, NULL};
	struct program_line line = {0};
	*ret = NULL;
	struct error *err = program_line_init(&line, words);
	if (!err)
		err = utf8_from_wide(line.path, ret);
	else if (err->code == ERROR_FAILED) { // not found
		error_destroy(err);
		err = NULL;
	}
	program_line_deinit(&line);
	return err;
}
