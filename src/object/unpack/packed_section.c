// SPDX-License-Identifier: Apache-2.0

#include "object/unpack/packed_section.h"

#include "base/reader.h"
#include "object/unpack/decompress.h"
#include "object/unpack/read_budget.h"

#include <elf.h>
#include <string.h>

// Two headers stand before compressed sections: Elf64_Chdr of the gABI (SHF_COMPRESSED), and GNU's
// older "ZLIB" with a size of 8 bytes, big-endian, in sections named ".zdebug_*". Both say the
// size that comes out. It is taken from the allowance before any memory is, so that a few
// kilobytes cannot ask for gigabytes.

/** What a packed section says in front of its bytes. */
struct packing {
	enum decompress_method method;
	uint64_t size; // of what is unpacked
};

bool packed_section_is(const struct elf_section *section)
{
	return section->flags & SHF_COMPRESSED ||
	       !strncmp(section->name, ".zdebug", strlen(".zdebug"));
}

static bool read_packing(struct reader *reader, struct packing *ret)
{
	uint32_t type = reader_u32(reader);
	reader_skip(reader, 4); // ch_reserved
	ret->size = reader_u64(reader);
	reader_skip(reader, 8);   // ch_addralign
	bool is_zstd = type == 2; // ELFCOMPRESS_ZSTD, which older headers do not know
	ret->method = is_zstd ? DECOMPRESS_ZSTD : DECOMPRESS_ZLIB;
	return type == ELFCOMPRESS_ZLIB || is_zstd;
}

static bool read_old_packing(struct reader *reader, struct packing *ret)
{
	const char *magic = reader_bytes(reader, strlen("ZLIB"));
	reader->big_endian = true;
	ret->size = reader_u64(reader);
	ret->method = DECOMPRESS_ZLIB;
	return magic && !memcmp(magic, "ZLIB", strlen("ZLIB"));
}

static struct error *say_section(struct error *err, const struct elf_section *section)
{
	if (err->code == ERROR_NO_MEMORY)
		return err;
	struct error *said = error_create(err->code, "cannot decompress section '%s': %s",
					  section->name, err->message);
	if (err->hint)
		said = error_with_hint(said, "%s", err->hint);
	error_destroy(err);
	return said;
}

struct error *packed_section_unpack(const struct elf_image *image,
				    const struct elf_section *section, uint8_t **ret,
				    size_t *ret_size)
{
	struct object_bytes bytes = elf_image_bytes(image, section);
	struct reader reader = reader_create(bytes.data, bytes.size);
	struct packing packing;
	bool is_known = section->flags & SHF_COMPRESSED ? read_packing(&reader, &packing)
							: read_old_packing(&reader, &packing);
	if (reader.failed || !is_known)
		return error_create(ERROR_FAILED, "section '%s' has an unknown compression format",
				    section->name);
	struct object_bytes packed = {.data = bytes.data + reader.offset,
				      .size = reader_left(&reader)};
	// An object that is alone has a budget for itself; of several each takes from the same one.
	struct read_budget own = {0};
	struct read_allowance allowance =
		read_allowance_of(image->budget ? image->budget : &own, packed.size);
	if (!read_allowance_take(&allowance, packing.size))
		return error_create(ERROR_FAILED,
				    "decompressed section '%s' would need too much memory",
				    section->name);
	struct error *err = decompress(packing.method, packed, packing.size, ret);
	if (err)
		return say_section(err, section);
	*ret_size = packing.size;
	return NULL;
}
