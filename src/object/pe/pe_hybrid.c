// SPDX-License-Identifier: Apache-2.0

#include "object/pe/pe_hybrid.h"

#include "base/container/bisect.h"
#include "base/reader.h"

#include <stdlib.h>

// IMAGE_ARM64EC_METADATA (winnt.h), to which the load configuration points: the code map (ranges
// whose lowest two bits are the machine: 0 Arm64, 1 Arm64EC, 2 x64) and, at offset 64, the second
// function table, ExtraRFETable. Both have their sizes checked against the section. A range that
// begins before the end of the one before it is left out, so that the array can be searched.

enum {
	RANGE_SIZE = 8,
	EXTRA_FUNCTIONS_OFFSET = 64, // ExtraRFETable, then ExtraRFETableSize
};

/** The table that the load configuration points to; empty if there is none. */
static struct reader metadata_of(const struct pe_image *image)
{
	uint32_t address;
	struct object_bytes bytes = {0};
	if (pe_image_hybrid_metadata(image, &address))
		bytes = pe_image_bytes_at(image, address);
	return reader_create(bytes.data, bytes.size);
}

static struct error *read_ranges(const struct pe_image *image, struct pe_hybrid *hybrid)
{
	enum { KIND_MASK = 3, KIND_X64 = 2 };
	struct reader metadata = metadata_of(image);
	reader_skip(&metadata, 4); // version
	uint32_t address = reader_u32(&metadata);
	uint32_t count = reader_u32(&metadata);
	struct object_bytes bytes = pe_image_bytes_at(image, address);
	if (metadata.failed || count > bytes.size / RANGE_SIZE)
		return NULL;
	struct reader reader = reader_create(bytes.data, bytes.size);
	hybrid->ranges = calloc((size_t)count + 1, sizeof(*hybrid->ranges));
	if (!hybrid->ranges)
		return &error_no_memory;
	uint64_t last_end = 0;
	for (uint32_t i = 0; i < count; i++) {
		// The lowest bits of the address say for which machine.
		uint32_t start = reader_u32(&reader);
		bool is_x64 = (start & KIND_MASK) == KIND_X64;
		const struct object_code_range range = {
			.address = start & ~(uint32_t)KIND_MASK,
			.size = reader_u32(&reader),
			.machine = is_x64 ? OBJECT_MACHINE_X86_64 : OBJECT_MACHINE_AARCH64,
		};
		// The linker sorts them.
		if (!range.size || range.address < last_end)
			continue;
		last_end = range.address + range.size; // of 64 bits, so that it cannot wrap
		hybrid->ranges[hybrid->num_ranges++] = range;
	}
	return NULL;
}

/** ExtraRFETable: .pdata of the other machine. */
static struct object_bytes extra_functions(const struct pe_image *image)
{
	struct reader metadata = metadata_of(image);
	reader_skip(&metadata, EXTRA_FUNCTIONS_OFFSET);
	uint32_t address = reader_u32(&metadata);
	uint32_t size = reader_u32(&metadata);
	struct object_bytes bytes = pe_image_bytes_at(image, address);
	if (metadata.failed || size > bytes.size)
		return (struct object_bytes){0};
	bytes.size = size;
	return bytes;
}

/**
 * The directory has the table of the machine that the image says it is for. Where that is x64, the
 * other one is of Arm64; Arm64X has that of x64 only when it is loaded as such.
 */
static void find_functions(const struct pe_image *image, struct pe_hybrid *hybrid)
{
	struct object_bytes first = pe_image_directory(image, PE_DIRECTORY_FUNCTIONS);
	switch (image->kind) {
	case PE_KIND_ARM64EC:
		hybrid->arm64_functions = extra_functions(image);
		hybrid->x64_functions = first;
		return;
	case PE_KIND_X64:
		hybrid->x64_functions = first;
		return;
	case PE_KIND_ARM64:
	case PE_KIND_ARM64X:
		hybrid->arm64_functions = first;
		return;
	case PE_KIND_OTHER:
		return;
	}
}

struct error *pe_hybrid_read(const struct pe_image *image, struct pe_hybrid *ret)
{
	struct pe_hybrid hybrid = PE_HYBRID_INIT;
	struct error *err = read_ranges(image, &hybrid);
	if (err)
		return err;
	find_functions(image, &hybrid);
	*ret = hybrid;
	return NULL;
}

void pe_hybrid_deinit(struct pe_hybrid *hybrid)
{
	free(hybrid->ranges);
	*hybrid = (struct pe_hybrid)PE_HYBRID_INIT;
}

enum object_machine pe_hybrid_machine_at(const struct pe_hybrid *hybrid, uint64_t address,
					 enum object_machine otherwise)
{
	size_t count = BISECT_U64(hybrid->ranges, hybrid->num_ranges, address, address);
	const struct object_code_range *range = count ? &hybrid->ranges[count - 1] : NULL;
	return range && address - range->address < range->size ? range->machine : otherwise;
}
