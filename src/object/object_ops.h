/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_OBJECT_OPS_H
#define WPERF_OBJECT_OBJECT_OPS_H

/**
 * What each format of files with machine code can do, as object.h says it.
 *
 * To add a format: 1) its own struct, with a struct object first; 2) its operations; 3) a row in
 * object.c.
 */

#include "base/file/file_map.h"
#include "object/object.h"

/** Those with NULL behind them may be left out: a format without code has nothing there. */
struct object_ops {
	bool is_windows;
	void (*destroy)(struct object *object);
	enum object_machine (*machine)(const struct object *object);
	/* NULL */
	enum object_machine (*machine_at)(const struct object *object, uint64_t address);
	const struct object_code_range *(*code_ranges)(const struct object *object,
						       size_t *ret_num); /* NULL */
	struct object_bytes (*function_table)(const struct object *object,
					      enum object_machine machine); /* NULL */
	/* NULL */
	bool (*find_function)(struct object *object, uint64_t address, uint64_t *ret_start,
			      uint64_t *ret_end);
	/* NULL */
	bool (*next_function)(struct object *object, uint64_t address, uint64_t *ret_start,
			      uint64_t *ret_end);
	uint64_t (*base)(const struct object *object);  /* NULL */
	uint64_t (*entry)(const struct object *object); /* NULL */
	size_t (*build_id)(const struct object *object, uint8_t ret[20]);
	bool (*find_pdb)(const struct object *object, struct object_pdb *ret); /* NULL */
	/* NULL */
	bool (*offset_to_address)(const struct object *object, uint64_t file_offset, uint64_t *ret);
	/* NULL */
	bool (*address_to_offset)(const struct object *object, uint64_t address, bool only_code,
				  uint64_t *ret);
	struct error *(*symbols)(struct object *object, const struct object_symbol **ret,
				 size_t *ret_num);
	struct error *(*find_symbol)(struct object *object, uint64_t address,
				     const struct object_symbol **ret);
	bool (*find_variable)(const struct object *object, const char *name,
			      struct object_variable *ret); /* NULL */
	/* NULL */
	struct error *(*find_named_function)(struct object *object, const char *name,
					     struct object_function *ret, bool *ret_found);
	/* NULL */
	bool (*find_global_function)(const struct object *object, const char *name, bool is_program,
				     struct object_function *ret);
	struct error *(*find_lines)(struct object *object, uint64_t address,
				    const struct object_line **ret, size_t *ret_num);
	struct object_bytes (*section)(struct object *object, const char *name); /* NULL */
	struct object_bytes (*code)(struct object *object, uint64_t address,
				    size_t size); /* NULL */
	const char *(*symbol_origin)(struct object *object);
};

struct object {
	const struct object_ops *ops;
	struct file_map map; /* what it was opened from; empty if the bytes are the caller's */
};

/** What an object is made of. */
struct object_input {
	const void *data;
	size_t size;
	const char *name;
	bool is_file; /* the name is its path */
	const struct object_places *places;
};

/** Each of the formats. The bytes and what they are mapped from stay the caller's. */
struct error *elf_object_create(const struct object_input *input, struct object **ret);
struct error *pe_object_create(const struct object_input *input, struct object **ret);
struct error *pdb_object_create(const struct object_input *input, struct object **ret);

#endif
