// SPDX-License-Identifier: Apache-2.0
// Input: eight bytes of a base, then the section .note.stapsdt.

#include "object/probe_arguments.h"
#include "object/probe_notes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** What is read of them is in bounds, whatever they are. */
static void read_arguments(const char *arguments)
{
	static const enum object_machine machines[] = {OBJECT_MACHINE_X86_64,
						       OBJECT_MACHINE_AARCH64};
	size_t num = probe_arguments_count(arguments);
	for (size_t i = 0; i < 4 * 2; i++) {
		struct probe_argument found;
		size_t number = i / 2 + 1;
		if (!probe_argument_find(arguments, number, machines[i % 2], &found))
			continue;
		bool has_size =
			found.size == 1 || found.size == 2 || found.size == 4 || found.size == 8;
		if (number > num || !has_size || !found.scale || found.scale > 8 ||
		    (found.reg > 31 && found.reg != PROBE_NO_REGISTER))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t base;
	if (size < sizeof(base))
		return 0;
	memcpy(&base, data, sizeof(base));
	struct probe_notes notes =
		probe_notes_create(data + sizeof(base), size - sizeof(base), base);
	size_t num = 0;
	for (struct probe_note note; probe_notes_next(&notes, &note); num++) {
		read_arguments(note.arguments);
		if (!*note.provider || !*note.name ||
		    strlen(note.provider) + strlen(note.name) + strlen(note.arguments) >= size)
			abort();
	}
	// Each has a header and an owner.
	if (num > size / 20)
		abort();
	return 0;
}
