/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_MODULE_TABLE_H
#define WPERF_PROCESS_MODULE_TABLE_H

/**
 * Modules: everything that contains code, each once. These are mapped files, the kernel, the vdso,
 * and the memory of each process with code that was generated at run time.
 */

#include "base/container/arena.h"
#include "base/container/hash_table.h"
#include "base/error.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum module_kind {
	MODULE_FILE,     /* address of a frame: offset in the file */
	MODULE_KERNEL,   /* ... absolute; the kernel's modules are distinguished by its symbols */
	MODULE_VDSO,     /* ... offset in the image */
	MODULE_MEMORY,   /* ... absolute: generated code, perhaps in a perf map of its process */
	MODULE_UNMAPPED, /* ... absolute: no known mapping */
	MODULE_KERNEL_IMAGE, /* ... offset in the file: Windows' kernel, and each of its drivers */
};

enum { MODULE_NONE = UINT32_MAX };

struct module {
	enum module_kind kind;
	/** Of a file: a Windows image that was mapped as a whole. Addresses of its frames are RVAs,
	 *  relative to its base; offsets in the file cannot be known without its sections. */
	bool is_image;
	/** Addresses of its frames are those of its symbols already, as in a profile with names. */
	bool has_addresses;
	const char *path; /* as mapped; "" for MODULE_KERNEL and _UNMAPPED */
	uint32_t pid;     /* of MODULE_MEMORY and _UNMAPPED; else a process that mapped it */
	uint32_t major, minor;
	uint64_t inode, inode_generation;
	struct record_build_id build_id;
};

struct module_table {
	struct arena arena;
	struct hash_table index;
	struct module *items;
	size_t num_items, cap_items;
};

#define MODULE_TABLE_INIT \
	{                 \
	}

/** Does it belong to a single process? */
bool module_is_of_process(const struct module *module);

/** Is it a file with a path? */
bool module_is_file(const struct module *module);

/** Are the addresses of its frames offsets, which do not depend on the mapping? */
bool module_has_offsets(const struct module *module);

/** Is it part of the kernel? */
bool module_is_of_kernel(const struct module *module);

/** Is it the same code? The process counts only for MODULE_MEMORY and _UNMAPPED. */
bool module_is_same(const struct module *a, const struct module *b);

/** The same module gets the same number. Its path is copied. */
struct error *module_table_intern(struct module_table *table, const struct module *module,
				  uint32_t *ret);

/** The module of a map record, by the form of its path. */
struct error *module_table_intern_map(struct module_table *table, const struct record *record,
				      uint32_t *ret);

void module_table_deinit(struct module_table *table);

#endif
