// SPDX-License-Identifier: Apache-2.0
// For builds without clang or libbpf's headers, and for other CPUs than x86-64 and AArch64.

#include "source/bpf/bpf_walker.h"

#include "source/kernel_walk.h"

const struct kernel_walk_program bpf_walker_without_frames = {NULL, 0};

struct error *bpf_walker_create(const struct kernel_walk_program *program,
				enum bpf_walker_site site, struct bpf_walker **ret)
{
	return error_with_hint(
		error_create(ERROR_FAILED, "this wperf was built without BPF"),
		"build it for x86-64 or AArch64, with clang and libbpf-dev installed");
}

void bpf_walker_destroy(struct bpf_walker *walker)
{
}

bool bpf_walker_is_at_events(const struct bpf_walker *walker)
{
	return true;
}

bool bpf_walker_fetches_memory(const struct bpf_walker *walker)
{
	return false;
}

struct error *bpf_walker_join_ring(struct bpf_walker *walker, int core, int ring_fd,
				   uint64_t sample_type, uint64_t *ret_id)
{
	return NULL;
}

struct error *bpf_walker_attach(struct bpf_walker *walker, const struct bpf_walker_event *event)
{
	return NULL;
}

struct error *bpf_walker_set_walk(struct bpf_walker *walker, uint32_t pid,
				  const struct kernel_walk *walk)
{
	return NULL;
}

bool bpf_walker_take_late(const struct bpf_walker *walker, struct walk_record *walk)
{
	return false;
}

bool bpf_walker_find_copy(const struct bpf_walker *walker, const struct object_copy_key *key,
			  struct object_copy *ret)
{
	return false;
}

uint64_t bpf_walker_num_lost(const struct bpf_walker *walker)
{
	return 0;
}

uint64_t bpf_walker_time_ns(const struct bpf_walker *walker)
{
	return 0;
}
