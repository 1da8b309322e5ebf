// SPDX-License-Identifier: Apache-2.0

#include "object/object_ops.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "object/dwarf/debug_file.h"
#include "object/dwarf/line_finder.h"
#include "object/elf/elf_image.h"
#include "object/elf/frame_header.h"
#include "object/elf/plt.h"
#include "object/named_symbol.h"
#include "object/symbol_table.h"
#include "object/unpack/decompress.h"
#include "object/unpack/packed_section.h"

#include <elf.h>
#include <string.h>

// Adapts the readers of ELF to the interface of objects; everything is read at the first question.
//
// Symbols come from the best place that has any (add_full_symbols()): .symtab, the .symtab of the
// debug file, or .gnu_debugdata, a compressed ELF file with symbols that Fedora leaves in stripped
// objects ("MiniDebugInfo" of GDB's manual). .dynsym is added in each case, as are names of PLT
// stubs; the choice among several names of one address is symbol_table.c's. What cannot be read
// there is as if it were missing, since an object without symbols is still useful.

/** A section that was packed in the file. */
struct unpacked_section {
	const struct elf_section *section;
	uint8_t *data;
	size_t size;
};

struct elf_object {
	struct object object;
	char *name;
	bool is_file; // the name is its path
	struct debug_search search;
	struct elf_image image;
	struct read_budget own_budget; // of an object that is alone

	bool debug_searched;
	struct debug_file debug;

	bool symbols_read;
	struct symbol_table symbols;
	char *symbol_origin;
	uint8_t *embedded_bytes; // unpacked .gnu_debugdata: an object with symbols only
	struct elf_image embedded;

	struct line_finder *lines; // NULL before the first question for one
	struct unpacked_section *unpacked;
	size_t num_unpacked, cap_unpacked;
};

static const struct object_ops elf_object_ops;

static void elf_object_destroy(struct object *base)
{
	struct elf_object *object = (struct elf_object *)base;
	line_finder_destroy(object->lines);
	symbol_table_deinit(&object->symbols);
	elf_image_deinit(&object->embedded);
	free(object->embedded_bytes);
	for (size_t i = 0; i < object->num_unpacked; i++)
		free(object->unpacked[i].data);
	free(object->unpacked);
	debug_file_close(&object->debug);
	elf_image_deinit(&object->image);
	free(object->symbol_origin);
	debug_search_deinit(&object->search);
	free(object->name);
	free(object);
}

struct error *elf_object_create(const struct object_input *input, struct object **ret)
{
	struct elf_object *object = calloc(1, sizeof(*object));
	if (!object)
		return &error_no_memory;
	object->object.ops = &elf_object_ops;
	_cleanup_(object_destroyp) struct object *base = &object->object;
	object->is_file = input->is_file;
	object->name = strdup(input->name);
	struct error *err = debug_search_init(&object->search, input->places);
	if (!object->name || err)
		return &error_no_memory;
	err = elf_image_init(&object->image, input->data, input->size, input->name);
	if (err)
		return err;
	struct read_budget *budget = input->places->budget;
	object->image.budget = budget ? budget : &object->own_budget;
	*ret = take_ptr(base);
	return NULL;
}

static enum object_machine elf_object_machine(const struct object *base)
{
	return ((const struct elf_object *)base)->image.machine;
}

static uint64_t elf_object_entry(const struct object *base)
{
	return ((const struct elf_object *)base)->image.entry;
}

static size_t elf_object_build_id(const struct object *base, uint8_t ret[20])
{
	// GNU ld writes a SHA-1, of 20 bytes; longer ids (--build-id=0x...) are cut.
	enum { MAX_BYTES = 20 };
	const struct elf_object *object = (const struct elf_object *)base;
	struct object_bytes id = object->image.build_id;
	size_t size = id.size < MAX_BYTES ? id.size : MAX_BYTES;
	if (size)
		memcpy(ret, id.data, size);
	return size;
}

static bool elf_object_offset_to_address(const struct object *base, uint64_t file_offset,
					 uint64_t *ret)
{
	const struct elf_object *object = (const struct elf_object *)base;
	// Maps of processes name places in files, symbols have addresses: segments connect the two.
	for (size_t i = 0; i < object->image.num_segments; i++) {
		const struct elf_segment *segment = &object->image.segments[i];
		if (file_offset < segment->offset || file_offset - segment->offset >= segment->size)
			continue;
		*ret = segment->address + (file_offset - segment->offset);
		return true;
	}
	return false;
}

static bool elf_object_address_to_offset(const struct object *base, uint64_t address,
					 bool only_code, uint64_t *ret)
{
	const struct elf_image *image = &((const struct elf_object *)base)->image;
	const struct elf_segment *segment = elf_image_find_segment(image, address);
	if (!segment || address - segment->address >= segment->size ||
	    (only_code && !segment->is_code))
		return false;
	return !__builtin_add_overflow(segment->offset, address - segment->address, ret);
}

