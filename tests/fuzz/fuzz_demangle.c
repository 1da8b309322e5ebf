// SPDX-License-Identifier: Apache-2.0

// A name from outside: it is read, or left alone, in bounded time and memory.

#include "object/names/demangle.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// With sanitizers and on a busy machine; without them it is less than a hundredth.
enum { MOST_CHARACTERS = 1 << 17, MOST_MS = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *name = strndup((const char *)data, size);
	_cleanup_free_ char *readable = NULL;
	clock_t start = clock();
	error_destroy(demangle(name, &readable));
	if ((clock() - start) * 1000 / CLOCKS_PER_SEC > MOST_MS)
		abort();
	if (readable && strlen(readable) > MOST_CHARACTERS)
		abort();
	return 0;
}
