// SPDX-License-Identifier: Apache-2.0

#include "object/object.h"

#include "base/container/array.h"
#include "base/file/foreign_file.h"
#include "object/object_ops.h"
#include "object/pdb/msf_file.h"
#include "object/pe/pe_image.h"

#include <string.h>

// The format is told by the first bytes, by the table of formats. A format leaves out the
// operations that mean nothing for it; what they would answer is said here, so that no format has
// functions which only say "none". All readers point into the mapped file, so that it stays mapped
// until the object is destroyed.

/** What is none of these is taken for ELF, whose reader says what is wrong. */
static const struct {
	bool (*is)(const void *data, size_t size);
	struct error *(*create)(const struct object_input *input, struct object **ret);
} formats[] = {
	{pe_image_is, pe_object_create},
	{msf_file_is, pdb_object_create},
};

static struct error *object_create(const struct object_input *input, struct object **ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i].is(input->data, input->size))
			return formats[i].create(input, ret);
	return elf_object_create(input, ret);
}

struct error *object_open_with(const char *path, const struct object_places *places,
			       struct object **ret)
{
	const struct foreign_file_rules rules = {
		.max_size = FOREIGN_FILE_MAX_CODE,
		.may_be_remote = places->is_below_users_folder,
		.root_length = places->is_below_users_folder ? strlen(places->debug_root) : 0,
		.rights = places->is_kernels_link ? NULL : places->rights,
	};
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = places->is_named_by_user ? file_map_open(&map, path)
						     : foreign_file_open(&map, path, &rules);
	if (err)
		return err;
	const struct object_input input = {
		.data = map.size ? map.data : "",
		.size = map.size,
		.name = path,
		.is_file = true,
		.places = places,
	};
	struct object *object;
	err = object_create(&input, &object);
	if (err)
		return err;
	object->map = map;
	map = (struct file_map)FILE_MAP_INIT;
	*ret = object;
	return NULL;
}

struct error *object_open(const char *path, const char *debug_root, struct object **ret)
{
	return object_open_with(path, &(struct object_places){.debug_root = debug_root}, ret);
}

struct error *object_open_memory(const void *data, size_t size, const char *name,
				 struct object **ret)
{
	const struct object_places places = {.debug_root = ""};
	const struct object_input input = {
		.data = data,
		.size = size,
		.name = name,
		.places = &places,
	};
	return object_create(&input, ret);
}

void object_destroy(struct object *object)
{
	if (!object)
		return;
	// The object, which is freed first, may use the map to its end.
	struct file_map map = object->map;
	object->ops->destroy(object);
	file_map_close(&map);
}

struct object_file_id object_file_id(const struct object *object)
{
	return (struct object_file_id){object->map.inode, object->map.generation};
}

uint64_t object_file_bytes(const struct object *object)
{
	return object->map.size;
}

bool object_is_windows(const struct object *object)
{
	return object->ops->is_windows;
}

enum object_machine object_machine(const struct object *object)
{
	return object->ops->machine(object);
}

enum object_machine object_machine_at(const struct object *object, uint64_t address)
{
	return object->ops->machine_at ? object->ops->machine_at(object, address)
				       : object_machine(object);
}

const struct object_code_range *object_code_ranges(const struct object *object, size_t *ret_num)
{
	*ret_num = 0;
	return object->ops->code_ranges ? object->ops->code_ranges(object, ret_num) : NULL;
}

struct object_bytes object_function_table(const struct object *object, enum object_machine machine)
{
	return object->ops->function_table ? object->ops->function_table(object, machine)
					   : (struct object_bytes){0};
}

bool object_find_function(struct object *object, uint64_t address, uint64_t *ret_start,
			  uint64_t *ret_end)
{
	return object->ops->find_function &&
	       object->ops->find_function(object, address, ret_start, ret_end);
}

bool object_next_function(struct object *object, uint64_t address, uint64_t *ret_start,
			  uint64_t *ret_end)
{
	return object->ops->next_function &&
	       object->ops->next_function(object, address, ret_start, ret_end);
}

uint64_t object_base(const struct object *object)
{
	return object->ops->base ? object->ops->base(object) : 0;
}

uint64_t object_entry(const struct object *object)
{
	return object->ops->entry ? object->ops->entry(object) : 0;
}

size_t object_build_id(const struct object *object, uint8_t ret[20])
{
	return object->ops->build_id(object, ret);
}

bool object_find_pdb(const struct object *object, struct object_pdb *ret)
{
	return object->ops->find_pdb && object->ops->find_pdb(object, ret);
}

bool object_offset_to_address(const struct object *object, uint64_t file_offset, uint64_t *ret)
{
	return object->ops->offset_to_address &&
	       object->ops->offset_to_address(object, file_offset, ret);
}

bool object_address_to_offset(const struct object *object, uint64_t address, uint64_t *ret)
{
	return object->ops->address_to_offset &&
	       object->ops->address_to_offset(object, address, false, ret);
}

bool object_code_offset(const struct object *object, uint64_t address, uint64_t *ret)
{
	return object->ops->address_to_offset &&
	       object->ops->address_to_offset(object, address, true, ret);
}

struct error *object_symbols(struct object *object, const struct object_symbol **ret,
			     size_t *ret_num)
{
	return object->ops->symbols(object, ret, ret_num);
}

struct error *object_find_symbol(struct object *object, uint64_t address,
				 const struct object_symbol **ret)
{
	return object->ops->find_symbol(object, address, ret);
}

bool object_find_variable(const struct object *object, const char *name,
			  struct object_variable *ret)
{
	return object->ops->find_variable && object->ops->find_variable(object, name, ret);
}

struct error *object_find_named_function(struct object *object, const char *name,
					 struct object_function *ret, bool *ret_found)
{
	*ret_found = false;
	return object->ops->find_named_function
		       ? object->ops->find_named_function(object, name, ret, ret_found)
		       : NULL;
}

bool object_find_global_function(const struct object *object, const char *name, bool is_program,
				 struct object_function *ret)
{
	return object->ops->find_global_function &&
	       object->ops->find_global_function(object, name, is_program, ret);
}

struct error *object_find_lines(struct object *object, uint64_t address,
				const struct object_line **ret, size_t *ret_num)
{
	return object->ops->find_lines(object, address, ret, ret_num);
}

struct object_bytes object_section(struct object *object, const char *name)
{
	return object->ops->section ? object->ops->section(object, name) : (struct object_bytes){0};
}

struct object_bytes object_code(struct object *object, uint64_t address, size_t size)
{
	return object->ops->code ? object->ops->code(object, address, size)
				 : (struct object_bytes){0};
}

const char *object_symbol_origin(struct object *object)
{
	return object->ops->symbol_origin(object);
}