static struct error *find_debug_file(struct elf_object *object)
{
	if (object->debug_searched)
		return NULL;
	struct error *err = debug_file_find(&object->debug, &object->image,
					    object->is_file ? object->name : NULL, &object->search);
	object->debug_searched = !err;
	object->debug.image.budget = object->image.budget;
	return err;
}

/** Symbols of the sections of one type. @ret_added: how many. */
static struct error *add_symbols(struct elf_object *object, const struct elf_image *image,
				 uint32_t type, size_t *ret_added)
{
	*ret_added = 0;
	for (size_t i = 0; i < image->num_sections; i++) {
		if (image->sections[i].type != type)
			continue;
		size_t added;
		struct error *err = symbol_table_add_section(&object->symbols, image,
							     &image->sections[i], &added);
		if (err)
			return err;
		*ret_added += added;
	}
	return NULL;
}

static struct object_bytes section_bytes(struct elf_object *object, const char *name);

/** Symbols that were packed into the stripped object itself, as Fedora does. */
static struct error *add_embedded_symbols(struct elf_object *object, size_t *ret_added)
{
	*ret_added = 0;
	struct object_bytes packed = section_bytes(object, ".gnu_debugdata");
	if (!packed.size)
		return NULL;
	size_t size;
	struct read_allowance allowance = read_allowance_of(object->image.budget, packed.size);
	struct error *err = decompress_xz(packed, read_allowance_left(&allowance),
					  &object->embedded_bytes, &size);
	if (!err && !object->embedded_bytes) {
		read_allowance_note(&allowance);
		return NULL;
	}
	if (!err && read_allowance_take(&allowance, size))
		err = elf_image_init(&object->embedded, object->embedded_bytes, size, object->name);
	if (err && err->code != ERROR_NO_MEMORY) { // less is known then, which is no reason to stop
		error_destroy(err);
		return NULL;
	}
	return err ? err : add_symbols(object, &object->embedded, SHT_SYMTAB, ret_added);
}

static struct error *set_origin(struct elf_object *object, const char *origin, const char *path)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text, "%s%s", origin, path);
	free(take_ptr(object->symbol_origin));
	return string_builder_finish(&text, &object->symbol_origin);
}

/** The full table of the object, else of its debug file, else what is packed into it. */
static struct error *add_full_symbols(struct elf_object *object, bool *ret_found)
{
	size_t added;
	*ret_found = true;
	struct error *err = add_symbols(object, &object->image, SHT_SYMTAB, &added);
	if (err || added)
		return err ? err : set_origin(object, "symtab", "");
	err = find_debug_file(object);
	if (!err && object->debug.path)
		err = add_symbols(object, &object->debug.image, SHT_SYMTAB, &added);
	if (err || added)
		return err ? err : set_origin(object, "debug file ", object->debug.path);
	err = add_embedded_symbols(object, &added);
	if (err || added)
		return err ? err : set_origin(object, "symtab", " in .gnu_debugdata");
	*ret_found = false;
	return NULL;
}

static struct error *need_symbols(struct elf_object *object)
{
	if (object->symbols_read)
		return NULL;
	bool found = false;
	size_t added = 0;
	struct error *err = add_full_symbols(object, &found);
	if (!err)
		err = add_symbols(object, &object->image, SHT_DYNSYM, &added);
	if (!err && !found)
		err = set_origin(object, added ? "dynsym" : "none", "");
	if (!err)
		err = plt_add_symbols(&object->image, &object->symbols);
	if (!err)
		err = symbol_table_build(&object->symbols);
	if (err)
		symbol_table_deinit(&object->symbols);
	object->symbols_read = !err;
	return err;
}

static struct error *elf_object_symbols(struct object *base, const struct object_symbol **ret,
					size_t *ret_num)
{
	struct elf_object *object = (struct elf_object *)base;
	struct error *err = need_symbols(object);
	if (err)
		return err;
	*ret = object->symbols.items;
	*ret_num = object->symbols.num_items;
	return NULL;
}

static struct error *elf_object_find_symbol(struct object *base, uint64_t address,
					    const struct object_symbol **ret)
{
	struct elf_object *object = (struct elf_object *)base;
	struct error *err = need_symbols(object);
	if (err)
		return err;
	*ret = symbol_table_find(&object->symbols, address);
	return NULL;
}

static bool elf_object_find_variable(const struct object *base, const char *name,
				     struct object_variable *ret)
{
	return named_symbol_find_variable(&((const struct elf_object *)base)->image, name, ret);
}

static struct error *elf_object_find_named_function(struct object *base, const char *name,
						    struct object_function *ret, bool *ret_found)
{
	struct elf_object *object = (struct elf_object *)base;
	*ret_found = named_symbol_find_function(&object->image, name, ret);
	if (*ret_found)
		return NULL;
	struct error *err = find_debug_file(object);
	if (!err)
		*ret_found = named_symbol_find_function(&object->debug.image, name, ret);
	return err;
}

static bool elf_object_find_global_function(const struct object *object, const char *name,
					    bool is_program, struct object_function *ret)
{
	return named_symbol_find_global(&((const struct elf_object *)object)->image, name,
					is_program, ret);
}

