// SPDX-License-Identifier: Apache-2.0
// Input: eight bytes of a base, then the section .note.stapsdt.

#include "object/probe_notes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t base;
	if (size < sizeof(base))
		return 0;
	memcpy(&base, data, sizeof(base));
	struct probe_notes notes =
		probe_notes_create(data + sizeof(base), size - sizeof(base), base);
	size_t num = 0;
	for (struct probe_note note; probe_notes_next(&notes, &note); num++)
		if (!*note.provider || !*note.name ||
		    strlen(note.provider) + strlen(note.name) + strlen(note.arguments) >= size)
			abort();
	// Each has a header and an owner.
	if (num > size / 20)
		abort();
	return 0;
}
