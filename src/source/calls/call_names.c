// SPDX-License-Identifier: Apache-2.0

#include "source/calls/call_names.h"

#include "base/container/array.h"

#include <asm/unistd.h>
#include <string.h>

// The numbers are those of the headers that wperf is compiled with: call_names.cmake lists what
// they define. A kernel may have calls that are newer.

static const char *const names[] = {
#include "call_names.inc"
};

const char *call_name(uint32_t number)
{
	return number < ARRAY_SIZE(names) ? names[number] : NULL;
}

bool call_number(const char *name, uint32_t *ret)
{
	for (uint32_t number = 0; number < ARRAY_SIZE(names); number++) {
		if (!names[number] || strcmp(names[number], name) != 0)
			continue;
		*ret = number;
		return true;
	}
	return false;
}
