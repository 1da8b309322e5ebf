// SPDX-License-Identifier: Apache-2.0

#include "object/probe_notes.h"

#include "base/reader.h"

#include <string.h>

// The format is that of systemtap's wiki, "UserSpaceProbeImplementation": a note of type 3 with the
// owner "stapsdt", whose description has three addresses (probe, base, semaphore) and three
// strings. The addresses are those of linking: where prelink has moved the file, section
// .stapsdt.base is elsewhere than the base that the note says, and by that distance all are moved.

enum { NOTE_TYPE = 3, NOTE_ALIGNMENT = 4 };

static const char owner[] = "stapsdt";

struct probe_notes probe_notes_create(const void *data, size_t size, uint64_t base)
{
	return (struct probe_notes){.reader = reader_create(data, size), .base = base};
}

struct probe_notes probe_notes_of(struct object *object)
{
	struct object_bytes notes = object_section(object, ".note.stapsdt");
	return probe_notes_create(notes.data, notes.size,
				  object_section(object, ".stapsdt.base").address);
}

static bool probe_note_read(const struct probe_notes *notes, struct reader *reader,
			    struct probe_note *ret)
{
	struct probe_note note = {.address = reader_u64(reader)};
	uint64_t base = reader_u64(reader);
	note.semaphore = reader_u64(reader);
	uint64_t distance = notes->base && base ? notes->base - base : 0;
	note.address += distance;
	note.semaphore += note.semaphore ? distance : 0;
	note.provider = reader_string(reader);
	note.name = reader_string(reader);
	note.arguments = reader_string(reader);
	*ret = note;
	return !reader->failed && *note.provider && *note.name;
}

bool probe_notes_next(struct probe_notes *notes, struct probe_note *ret)
{
	struct reader *reader = &notes->reader;
	while (reader_left(reader)) {
		uint32_t name_size = reader_u32(reader);
		uint32_t size = reader_u32(reader);
		uint32_t type = reader_u32(reader);
		const char *name = reader_bytes(reader, name_size);
		reader_align(reader, NOTE_ALIGNMENT);
		struct reader description = reader_sub(reader, size);
		// The end of the last note may lack what would align the next one.
		if (reader_left(reader))
			reader_align(reader, NOTE_ALIGNMENT);
		if (!reader->failed && type == NOTE_TYPE && name_size == sizeof(owner) &&
		    memcmp(name, owner, sizeof(owner)) == 0 &&
		    probe_note_read(notes, &description, ret))
			return true;
	}
	return false;
}