static const char *elf_object_symbol_origin(struct object *base)
{
	struct elf_object *object = (struct elf_object *)base;
	error_destroy(need_symbols(object));
	return object->symbol_origin ? object->symbol_origin : "none";
}

static struct error *elf_object_find_lines(struct object *base, uint64_t address,
					   const struct object_line **ret, size_t *ret_num)
{
	struct elf_object *object = (struct elf_object *)base;
	if (object->lines)
		return line_finder_find(object->lines, address, ret, ret_num);
	// The object has the lines itself, or its debug file has them.
	const struct elf_image *image = &object->image;
	const char *path = object->is_file ? object->name : NULL;
	struct error *err = NULL;
	if (!elf_image_has_lines(image))
		err = find_debug_file(object);
	if (!err && !elf_image_has_lines(image) && object->debug.path) {
		image = &object->debug.image;
		path = object->debug.path;
	}
	if (!err)
		err = line_finder_create(image, &object->image, path, &object->search,
					 &object->lines);
	return err ? err : line_finder_find(object->lines, address, ret, ret_num);
}

static struct error *unpack_once(struct elf_object *object, const struct elf_section *section,
				 const struct unpacked_section **ret)
{
	// What was given to a caller once stays valid as long as the object, so it is unpacked
	// once.
	for (size_t i = 0; i < object->num_unpacked; i++) {
		*ret = &object->unpacked[i];
		if ((*ret)->section == section)
			return NULL;
	}
	struct error *err =
		array_reserve(&object->unpacked, &object->cap_unpacked, object->num_unpacked + 1);
	if (!err)
		err = packed_section_unpack(&object->image, section,
					    &object->unpacked[object->num_unpacked].data,
					    &object->unpacked[object->num_unpacked].size);
	if (err)
		return err;
	object->unpacked[object->num_unpacked].section = section;
	*ret = &object->unpacked[object->num_unpacked++];
	return NULL;
}

static struct object_bytes section_bytes(struct elf_object *object, const char *name)
{
	const struct elf_section *section = elf_image_find_section(&object->image, name);
	if (!section)
		return (struct object_bytes){0};
	if (!(section->flags & SHF_COMPRESSED))
		return elf_image_bytes(&object->image, section);
	const struct unpacked_section *unpacked;
	struct error *err = unpack_once(object, section, &unpacked);
	if (err) { // what cannot be unpacked is as good as not there
		error_destroy(err);
		return (struct object_bytes){0};
	}
	return (struct object_bytes){unpacked->data, unpacked->size, section->address};
}

static struct object_bytes elf_object_section(struct object *base, const char *name)
{
	return section_bytes((struct elf_object *)base, name);
}

static bool elf_object_find_function(struct object *base, uint64_t address, uint64_t *ret_start,
				     uint64_t *ret_end)
{
	const struct object_bytes header = elf_object_section(base, ".eh_frame_hdr");
	const struct object_bytes frames = elf_object_section(base, ".eh_frame");
	return frame_header_find(&header, &frames, address, ret_start, ret_end);
}

static bool elf_object_next_function(struct object *base, uint64_t address, uint64_t *ret_start,
				     uint64_t *ret_end)
{
	const struct object_bytes header = elf_object_section(base, ".eh_frame_hdr");
	const struct object_bytes frames = elf_object_section(base, ".eh_frame");
	return frame_header_next(&header, &frames, address, ret_start, ret_end);
}

static struct object_bytes elf_object_code(struct object *base, uint64_t address, size_t size)
{
	// A segment may be larger in memory than in the file, and than the file itself if that was
	// cut.
	const struct elf_image *image = &((struct elf_object *)base)->image;
	const struct elf_segment *segment = elf_image_find_segment(image, address);
	if (!segment || segment->offset > image->size)
		return (struct object_bytes){0};
	uint64_t start = address - segment->address;
	uint64_t end = segment->size;
	if (end > image->size - segment->offset)
		end = image->size - segment->offset;
	if (start >= end)
		return (struct object_bytes){0};
	size_t left = end - start;
	return (struct object_bytes){
		.data = image->data + segment->offset + start,
		.size = size < left ? size : left,
		.address = address,
	};
}

static const struct object_ops elf_object_ops = {
	.destroy = elf_object_destroy,
	.machine = elf_object_machine,
	.entry = elf_object_entry,
	.build_id = elf_object_build_id,
	.offset_to_address = elf_object_offset_to_address,
	.address_to_offset = elf_object_address_to_offset,
	.symbols = elf_object_symbols,
	.find_symbol = elf_object_find_symbol,
	.find_variable = elf_object_find_variable,
	.find_named_function = elf_object_find_named_function,
	.find_global_function = elf_object_find_global_function,
	.find_lines = elf_object_find_lines,
	.section = elf_object_section,
	.find_function = elf_object_find_function,
	.next_function = elf_object_next_function,
	.code = elf_object_code,
	.symbol_origin = elf_object_symbol_origin,
};
