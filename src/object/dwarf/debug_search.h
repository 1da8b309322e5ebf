/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DEBUG_SEARCH_H
#define WPERF_OBJECT_DWARF_DEBUG_SEARCH_H

/** How files that belong to an object are opened: what an object keeps of its object_places. */

#include "base/file/foreign_file.h"
#include "object/object.h"

struct debug_search {
	char *root;           /* the folder below which "/usr/lib/debug" is looked for */
	bool is_users_folder; /* the user named it */
	bool has_rights;
	struct file_rights rights;
};

struct error *debug_search_init(struct debug_search *search, const struct object_places *places);
void debug_search_deinit(struct debug_search *search);

/** For a file that the object names or that is beside it: with the rights of the object's user,
 *  below a folder of the user's with our own. */
struct foreign_file_rules debug_search_rules(const struct debug_search *search, const char *path);

#endif
