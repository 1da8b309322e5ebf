// SPDX-License-Identifier: Apache-2.0
// For programs that are linked statically: what they load would have to fit their C library.

#include "source/bpf/bpf_library.h"

struct error *bpf_library_load(struct bpf_library *library)
{
	*library = (struct bpf_library){
#define MEMBER(function) .function = function,
		BPF_LIBRARY_FUNCTIONS(MEMBER)
#undef MEMBER
	};
	return NULL;
}

void bpf_library_unload(struct bpf_library *library)
{
	*library = (struct bpf_library)BPF_LIBRARY_INIT;
}
