/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_SECTIONS_H
#define WPERF_OBJECT_PDB_PDB_SECTIONS_H

/**
 * The sections of an image: what symbols are said to be in. Linkers put their headers into the PDB.
 * NGEN and crossgen2 do not; then the image itself knows, or its size proves what follows from the
 * lengths in the PDB's section map.
 */

#include "base/error.h"
#include "base/reader.h"
#include "object/pe/pe_image.h"

#include <stddef.h>
#include <stdint.h>

struct pdb_section {
	uint32_t address, size;
	uint32_t file_offset, file_size; /* in the image's file; a size of 0: not known */
	uint32_t flags;
};

struct pdb_sections {
	struct pdb_section *items; /* the first one is number 1 */
	size_t num_items;
};

/** What is known of a PDB's image; NULL and 0 if nothing is. */
struct pdb_image {
	const struct pe_image *headers;
	uint32_t size; /* in memory (SizeOfImage) */
};

/** Where the sections of a PDB were taken from. */
enum pdb_layout {
	PDB_LAYOUT_NONE,    /* there is nothing to take them from */
	PDB_LAYOUT_HEADERS, /* section headers, of the PDB or the image */
	PDB_LAYOUT_PROVED,  /* lengths, whose sum is the size of the image */
	PDB_LAYOUT_FIRST,   /* lengths, but no size: only the first section has an address */
	PDB_LAYOUT_REFUSED, /* lengths whose sum is not the size of the image */
};

/** @reader: a stream of section headers. */
struct error *pdb_sections_read(struct pdb_sections *sections, struct reader reader);

/** For a PDB without section headers. @map: of sections, from the stream of debug information. */
struct error *pdb_sections_find(struct pdb_sections *sections, struct reader map,
				const struct pdb_image *image, enum pdb_layout *ret);
struct error *pdb_sections_copy(struct pdb_sections *sections, const struct pdb_sections *from);
void pdb_sections_deinit(struct pdb_sections *sections);

#endif
