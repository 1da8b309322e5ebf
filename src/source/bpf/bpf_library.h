/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_BPF_LIBRARY_H
#define WPERF_SOURCE_BPF_BPF_LIBRARY_H

/**
 * The functions of libbpf, which is loaded when a BPF program is needed: other commands do not wait
 * for the library, and everything else works without it.
 */

#include "base/error.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdbool.h>

/** Each member has the name and the type of its function. */
#define BPF_LIBRARY_FUNCTIONS(X)               \
	X(libbpf_set_print)                    \
	X(libbpf_num_possible_cpus)            \
	X(bpf_object__open_mem)                \
	X(bpf_object__load)                    \
	X(bpf_object__close)                   \
	X(bpf_object__find_map_by_name)        \
	X(bpf_object__find_program_by_name)    \
	X(bpf_map__fd)                         \
	X(bpf_map__set_max_entries)            \
	X(bpf_map__set_autocreate)             \
	X(bpf_program__set_autoload)           \
	X(bpf_program__fd)                     \
	X(bpf_program__attach)                 \
	X(bpf_program__attach_perf_event_opts) \
	X(bpf_program__attach_kprobe)          \
	X(bpf_link__destroy)                   \
	X(bpf_link_create)                     \
	X(bpf_map_update_elem)                 \
	X(bpf_map_delete_elem)                 \
	X(bpf_map_lookup_elem)                 \
	X(bpf_map_lookup_and_delete_elem)      \
	X(bpf_map_get_next_key)

struct bpf_library {
	void *handle;   /* NULL: not loaded */
	bool is_silent; /* it prints nothing until it is unloaded */
#define BPF_LIBRARY_MEMBER(function) __typeof__(&(function)) function;
	BPF_LIBRARY_FUNCTIONS(BPF_LIBRARY_MEMBER)
#undef BPF_LIBRARY_MEMBER
};

#define BPF_LIBRARY_INIT \
	{                \
	}

/** The error says which package to install. */
struct error *bpf_library_load(struct bpf_library *library);

/** Accepts BPF_LIBRARY_INIT. */
void bpf_library_unload(struct bpf_library *library);

#endif
