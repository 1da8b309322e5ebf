/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PE_PE_IMAGE_H
#define WPERF_OBJECT_PE_PE_IMAGE_H

/**
 * The headers of a Windows program or library, of 64 bits (PE32+) or 32: its sections, directories,
 * and where its symbols went. Addresses are relative to the start of the image ("RVA"), as in its
 * PDB. Offsets and sizes are as the file says them; the functions that give bytes check them.
 */

#include "base/container/arena.h"
#include "base/error.h"
#include "object/object_parts.h"

#include <stdbool.h>

enum pe_kind {
	PE_KIND_OTHER,
	PE_KIND_X64,
	PE_KIND_ARM64,
	PE_KIND_ARM64EC, /* says that it is for x64; most of its code is for Arm64 */
	PE_KIND_ARM64X,  /* says that it is for Arm64; it is both, and loaded as either */
};

enum { PE_GUID_SIZE = 16, PE_SECTION_IS_CODE = 0x20000000 /* may be executed */ };

struct pe_section {
	const char *name;
	uint32_t address, memory_size;
	uint32_t offset, size; /* in the file */
	uint32_t flags;
};

/** Data directories that are looked at; the numbers are those of the format. */
enum pe_directory_kind {
	PE_DIRECTORY_EXPORTS = 0,
	PE_DIRECTORY_FUNCTIONS = 3,
	PE_DIRECTORY_DEBUG = 6,
	PE_DIRECTORY_LOAD_CONFIG = 10,
	PE_NUM_DIRECTORIES = 16,
};

struct pe_directory {
	uint32_t address, size;
};

/** Which PDB belongs to an image: its GUID as in memory, and how often it was written since. */
struct pe_pdb_id {
	uint8_t guid[PE_GUID_SIZE];
	uint32_t age;
};

/** The GUID as it is written: in the order of its digits. Its size. */
size_t pe_pdb_id_bytes(const struct pe_pdb_id *id, uint8_t ret[static PE_GUID_SIZE]);

/** The reverse. */
void pe_pdb_id_set_bytes(struct pe_pdb_id *id, const uint8_t bytes[static PE_GUID_SIZE]);

bool pe_pdb_id_is_same(const struct pe_pdb_id *left, const struct pe_pdb_id *right);

struct pe_image {
	const uint8_t *data; /* not owned */
	size_t size;
	enum pe_kind kind;
	uint64_t base;              /* where it is linked to be */
	uint32_t entry;             /* 0: none */
	uint32_t headers_size;      /* of what is loaded before the sections */
	uint32_t time, memory_size; /* TimeDateStamp and SizeOfImage, by which servers know it */
	struct pe_section *sections;
	size_t num_sections;
	struct pe_directory directories[PE_NUM_DIRECTORIES];
	uint32_t symbols_offset,
		num_symbols; /* of the COFF table, which Microsoft's tools leave out */
	bool has_pdb;
	struct pe_pdb_id pdb_id;
	const char *pdb_path; /* as the linker wrote it; NULL: none */
	struct arena names;
};

#define PE_IMAGE_INIT \
	{             \
	}

bool pe_image_is(const void *data, size_t size);

/** @name: of the file, for messages. @data must outlive the image. */
struct error *pe_image_init(struct pe_image *image, const void *data, size_t size,
			    const char *name);
void pe_image_deinit(struct pe_image *image);

const struct pe_section *pe_image_find_section(const struct pe_image *image, const char *name);

/** As they are in the file; empty if they are not all there. */
struct object_bytes pe_image_section_bytes(const struct pe_image *image,
					   const struct pe_section *section);

/** The section whose bytes in memory hold the address, or NULL. */
const struct pe_section *pe_image_section_at(const struct pe_image *image, uint32_t address);

/** All bytes from the address to the end of what the file has of its section. */
struct object_bytes pe_image_bytes_at(const struct pe_image *image, uint32_t address);

/** The bytes of a directory; empty if they are not all in the file. */
struct object_bytes pe_image_directory(const struct pe_image *image, enum pe_directory_kind kind);

/** Where the load configuration says what is for which machine; false in images for one machine. */
bool pe_image_hybrid_metadata(const struct pe_image *image, uint32_t *ret);

/** Names longer than 8 characters, of sections and symbols, by their offset; NULL if not there. */
const char *pe_image_long_name(const struct pe_image *image, uint32_t offset);

bool pe_image_offset_to_address(const struct pe_image *image, uint64_t offset, uint64_t *ret);

#endif
