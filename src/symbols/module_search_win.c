// SPDX-License-Identifier: Apache-2.0

#include "symbols/module_search.h"

// A file that is mapped as an image can neither be written to nor removed.
bool module_search_is_mapped(const struct module_search *search, const struct object *object)
{
	return true;
}

static struct error *search_plain_path(struct module_search *search)
{
	return module_search_try(search, &(struct module_candidate){.path = search->path,
								    .debug_root = ""});
}

const struct module_search_place module_search_places[] = {
	{search_plain_path, false},
	{NULL, false},
};
