// SPDX-License-Identifier: Apache-2.0
// Without BPF no walker is created, which these would need.

#include "source/bpf/bpf_allocations.h"

#include <unistd.h>

struct error *bpf_allocations_create(struct bpf_walker *walker,
				     const struct bpf_allocations_config *config,
				     struct bpf_allocations **ret)
{
	return error_create(ERROR_FAILED, "this wperf was built without BPF");
}

void bpf_allocations_destroy(struct bpf_allocations *allocations)
{
}

struct error *bpf_allocations_set_output(struct bpf_allocations *allocations, int core, int fd,
					 int freed_fd)
{
	return NULL;
}

struct error *bpf_allocations_add_process(struct bpf_allocations *allocations, uint32_t pid,
					  const struct allocation_process *process)
{
	return NULL;
}

struct error *bpf_allocations_attach(struct bpf_allocations *allocations, uint32_t pid, int fd,
				     enum allocation_kind kind, bool is_return)
{
	close(fd);
	return NULL;
}

void bpf_allocations_detach(struct bpf_allocations *allocations, uint32_t pid)
{
}

void bpf_allocations_detach_all(struct bpf_allocations *allocations)
{
}

struct error *bpf_allocations_switch(struct bpf_allocations *allocations, bool is_on)
{
	return NULL;
}

bool bpf_allocations_count_calls(const struct bpf_allocations *allocations, uint32_t pid,
				 struct bpf_allocations_calls *ret)
{
	return false;
}

struct bpf_allocations_losses bpf_allocations_losses(const struct bpf_allocations *allocations)
{
	return (struct bpf_allocations_losses){0};
}
