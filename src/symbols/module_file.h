/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_MODULE_FILE_H
#define WPERF_SYMBOLS_MODULE_FILE_H

/**
 * The file that a module was mapped from, wherever it is now: below a sysroot, in the folders that
 * its process saw, still held open by it though deleted, or at its path. A file by the same name
 * that is another one since (by build id, else by inode) is not taken. What was recorded on Windows
 * ("C:\Tools\a.dll") is looked for below a sysroot without its drive, and by its name alone.
 */

#include "base/error.h"
#include "object/object.h"
#include "process/module_table.h"
#include "process/process_users.h"

#include <stdbool.h>
#include <stdint.h>

struct module_file_search {
	const char *sysroots;            /* ":" between them, on Windows ";"; or NULL */
	struct symbol_path *symbol_path; /* of PDBs, as in struct object_places; or NULL */
	struct read_budget *budget;      /* as there; or NULL */
	bool are_processes_here;
	/** Whose rights files are opened with, and in which root folder: by `users` those of the
	 *  process that mapped them, else `rights`, else our own. The root folders must outlive the
	 *  objects. Folders of `sysroots` are read with our own rights. */
	const struct process_users *users;
	const struct file_rights *rights;
	/** What the recording knows of the module, if it is a Windows image: it makes up for a
	 *  module without a build id. NULL: nothing. */
	const struct object_pdb *image;
};

/** What an error says is why the module has no names. */
struct error *module_file_open(const struct module_file_search *search, const struct module *module,
			       struct object **ret);

/** Where a frame of @module is among the symbols of its file. @place: as the module's kind says. */
bool module_file_address(const struct module *module, const struct object *object, uint64_t place,
			 uint64_t *ret);

#endif
