// SPDX-License-Identifier: Apache-2.0
// Prints our table of a minor version: a name and an offset on each line. Usage: MINOR [windows]

#include "interpreter/python/layout/python_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define ROW(member)                                             \
	{                                                       \
#member, offsetof(struct python_layout, member) \
	}

static const struct {
	const char *name;
	size_t offset;
} rows[] = {
	ROW(runtime_interpreters), ROW(interpreter_next),    ROW(interpreter_id),
	ROW(interpreter_threads),  ROW(interpreter_modules), ROW(interpreter_gil),
	ROW(gil_holder),           ROW(gil_locked),          ROW(thread_next),
	ROW(thread_interpreter),   ROW(thread_id),           ROW(thread_native_id),
	ROW(thread_status),        ROW(thread_frame),        ROW(thread_chunk),
	ROW(thread_cframe),        ROW(cframe_previous),     ROW(frame_back),
	ROW(frame_code),           ROW(frame_instruction),   ROW(frame_mark),
	ROW(frame_locals),         ROW(code_file),           ROW(code_name),
	ROW(code_lines),           ROW(code_first_line),     ROW(code_qualified_name),
	ROW(code_bytecode),        ROW(code_num_locals),     ROW(code_local_names),
	ROW(code_local_kinds),     ROW(object_type),         ROW(type_name),
	ROW(type_flags),           ROW(type_cached_keys),    ROW(bytes_size),
	ROW(bytes_data),           ROW(tuple_items),         ROW(dict_used),
	ROW(float_value),          ROW(long_digits),         ROW(string_length),
	ROW(string_state),         ROW(string_ascii),        ROW(string_compact),
};

int main(int argc, char **argv)
{
	uint32_t minor = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
	struct python_layout of_windows;
	const struct python_layout *layout =
		argc == 3 && python_layout_find_windows(minor, &of_windows) ? &of_windows
		: argc == 2 ? python_layout_find(minor)
			    : NULL;
	if (!layout)
		return 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		printf("%s %" PRIu32 "\n", rows[i].name,
		       *(const uint32_t *)((const char *)layout + rows[i].offset));
	return 0;
}
