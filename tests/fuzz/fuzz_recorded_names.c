// SPDX-License-Identifier: Apache-2.0
// Input: the names that a recording brings along.

#include "symbols/recorded/recorded_names.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Everything that a reader would look at is there. */
static void look_at(const struct recorded_names *names, const struct recorded_place *place)
{
	for (uint32_t i = 0; i < place->num_frames; i++) {
		const struct recorded_frame *frame = &place->frames[i];
		if (frame->function >= recorded_names_num_functions(names) || !frame->file)
			abort();
		const struct recorded_function *function =
			recorded_names_function(names, frame->function);
		if (!function->name || !function->module || !function->file)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(recorded_names_destroyp) struct recorded_names *names = NULL;
	error_destroy(recorded_names_read(data, size, &names));
	const struct module module = {.kind = MODULE_FILE, .path = "a"};
	for (uint64_t address = 0; names && address < 256; address++) {
		const struct recorded_place *place = recorded_names_find(names, &module, address);
		if (place && (place->address != address || !place->num_frames))
			abort();
		if (place)
			look_at(names, place);
	}
	return 0;
}
