// SPDX-License-Identifier: Apache-2.0
// Input: the beginning of a file that somebody wants to run.

#include "process/program_format.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program_format format = program_format_read(data, size);
	if (strlen(format.interpreter) >= sizeof(format.interpreter))
		abort();
	if (format.machine && !*program_format_machine_title(format.machine))
		abort();
	return 0;
}
