// SPDX-License-Identifier: Apache-2.0

#include "object/elf/common_link.h"

#include "base/reader.h"

#include <string.h>

// Two formats for one thing, a name and an id: ".gnu_debugaltlink" of dwz (a string, then the
// build-id) and ".debug_sup" of DWARF 5, 7.3.6 (version, flag, name, length, checksum). In the
// second, the supplementary file has such a section itself, with the flag set and the same
// checksum; in the first its build-id is compared.

static struct reader section_reader(const struct elf_image *image, const char *name)
{
	const struct elf_section *section = elf_image_find_section(image, name);
	struct object_bytes bytes = {0};
	if (section)
		bytes = elf_image_bytes(image, section);
	return reader_create(bytes.data, bytes.size);
}

/** @is_common: what the file with the common parts says of itself, else what others say of it. */
static struct common_link common_link_read_section(const struct elf_image *image, bool is_common)
{
	struct reader reader = section_reader(image, ".debug_sup");
	// Version, is_supplementary, the name of the other file, length and bytes of the checksum.
	reader_skip(&reader, 2);
	bool is_of_common = reader_u8(&reader);
	struct common_link link = {.name = reader_string(&reader)};
	link.id.size = reader_uleb128(&reader);
	link.id.data = reader_bytes(&reader, link.id.size);
	return reader.failed || is_of_common != is_common ? (struct common_link){0} : link;
}

struct common_link common_link_read(const struct elf_image *image)
{
	struct reader reader = section_reader(image, ".gnu_debugaltlink");
	struct common_link link = {.name = reader_string(&reader)};
	link.id.size = reader_left(&reader);
	link.id.data = reader_bytes(&reader, link.id.size);
	return link.name ? link : common_link_read_section(image, false);
}

static bool common_link_same_bytes(struct object_bytes a, struct object_bytes b)
{
	return a.size == b.size && a.size && !memcmp(a.data, b.data, a.size);
}

bool common_link_matches(const struct common_link *link, const struct elf_image *image)
{
	return common_link_same_bytes(link->id, image->build_id) ||
	       common_link_same_bytes(link->id, common_link_read_section(image, true).id);
}
