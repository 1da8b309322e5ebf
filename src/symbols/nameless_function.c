// SPDX-License-Identifier: Apache-2.0

#include "symbols/nameless_function.h"

#include "base/file/file_name.h"

#include <inttypes.h>
#include <stdio.h>

// Unwind tables (.eh_frame, .pdata) have the bounds of every function, also in stripped files, as
// exceptions need them. So samples of one function stay together although it has no name.

void nameless_function_set(struct nameless_function *function, const char *path, uint64_t start,
			   uint64_t end)
{
	snprintf(function->name, sizeof(function->name), "[%.200s+0x%" PRIx64 "]",
		 file_name_of(path), start);
	function->symbol = (struct object_symbol){start, end - start, function->name};
}

bool nameless_function_find(struct object *object, const char *path, uint64_t address,
			    struct nameless_function *ret)
{
	uint64_t start, end;
	if (!object_find_function(object, address, &start, &end))
		return false;
	nameless_function_set(ret, path, start, end);
	return true;
}
