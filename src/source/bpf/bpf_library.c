// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_library.h"

#include "base/container/array.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	size_t offset; // of the member
} functions[] = {
#define ROW(function) {#function, offsetof(struct bpf_library, function)},
	BPF_LIBRARY_FUNCTIONS(ROW)
#undef ROW
};

static struct error *bpf_library_refuse(void)
{
	return error_with_hint(
		error_create(ERROR_FAILED,
			     "libbpf.so.1 is missing, which loads programs into the kernel"),
		"install the package libbpf1");
}

struct error *bpf_library_load(struct bpf_library *library)
{
	_cleanup_(bpf_library_unload) struct bpf_library loaded = BPF_LIBRARY_INIT;
	loaded.handle = dlopen("libbpf.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!loaded.handle)
		return bpf_library_refuse();
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *function = dlsym(loaded.handle, functions[i].name);
		if (!function)
			return bpf_library_refuse();
		memcpy((char *)&loaded + functions[i].offset, &function, sizeof(function));
	}
	*library = loaded;
	loaded = (struct bpf_library)BPF_LIBRARY_INIT;
	return NULL;
}

void bpf_library_unload(struct bpf_library *library)
{
	if (library->handle)
		dlclose(library->handle);
	*library = (struct bpf_library)BPF_LIBRARY_INIT;
}
