// SPDX-License-Identifier: Apache-2.0

#include "server/symbols/debug_facts.h"

#include "object/elf/elf_image.h"
#include "object/pdb/msf_file.h"
#include "object/pdb/pdb_symbols.h"
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

/** As object_build_id() has it. */
static void debug_facts_set_guid(struct debug_facts *facts, const struct pe_pdb_id *id)
{
	facts->build_id.size = (uint8_t)pe_pdb_id_bytes(id, facts->build_id.bytes);
	facts->age = id->age;
}

static struct error *debug_facts_read_pdb(const void *bytes, size_t size, const char *name,
					  struct debug_facts *ret)
{
	_cleanup_(pdb_symbols_destroyp) struct pdb_symbols *symbols = NULL;
	struct error *err = pdb_symbols_create(NULL, bytes, size, name, &symbols);
	if (err)
		return err;
	if (pdb_symbols_refusal(symbols))
		return error_create(ERROR_FAILED, "'%s' cannot name frames: %s", name,
				    pdb_symbols_refusal(symbols));
	const struct pdb_file *file = pdb_symbols_file(symbols);
	struct debug_facts facts = {.has_symbols = true};
	debug_facts_set_guid(&facts, &file->id);
	for (size_t i = 0; i < file->num_modules; i++)
		facts.has_lines |= file->modules[i].lines_size || file->modules[i].old_lines_size;
	*ret = facts;
	return NULL;
}

/** Each section has as many bytes in the file as its header says. */
static struct error *debug_facts_check_image(const struct pe_image *image, const char *name)
{
	for (size_t i = 0; i < image->num_sections; i++) {
		const struct pe_section *section = &image->sections[i];
		if (section->size && pe_image_section_bytes(image, section).size != section->size)
			return error_create(ERROR_FAILED,
					    "'%s' is truncated: its section '%s' ends behind it",
					    name, section->name);
	}
	return NULL;
}

/** An image names frames by itself only if it was not made by Microsoft's tools, or as they do. */
static struct error *debug_facts_read_image(const void *bytes, size_t size, const char *name,
					    struct debug_facts *ret)
{
	_cleanup_(pe_image_deinit) struct pe_image image = PE_IMAGE_INIT;
	struct error *err = pe_image_init(&image, bytes, size, name);
	if (!err)
		err = debug_facts_check_image(&image, name);
	if (err)
		return err;
	struct debug_facts facts = {
		.has_symbols = image.num_symbols,
		.has_lines = pe_image_find_section(&image, ".debug_info"),
	};
	if (!image.has_pdb)
		return error_with_hint(error_create(ERROR_FAILED, "'%s' has no build id", name),
				       "link it with -Wl,--build-id (MinGW) or /DEBUG");
	if (!facts.has_symbols && !facts.has_lines)
		return error_with_hint(error_create(ERROR_FAILED,
						    "'%s' has no names: they are in its PDB", name),
				       "send the PDB");
	debug_facts_set_guid(&facts, &image.pdb_id);
	*ret = facts;
	return NULL;
}

static struct error *debug_facts_read_elf(const void *bytes, size_t size, const char *name,
					  struct debug_facts *ret)
{
	_cleanup_(elf_image_deinit) struct elf_image image = ELF_IMAGE_INIT;
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

struct error *debug_facts_read(const void *bytes, size_t size, const char *name,
			       struct debug_facts *ret)
{
	if (msf_file_is(bytes, size))
		return debug_facts_read_pdb(bytes, size, name, ret);
	if (pe_image_is(bytes, size))
		return debug_facts_read_image(bytes, size, name, ret);
	return debug_facts_read_elf(bytes, size, name, ret);
}
