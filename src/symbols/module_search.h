/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_MODULE_SEARCH_H
#define WPERF_SYMBOLS_MODULE_SEARCH_H

/** How module_file.c looks for a file, and the places that only one system has. */

#include "symbols/module_file.h"

#define MODULE_SEARCH_DELETED " (deleted)"

/** A search that goes on; it is over when there is an object. */
struct module_search {
	const struct module_file_search *wanted;
	const struct module *module;
	char *path;      /* as mapped, without the mark of a deleted file */
	bool is_windows; /* "C:\a.dll": from there, or we are there */
	bool was_deleted;
	bool has_rights;
	struct file_rights rights; /* of the module's process */
	struct object *object;
	struct error *refusal; /* of the first file that was there but cannot be read */
	bool has_changed;
};

/** Where a file is tried. */
struct module_candidate {
	const char *path;
	const char *debug_root;
	bool is_copy; /* below a sysroot: that it is the same file, only its build id can say */
	bool is_kernels_link;             /* see struct object_places */
	const struct file_rights *rights; /* the same */
};

/** NULL: our own. */
const struct file_rights *module_search_rights(const struct module_search *search);

struct error *module_search_try(struct module_search *search,
				const struct module_candidate *candidate);

/** Is it the file that was mapped, as far as this system can say without a build id? */
bool module_search_is_mapped(const struct module_search *search, const struct object *object);

struct module_search_place {
	struct error *(*search)(struct module_search *search);
	bool needs_process; /* that the process runs here */
};

/** Of this system, in their order; ends with NULL. */
extern const struct module_search_place module_search_places[];

#endif
