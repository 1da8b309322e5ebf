/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_FILE_H
#define WPERF_OBJECT_PDB_PDB_FILE_H

/**
 * What a PDB says of its image as a whole: whose it is, the sections, the modules (what a compiler
 * made of one source file), and which module each piece of code comes from.
 *
 * Addresses are relative to the start of the image as it was linked. A tool may have moved code
 * afterwards; pdb_file_to_image() and pdb_file_from_image() then tell where things went.
 */

#include "base/error.h"
#include "base/text/landmarks.h"
#include "object/object.h"
#include "object/pdb/msf_file.h"
#include "object/pdb/pdb_sections.h"
#include "object/pe/pe_image.h"

struct pdb_module_header {
	const char *name;
	uint16_t stream;
	uint32_t symbols_size, old_lines_size, lines_size; /* in its stream, in this order */
};

/** A piece of a section that one module gave. */
struct pdb_contribution {
	uint32_t start, end;
	uint32_t module;
};

/**
 * Pieces of one module that follow each other, with the gaps between them: mostly far fewer than
 * pieces, of which each function is one.
 */
struct pdb_run {
	uint32_t start; /* it ends where the next one starts */
	uint32_t module;
};

/** From one address on, things are at another; 0: nowhere. */
struct pdb_move {
	uint32_t from, to;
};

struct pdb_moves {
	struct pdb_move *items;
	size_t num_items;
};

struct pdb_file {
	struct msf_file msf;
	struct pe_pdb_id id;
	enum object_machine machine;
	bool is_x86;      /* of 32 bits: public names of C have a '_' in front */
	bool is_stripped; /* private symbols were removed: what is left are names of what others see
			   */
	bool is_fastlink; /* the rest is in the object files of the machine that linked it */
	uint32_t publics_stream, records_stream;
	struct pdb_module_header *modules;
	size_t num_modules;
	struct pdb_contribution *contributions; /* sorted */
	size_t num_contributions;
	struct pdb_run *runs; /* sorted, and one that ends them */
	size_t num_runs;
	struct landmarks run_landmarks;
	enum pdb_layout layout;
	bool has_lengths_only;              /* the PDB itself; the image may have had the headers */
	struct pdb_sections sections;       /* as they were linked: symbols are in these */
	struct pdb_sections image_sections; /* of the image; the same unless code was moved */
	struct pdb_moves to_image, from_image;
	struct object_bytes names; /* of files; a NUL is last */
};

#define PDB_FILE_INIT \
	{             \
	}

enum { PDB_NO_MODULE = UINT32_MAX };

/** @image: what is known of it, or NULL. @name: of the file, for messages. @data must outlive it.
 */
struct error *pdb_file_init(struct pdb_file *file, const struct pdb_image *image, const void *data,
			    size_t size, const char *name);
void pdb_file_deinit(struct pdb_file *file);

/** The address of a place in a section; false if there is no such section. */
bool pdb_file_address(const struct pdb_file *file, uint16_t section, uint32_t offset,
		      uint32_t *ret);

/** The piece around the address, or NULL. */
const struct pdb_contribution *pdb_file_contribution(const struct pdb_file *file, uint32_t address);

/** The run around the address, or NULL; there may be no piece at the address. */
const struct pdb_run *pdb_file_run(const struct pdb_file *file, uint32_t address);

/** A text by its place among the names; NULL if there is none. */
const char *pdb_file_name(const struct pdb_file *file, uint32_t offset);

/** The address in the image of a byte of its file; false if the PDB does not say. */
bool pdb_file_offset_to_image(const struct pdb_file *file, uint64_t offset, uint64_t *ret);

/** Where an address of the symbols is in the image, and back. False: nowhere. */
bool pdb_file_to_image(const struct pdb_file *file, uint32_t address, uint32_t *ret);
bool pdb_file_from_image(const struct pdb_file *file, uint32_t address, uint32_t *ret);

#endif
