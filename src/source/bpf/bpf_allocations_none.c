// SPDX-License-Identifier: Apache-2.0
// Without BPF no walker is created, which these would need.

#include "source/bpf/bpf_allocations.h"

#include <unistd.h>

struct error *bpf_allocations_create(struct bpf_walker *walker, uint64_t period,
				     struct bpf_allocations **ret)
{
	return error_create(ERROR_FAILED, "this wperf was built without BPF");
}

void bpf_allocations_destroy(struct bpf_allocations *allocations)
{
}

struct error *bpf_allocations_set_output(struct bpf_allocations *allocations, int core, int fd)
{
	return NULL;
}

struct error *bpf_allocations_add_process(struct bpf_allocations *allocations, uint32_t pid,
					  const struct allocation_process *process)
{
	return NULL;
}

void bpf_allocations_remove_process(struct bpf_allocations *allocations, uint32_t pid)
{
}

struct error *bpf_allocations_attach(struct bpf_allocations *allocations, int fd,
				     enum allocation_kind kind)
{
	close(fd);
	return NULL;
}

void bpf_allocations_detach(struct bpf_allocations *allocations, size_t num_left)
{
}

size_t bpf_allocations_num_probes(const struct bpf_allocations *allocations)
{
	return 0;
}

struct error *bpf_allocations_switch(struct bpf_allocations *allocations, bool is_on)
{
	return NULL;
}

bool bpf_allocations_num_calls(const struct bpf_allocations *allocations, uint32_t pid,
			       uint64_t *ret)
{
	return false;
}

uint64_t bpf_allocations_num_lost(const struct bpf_allocations *allocations)
{
	return 0;
}
