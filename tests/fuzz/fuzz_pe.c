// SPDX-License-Identifier: Apache-2.0

// A Windows image from outside.

#include "tests/fuzz/ask_object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return ask_object(data, size, true, NULL);
}
