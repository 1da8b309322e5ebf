/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PROBE_NOTES_H
#define WPERF_OBJECT_PROBE_NOTES_H

/**
 * Static probes (USDT) of an ELF file: the notes of section .note.stapsdt, which systemtap's
 * sys/sdt.h leaves in a program. A probe that was inlined has a note for each place.
 */

#include "base/reader.h"
#include "object/object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct probe_note {
	const char *provider, *name;
	const char *arguments; /* "-4@%edi 8@%rsi": size and place of each */
	uint64_t address;      /* of the instruction */
	uint64_t semaphore;    /* of a counter of 16 bits, not 0 while somebody probes; 0: none */
};

struct probe_notes {
	struct reader reader;
	uint64_t base; /* of .stapsdt.base, 0: the file has none */
};

/** @object must outlive the notes. Without the section there are none. */
struct probe_notes probe_notes_of(struct object *object);

/** The same of the bytes of the section. @base: the address of .stapsdt.base; or 0. */
struct probe_notes probe_notes_create(const void *data, size_t size, uint64_t base);

/** The next one, in the order of the file; damaged ones are left out. False after the last. The
 *  texts are in the bytes. */
bool probe_notes_next(struct probe_notes *notes, struct probe_note *ret);

#endif
