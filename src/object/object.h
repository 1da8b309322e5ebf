/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_OBJECT_H
#define WPERF_OBJECT_OBJECT_H

/**
 * A file with machine code, without any process: what is at an address of it. Addresses are those
 * of its own symbols ("relative to the image"), not of a process.
 *
 * Opening reads headers only. Symbols are read and sorted at the first question for one, lines at
 * the first question for a line; both stay. All that is returned belongs to the object.
 */

#include "base/error.h"
#include "object/object_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object;

struct file_rights;
struct read_budget;
struct symbol_path;

/** Where what belongs to an object is looked for, besides where it says itself. */
struct object_places {
	/** The folder below which "/usr/lib/debug" is looked for, "" for this machine's. */
	const char *debug_root;
	/** Of PDBs, or NULL: only beside images and where their linker wrote them. It must outlive
	 *  the object. */
	struct symbol_path *symbol_path;
	/** The user named the object itself: it may be a pipe, and on another machine. */
	bool is_named_by_user;
	/** The user named the folder `debug_root` that its path begins with: it may be on another
	 *  machine, and what is in it is read with our own rights. */
	bool is_below_users_folder;
	/** The path is the kernel's link to what a process has mapped: it is opened with our own
	 *  rights, but what belongs to it is not. */
	bool is_kernels_link;
	/** Whose rights files are opened with, and in which root folder (base/file/file_rights.h);
	 * copied, its root folder must outlive the object. NULL: our own. */
	const struct file_rights *rights;
	/** Of all objects of a run (object/unpack/read_budget.h), or NULL: the object has its own.
	 * It must outlive the object. */
	struct read_budget *budget;
};

/**
 * @path: the file to read, which a program or a recording may have named
 * (base/file/foreign_file.h). A file that is no object is ERROR_FAILED with what is wrong with it.
 */
struct error *object_open_with(const char *path, const struct object_places *places,
			       struct object **ret);

/**
 * @path: the file to read. @debug_root: the folder below which "/usr/lib/debug" is looked for,
 * "" for this machine's. As object_open_with() for all else.
 */
struct error *object_open(const char *path, const char *debug_root, struct object **ret);

/** The same of bytes in memory (a vdso, an image of a test); they stay the caller's. No other file
 *  is looked for: not the PDB of a Windows image either. */
struct error *object_open_memory(const void *data, size_t size, const char *name,
				 struct object **ret);

void object_destroy(struct object *object); /* NULL is fine */
static inline void object_destroyp(struct object **object)
{
	object_destroy(*object);
}

/** Which file was opened, on Linux: 0 and 0 where that is not known. */
struct object_file_id {
	uint64_t inode;
	uint32_t generation;
};
struct object_file_id object_file_id(const struct object *object);

/** How large it is. */
uint64_t object_file_bytes(const struct object *object);

/** Of most of its code, where it has code for two. */
enum object_machine object_machine(const struct object *object);

/** Of the code at an address. */
enum object_machine object_machine_at(const struct object *object, uint64_t address);

/** By address, none within another. @ret_num: 0 for a file with code for one machine. */
const struct object_code_range *object_code_ranges(const struct object *object, size_t *ret_num);

/** The table of a Windows image that says how functions for a machine are left; or empty. */
struct object_bytes object_function_table(const struct object *object, enum object_machine machine);

/** The function around an address, by that table or, in ELF files, by .eh_frame: stripped files
 * have it, too. False where it has none, as leaf functions of x64. */
bool object_find_function(struct object *object, uint64_t address, uint64_t *ret_start,
			  uint64_t *ret_end);

/** The first function of the same tables that starts at @address or after it: to list all
 * functions, begin with 0 and go on with the last start + 1. False: there are no more. */
bool object_next_function(struct object *object, uint64_t address, uint64_t *ret_start,
			  uint64_t *ret_end);

/** What pointers in its data have more than addresses here: where a Windows image is linked to be.
 */
uint64_t object_base(const struct object *object);

/** Is it made for Windows? There `long` has 32 bits. */
bool object_is_windows(const struct object *object);

/** The address at which it begins to run, as it is linked; 0 if it does not run by itself. */
uint64_t object_entry(const struct object *object);

/** 0 if it has none, else the number of its bytes, at most 20. */
size_t object_build_id(const struct object *object, uint8_t ret[20]);

/** What identifies a Windows image and its PDB; false for other files. @ret: its name is the
 *  object's. */
bool object_find_pdb(const struct object *object, struct object_pdb *ret);

/** The address of the byte at @file_offset, by the segment that is loaded from there. */
bool object_offset_to_address(const struct object *object, uint64_t file_offset, uint64_t *ret);

/** The reverse: false if no byte of the file is loaded to this address. */
bool object_address_to_offset(const struct object *object, uint64_t address, uint64_t *ret);

/** The same; false also if what is loaded there is no code. */
bool object_code_offset(const struct object *object, uint64_t address, uint64_t *ret);

/**
 * Functions, sorted by address, no two at the same address. Empty if it is stripped. Calls to
 * other objects go through stubs, which are functions named "memcpy@plt".
 */
struct error *object_symbols(struct object *object, const struct object_symbol **ret,
			     size_t *ret_num);

/** The function around an address, or NULL (also for an address between functions). */
struct error *object_find_symbol(struct object *object, uint64_t address,
				 const struct object_symbol **ret);

/** A variable by its name, from the symbol tables of the file itself. False if there is none. */
bool object_find_variable(const struct object *object, const char *name,
			  struct object_variable *ret);

/**
 * A function by any of its names, from the symbol tables of the file, then of its debug file.
 * @ret_found: false if there is none, or the file is not ELF.
 */
struct error *object_find_named_function(struct object *object, const char *name,
					 struct object_function *ret, bool *ret_found);

/**
 * A function by its name to which the dynamic linker can bind calls from other files; of a program
 * also one to which all of its own parts were bound. No other file is looked for. False if there is
 * none, or the file is not ELF.
 */
bool object_find_global_function(const struct object *object, const char *name, bool is_program,
				 struct object_function *ret);

/**
 * The lines of an address: innermost first, so that the last one is of the function that the
 * symbol table names. @ret_num is 0 without debug information, and for files that are not linked.
 * Of code without a function in the debug information (assembly) there is one line, without it.
 */
struct error *object_find_lines(struct object *object, uint64_t address,
				const struct object_line **ret, size_t *ret_num);

/** A section by name; empty if there is none or it has no bytes in the file. Decompressed. */
struct object_bytes object_section(struct object *object, const char *name);

/** The code from @address on, at most @size bytes; less at the end of the segment. */
struct object_bytes object_code(struct object *object, uint64_t address, size_t size);

/**
 * Where the names came from: "symtab", "dynsym", "debug file /usr/lib/debug/...", "PDB PATH",
 * "exports", "none"; of a Windows image without its PDB ", because " and why follow.
 */
const char *object_symbol_origin(struct object *object);

#endif
