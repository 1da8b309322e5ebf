// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/debug_search.h"

#include <stdlib.h>
#include <string.h>

// Debug files are looked for at the first question for a symbol or line, long after the object was
// opened. The places are the caller's and may be gone by then, so that what is needed is copied.

struct error *debug_search_init(struct debug_search *search, const struct object_places *places)
{
	*search = (struct debug_search){
		.root = strdup(places->debug_root),
		.is_users_folder = places->is_below_users_folder,
		.has_rights = places->rights,
	};
	if (places->rights)
		search->rights = *places->rights;
	return search->root ? NULL : &error_no_memory;
}

void debug_search_deinit(struct debug_search *search)
{
	free(search->root);
	*search = (struct debug_search){0};
}

struct foreign_file_rules debug_search_rules(const struct debug_search *search, const char *path)
{
	size_t length = search->is_users_folder ? strlen(search->root) : 0;
	return (struct foreign_file_rules){
		.max_size = FOREIGN_FILE_MAX_CODE,
		.root_length = length && strncmp(path, search->root, length) == 0 ? length : 0,
		.rights = search->has_rights ? &search->rights : NULL,
	};
}
