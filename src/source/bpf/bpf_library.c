// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_library.h"

#include "base/container/array.h"
#include "base/os/shared_library.h"
#include "base/thread/library_lock.h"

#include <stddef.h>

// libbpf prints what goes wrong, with one function for all of the process, which may be somebody
// else's. Errors are ours to tell: as long as anybody has loaded the library here, it prints
// nothing.
static struct {
	size_t num_users;
	libbpf_print_fn_t before;
} silence; // of whoever has the lock

static void silence_begin(const struct bpf_library *library)
{
	library_lock();
	if (!silence.num_users++)
		silence.before = library->libbpf_set_print(NULL);
	library_unlock();
}

static void silence_end(const struct bpf_library *library)
{
	library_lock();
	if (!--silence.num_users)
		library->libbpf_set_print(silence.before);
	library_unlock();
}

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
		"%s", shared_library_hint("install the package libbpf1"));
}

struct error *bpf_library_load(struct bpf_library *library)
{
	_cleanup_(bpf_library_unload) struct bpf_library loaded = BPF_LIBRARY_INIT;
	loaded.handle = shared_library_open("libbpf.so.1");
	if (!loaded.handle)
		return bpf_library_refuse();
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (!shared_library_find(loaded.handle, functions[i].name,
					 (char *)&loaded + functions[i].offset))
			return bpf_library_refuse();
	silence_begin(&loaded);
	loaded.is_silent = true;
	*library = loaded;
	loaded = (struct bpf_library)BPF_LIBRARY_INIT;
	return NULL;
}

void bpf_library_unload(struct bpf_library *library)
{
	if (library->is_silent)
		silence_end(library);
	shared_library_close(library->handle);
	*library = (struct bpf_library)BPF_LIBRARY_INIT;
}
