// SPDX-License-Identifier: Apache-2.0

#include "server/symbols/debug_facts.h"

#include "object/elf/elf_image.h"
#include "object/pdb/msf_file.h"
#include "object/pe/pe_image.h"

#include <elf.h>
#include <string.h>

/** Each section that has bytes is wholly in the file. */
static struct error *debug_facts_check_sections(const struct elf_image *image, const char *name)
{
	if (!image->num_sections)
		return error_with_hint(error_create(ERROR_FAILED, "'%s' has no sections", name),
				       "it is truncated, or its table of sections was removed");
	for (size_t i = 0; i < image->num_sections; i++) {
		const struct elf_section *section = &image->sections[i];
		bool has_bytes = section->type != SHT_NOBITS && section->type != SHT_NULL;
		if (has_bytes && elf_image_bytes(image, section).size != section->size)
			return error_create(ERROR_FAILED,
					    "'%s' is truncated: its section '%s' ends behind it",
					    name, section->name);
	}
	return NULL;
}

static struct error *debug_facts_check(const struct elf_image *image,
				       const struct debug_facts *facts, const char *name)
{
	if (!image->is_linked)
		return error_create(ERROR_FAILED, "'%s' is not linked", name);
	if (facts->build_id.size < DEBUG_FACTS_MIN_BUILD_ID)
		return error_with_hint(error_create(ERROR_FAILED, "'%s' has no build id", name),
				       "link it with -Wl,--build-id");
	if (!facts->has_symbols && !facts->has_lines)
		return error_with_hint(error_create(ERROR_FAILED,
						    "'%s' has neither .symtab nor .debug_info",
						    name),
				       "use the file from before it was stripped, or its .debug "
				       "file");
	return NULL;
}

struct error *debug_facts_read(const void *bytes, size_t size, const char *name,
			       struct debug_facts *ret)
{
	_cleanup_(elf_image_deinit) struct elf_image image = ELF_IMAGE_INIT;
	if (pe_image_is(bytes, size) || msf_file_is(bytes, size))
		return error_create(ERROR_FAILED,
				    "'%s' is of Windows: only ELF files name frames of a store",
				    name);
	struct error *err = elf_image_init(&image, bytes, size, name);
	if (err)
		return err;
	const struct elf_section *symbols = elf_image_find_section(&image, ".symtab");
	struct debug_facts facts = {
		.has_symbols = symbols && symbols->type == SHT_SYMTAB,
		.has_lines = elf_image_has_lines(&image),
	};
	size_t id_size = image.build_id.size;
	// As object_build_id() cuts them, and with it the agents.
	facts.build_id.size =
		(uint8_t)(id_size < RECORD_BUILD_ID_MAX ? id_size : RECORD_BUILD_ID_MAX);
	if (id_size)
		memcpy(facts.build_id.bytes, image.build_id.data, facts.build_id.size);
	err = debug_facts_check_sections(&image, name);
	if (!err)
		err = debug_facts_check(&image, &facts, name);
	if (!err)
		*ret = facts;
	return err;
}
