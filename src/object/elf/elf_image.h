/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_ELF_ELF_IMAGE_H
#define WPERF_OBJECT_ELF_ELF_IMAGE_H

/**
 * The headers of an ELF file of 64 bits, little endian: its sections and what of it is loaded.
 * Offsets and sizes are as the file says them; the functions that give bytes check them. A table
 * of sections that is not in the file counts as none: images out of a memory have none.
 */

#include "base/error.h"
#include "object/object.h"
#include "object/unpack/read_budget.h"

struct elf_section {
	const char *name; /* "" if it has none */
	uint32_t type, link;
	uint64_t flags, address, offset, size, entry_size;
};

/** What is loaded; of a file that is not linked yet, its sections. */
struct elf_segment {
	uint64_t offset, address, size; /* size: of its bytes in the file */
	uint64_t memory_size;
	bool is_code;
};

struct elf_image {
	const uint8_t *data; /* not owned */
	size_t size;
	enum object_machine machine;
	uint64_t entry; /* address */
	bool is_linked; /* not what a compiler made of one source file */
	struct elf_section *sections;
	size_t num_sections;
	struct elf_segment *segments;
	size_t num_segments;
	struct object_bytes build_id;
	/** For what is unpacked and read from it; whoever opens it sets it. NULL: it is alone. */
	struct read_budget *budget;
};

#define ELF_IMAGE_INIT \
	{              \
	}

/** @name: of the file, for messages. @data must outlive the image. */
struct error *elf_image_init(struct elf_image *image, const void *data, size_t size,
			     const char *name);
void elf_image_deinit(struct elf_image *image);

const struct elf_section *elf_image_find_section(const struct elf_image *image, const char *name);

/** Does it have DWARF? What is not linked yet counts as without: its DWARF has no addresses. */
bool elf_image_has_lines(const struct elf_image *image);

/** As they are in the file (they may be compressed); empty if they are not all there. */
struct object_bytes elf_image_bytes(const struct elf_image *image,
				    const struct elf_section *section);

/** The segment whose bytes in memory hold the address, or NULL. */
const struct elf_segment *elf_image_find_segment(const struct elf_image *image, uint64_t address);

#endif
