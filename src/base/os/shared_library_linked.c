// SPDX-License-Identifier: Apache-2.0

#include "base/os/shared_library.h"

#include "base/container/array.h"

#include <string.h>

// For wperf-static, which runs on any Linux: a library of the machine would have to fit its C
// library. A library that has rows here is linked in. The table names each function that somebody
// looks for: one that is missing makes its whole library missing to the user. The program's own
// copy of these functions takes precedence over that of the archive of this room.

#define LINKED_FUNCTIONS(X)                                   \
	X("libbpf.so.1", libbpf_set_print)                    \
	X("libbpf.so.1", libbpf_num_possible_cpus)            \
	X("libbpf.so.1", bpf_object__open_mem)                \
	X("libbpf.so.1", bpf_object__load)                    \
	X("libbpf.so.1", bpf_object__close)                   \
	X("libbpf.so.1", bpf_object__find_map_by_name)        \
	X("libbpf.so.1", bpf_object__find_program_by_name)    \
	X("libbpf.so.1", bpf_map__fd)                         \
	X("libbpf.so.1", bpf_map__set_max_entries)            \
	X("libbpf.so.1", bpf_map__set_autocreate)             \
	X("libbpf.so.1", bpf_program__set_autoload)           \
	X("libbpf.so.1", bpf_program__fd)                     \
	X("libbpf.so.1", bpf_program__attach)                 \
	X("libbpf.so.1", bpf_program__attach_perf_event_opts) \
	X("libbpf.so.1", bpf_program__attach_kprobe)          \
	X("libbpf.so.1", bpf_link__destroy)                   \
	X("libbpf.so.1", bpf_link_create)                     \
	X("libbpf.so.1", bpf_map_update_elem)                 \
	X("libbpf.so.1", bpf_map_delete_elem)                 \
	X("libbpf.so.1", bpf_map_lookup_elem)                 \
	X("libbpf.so.1", bpf_map_lookup_and_delete_elem)      \
	X("libbpf.so.1", bpf_map_get_next_key)                \
	X("liblzma.so.5", lzma_stream_buffer_decode)          \
	LINKED_PFM_FUNCTIONS(X)

// Its tables are about the CPUs of x86 only.
#ifdef __x86_64__
#define LINKED_PFM_FUNCTIONS(X)                   \
	X("libpfm.so.4", pfm_initialize)          \
	X("libpfm.so.4", pfm_get_pmu_info)        \
	X("libpfm.so.4", pfm_get_event_info)      \
	X("libpfm.so.4", pfm_get_event_next)      \
	X("libpfm.so.4", pfm_get_event_attr_info) \
	X("libpfm.so.4", pfm_get_os_event_encoding)
#else
#define LINKED_PFM_FUNCTIONS(X)
#endif

// Only their addresses are used here; who calls them knows their types.
#define DECLARE(library, function) void function(void);
LINKED_FUNCTIONS(DECLARE)
#undef DECLARE

static const struct linked_function {
	const char *library;
	const char *name;
	void (*address)(void);
} linked_functions[] = {
#define ROW(library, function) {library, #function, function},
	LINKED_FUNCTIONS(ROW)
#undef ROW
};

/** The first row of a library stands for it. */
void *shared_library_open(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(linked_functions); i++)
		if (strcmp(linked_functions[i].library, name) == 0)
			return (void *)&linked_functions[i];
	return NULL;
}

bool shared_library_find(void *library, const char *function, void *ret)
{
	const struct linked_function *first = library;
	memset(ret, 0, sizeof(first->address));
	for (size_t i = 0; i < ARRAY_SIZE(linked_functions); i++)
		if (strcmp(linked_functions[i].library, first->library) == 0 &&
		    strcmp(linked_functions[i].name, function) == 0) {
			memcpy(ret, &linked_functions[i].address, sizeof(first->address));
			return true;
		}
	return false;
}

void shared_library_close(void *library)
{
}

const char *shared_library_hint(const char *install)
{
	return "this is wperf-static, which loads no libraries: use the package of wperf for your "
	       "system, or build it there";
}
