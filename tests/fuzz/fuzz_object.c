// SPDX-License-Identifier: Apache-2.0

// An object from outside, which may be an interpreter of Python.

#include "interpreter/python/layout/python_opcodes.h"

#include "tests/fuzz/ask_object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask_opcodes(struct object *object)
{
	uint64_t opcodes[PYTHON_NUM_OPCODES];
	struct object_bytes text = object_section(object, ".text");
	if (!python_opcodes_find(object, opcodes))
		return;
	for (size_t i = 0; i < PYTHON_NUM_OPCODES; i++)
		require(opcodes[i] - text.address < text.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return ask_object(data, size, true, ask_opcodes);
}
