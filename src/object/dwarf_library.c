// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf_library.h"

#include "base/array.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct function_row {
	const char *name;
	size_t offset; // of the member
};

#define ROW(function) {#function, offsetof(struct dwarf_library, function)},
static const struct function_row libelf_functions[] = {DWARF_LIBRARY_LIBELF(ROW)};
static const struct function_row libdw_functions[] = {DWARF_LIBRARY_LIBDW(ROW)};
#undef ROW

static bool load(struct dwarf_library *library, const char *name,
		 const struct function_row *functions, size_t num_functions, void **ret_handle)
{
	*ret_handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; *ret_handle && i < num_functions; i++) {
		void *function = dlsym(*ret_handle, functions[i].name);
		if (!function)
			return false;
		memcpy((char *)library + functions[i].offset, &function, sizeof(function));
	}
	return *ret_handle;
}

struct error *dwarf_library_load(struct dwarf_library *library)
{
	_cleanup_(dwarf_library_unload) struct dwarf_library loaded = DWARF_LIBRARY_INIT;
	if (!load(&loaded, "libelf.so.1", libelf_functions, ARRAY_SIZE(libelf_functions),
		  &loaded.libelf) ||
	    !load(&loaded, "libdw.so.1", libdw_functions, ARRAY_SIZE(libdw_functions),
		  &loaded.libdw) ||
	    loaded.elf_version(EV_CURRENT) == EV_NONE)
		return error_with_hint(error_create(ERROR_FAILED,
						    "lines cannot be read without libdw.so.1"),
				       "install the package libdw1");
	*library = loaded;
	loaded = (struct dwarf_library)DWARF_LIBRARY_INIT;
	return NULL;
}

void dwarf_library_unload(struct dwarf_library *library)
{
	if (library->libdw)
		dlclose(library->libdw);
	if (library->libelf)
		dlclose(library->libelf);
	*library = (struct dwarf_library)DWARF_LIBRARY_INIT;
}
