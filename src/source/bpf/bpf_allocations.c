// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_allocations.h"

#include "base/container/array.h"
#include "source/bpf/bpf_walker_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

// The program is one for all functions: the cookie of a probe says where the size is. A probe
// stays as long as its link, which closes the probe's event as well.

struct bpf_allocations {
	const struct bpf_library *library;
	struct bpf_program *program;
	int settings, countdowns, allocators, rings; // maps
	uint32_t num_cores;
	struct allocation_setting setting;
	struct bpf_link **links;
	size_t num_links, cap_links;
};

static struct error *bpf_allocations_write_setting(struct bpf_allocations *allocations)
{
	uint32_t first = 0;
	if (!allocations->library->bpf_map_update_elem(allocations->settings, &first,
						       &allocations->setting, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot set the period of allocations");
}

static uint32_t fixed_log(double value)
{
	return (uint32_t)lround(log(value) * (1 << ALLOCATION_FRACTION_BITS));
}

struct error *bpf_allocations_create(struct bpf_walker *walker, uint64_t period,
				     struct bpf_allocations **ret)
{
	_cleanup_(bpf_allocations_destroyp) struct bpf_allocations *allocations =
		calloc(1, sizeof(*allocations));
	if (!allocations)
		return &error_no_memory;
	allocations->library = bpf_walker_library(walker);
	allocations->program = bpf_walker_find_program(walker, "at_allocation");
	allocations->settings = bpf_walker_find_map(walker, "allocation_settings");
	allocations->countdowns = bpf_walker_find_map(walker, "countdowns");
	allocations->allocators = bpf_walker_find_map(walker, "allocators");
	allocations->rings = bpf_walker_find_map(walker, "allocation_rings");
	allocations->num_cores = bpf_walker_num_cores(walker);
	allocations->setting.period = period;
	for (unsigned i = 0; i <= ALLOCATION_LOG_STEPS; i++)
		allocations->setting.logs[i] = fixed_log(1 + (double)i / ALLOCATION_LOG_STEPS);
	allocations->setting.log_of_2 = fixed_log(2);
	struct error *err = bpf_allocations_write_setting(allocations);
	if (err)
		return err;
	*ret = take_ptr(allocations);
	return NULL;
}

void bpf_allocations_detach(struct bpf_allocations *allocations, size_t num_left)
{
	while (allocations->num_links > num_left)
		allocations->library->bpf_link__destroy(
			allocations->links[--allocations->num_links]);
}

void bpf_allocations_destroy(struct bpf_allocations *allocations)
{
	if (!allocations)
		return;
	bpf_allocations_detach(allocations, 0);
	free(allocations->links);
	free(allocations);
}

struct error *bpf_allocations_set_output(struct bpf_allocations *allocations, int core, int fd)
{
	uint32_t key = (uint32_t)core;
	if (!allocations->library->bpf_map_update_elem(allocations->rings, &key, &fd, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot write allocations to the buffer of core %d", core);
}

struct error *bpf_allocations_add_process(struct bpf_allocations *allocations, uint32_t pid,
					  const struct allocation_process *process)
{
	if (!allocations->library->bpf_map_update_elem(allocations->allocators, &pid, process,
						       BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot add process %u to the BPF program", pid);
}

void bpf_allocations_remove_process(struct bpf_allocations *allocations, uint32_t pid)
{
	allocations->library->bpf_map_delete_elem(allocations->allocators, &pid);
}

struct error *bpf_allocations_attach(struct bpf_allocations *allocations, int fd,
				     enum allocation_kind kind)
{
	struct error *err = array_reserve(&allocations->links, &allocations->cap_links,
					  allocations->num_links + 1);
	const struct bpf_perf_event_opts options = {.sz = sizeof(options), .bpf_cookie = kind};
	errno = 0;
	struct bpf_link *link = err ? NULL
				    : allocations->library->bpf_program__attach_perf_event_opts(
					      allocations->program, fd, &options);
	if (link) {
		allocations->links[allocations->num_links++] = link;
		return NULL;
	}
	int errnum = errno;
	close(fd);
	return err ? err : error_create_errno(errnum, "cannot attach the BPF program to a probe");
}

size_t bpf_allocations_num_probes(const struct bpf_allocations *allocations)
{
	return allocations->num_links;
}

struct error *bpf_allocations_switch(struct bpf_allocations *allocations, bool is_on)
{
	allocations->setting.is_on = is_on;
	return bpf_allocations_write_setting(allocations);
}

bool bpf_allocations_num_calls(const struct bpf_allocations *allocations, uint32_t pid,
			       uint64_t *ret)
{
	struct allocation_process process;
	if (allocations->library->bpf_map_lookup_elem(allocations->allocators, &pid, &process))
		return false;
	*ret = process.num_calls;
	return true;
}

uint64_t bpf_allocations_num_lost(const struct bpf_allocations *allocations)
{
	uint32_t first = 0;
	uint64_t num_lost = 0;
	_cleanup_free_ struct allocation_countdown *cores =
		calloc(allocations->num_cores, sizeof(*cores));
	if (!cores ||
	    allocations->library->bpf_map_lookup_elem(allocations->countdowns, &first, cores))
		return 0;
	for (uint32_t core = 0; core < allocations->num_cores; core++)
		num_lost += cores[core].num_lost;
	return num_lost;
}
