// SPDX-License-Identifier: Apache-2.0
// Input: a byte for the version, one for the offset of the object, then the memory of a process,
// whose bytes are at every address, again and again.

#include "interpreter/python/value/python_locals.h"
#include "interpreter/python/value/python_value.h"

#include "endless_memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUDGET = 100000 };

static void check_value(const struct python_runtime *runtime, uint64_t object)
{
	enum { LONGEST = PYTHON_VALUE_MAX_BYTES + 20 * PYTHON_VALUE_MAX_CHARACTERS };
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	python_value_append(runtime, object, &text);
	if (!text.length || text.length > LONGEST)
		abort();
}

static void check_locals(const struct python_runtime *runtime, uint64_t address)
{
	_cleanup_(python_locals_deinit) struct python_locals locals = PYTHON_LOCALS_INIT;
	struct interpreted_frame frame = {.code = address, .instruction = address};
	bool is_there;
	error_destroy(python_locals_read(&locals, runtime, &frame, address, &is_there));
	for (size_t i = 0; i < locals.num_items; i++)
		if (!python_locals_value(&locals, i)[0])
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	struct endless_memory memory = {data + 2, size - 2, BUDGET};
	struct python_runtime runtime = {
		.memory = endless_memory_of(&memory),
		.layout = *python_layout_find(PYTHON_OLDEST_MINOR + data[0] % 7),
	};
	runtime.walk = python_layout_walk(&runtime.layout);
	check_value(&runtime, data[1]);
	memory.budget = BUDGET;
	check_locals(&runtime, data[1]);
	return 0;
}
