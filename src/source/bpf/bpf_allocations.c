// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_allocations.h"

#include "base/container/array.h"
#include "source/bpf/bpf_walker_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

// One program is at all functions that allocate, one where they return, and one at those that free:
// the cookie of a probe says where the size is. A probe stays as long as its link, which closes the
// probe's event as well.

struct bpf_allocations_probe {
	uint32_t pid;
	struct bpf_link *link;
};

struct bpf_allocations {
	const struct bpf_library *library;
	struct bpf_program *at_call, *at_return, *at_free;
	int settings, countdowns, allocators, rings, freed_rings; // maps
	uint32_t num_cores;
	struct allocation_setting setting;
	struct bpf_allocations_probe *probes;
	size_t num_probes, cap_probes;
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

struct error *bpf_allocations_create(struct bpf_walker *walker,
				     const struct bpf_allocations_config *config,
				     struct bpf_allocations **ret)
{
	_cleanup_(bpf_allocations_destroyp) struct bpf_allocations *allocations =
		calloc(1, sizeof(*allocations));
	if (!allocations)
		return &error_no_memory;
	allocations->library = bpf_walker_library(walker);
	allocations->at_call = bpf_walker_find_program(walker, "at_allocation");
	allocations->at_return = bpf_walker_find_program(walker, "at_allocation_return");
	allocations->at_free = bpf_walker_find_program(walker, "at_free");
	allocations->settings = bpf_walker_find_map(walker, "allocation_settings");
	allocations->countdowns = bpf_walker_find_map(walker, "countdowns");
	allocations->allocators = bpf_walker_find_map(walker, "allocators");
	allocations->rings = bpf_walker_find_map(walker, "allocation_rings");
	allocations->freed_rings = bpf_walker_find_map(walker, "freed_rings");
	allocations->num_cores = bpf_walker_num_cores(walker);
	allocations->setting.period = config->period;
	allocations->setting.sees_frees = config->sees_frees;
	allocations->setting.counts_thread = config->counts_threads;
	for (unsigned i = 0; i <= ALLOCATION_LOG_STEPS; i++)
		allocations->setting.logs[i] = fixed_log(1 + (double)i / ALLOCATION_LOG_STEPS);
	allocations->setting.log_of_2 = fixed_log(2);
	struct error *err = bpf_allocations_write_setting(allocations);
	if (err)
		return err;
	*ret = take_ptr(allocations);
	return NULL;
}

void bpf_allocations_detach(struct bpf_allocations *allocations, uint32_t pid)
{
	size_t num_left = 0;
	for (size_t i = 0; i < allocations->num_probes; i++) {
		if (allocations->probes[i].pid == pid)
			allocations->library->bpf_link__destroy(allocations->probes[i].link);
		else
			allocations->probes[num_left++] = allocations->probes[i];
	}
	allocations->num_probes = num_left;
	allocations->library->bpf_map_delete_elem(allocations->allocators, &pid);
}

void bpf_allocations_detach_all(struct bpf_allocations *allocations)
{
	while (allocations->num_probes)
		allocations->library->bpf_link__destroy(
			allocations->probes[--allocations->num_probes].link);
}

void bpf_allocations_destroy(struct bpf_allocations *allocations)
{
	if (!allocations)
		return;
	bpf_allocations_detach_all(allocations);
	free(allocations->probes);
	free(allocations);
}

struct error *bpf_allocations_set_output(struct bpf_allocations *allocations, int core, int fd,
					 int freed_fd)
{
	const struct bpf_library *library = allocations->library;
	uint32_t key = (uint32_t)core;
	if (!library->bpf_map_update_elem(allocations->rings, &key, &fd, BPF_ANY) &&
	    (freed_fd < 0 ||
	     !library->bpf_map_update_elem(allocations->freed_rings, &key, &freed_fd, BPF_ANY)))
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

struct error *bpf_allocations_attach(struct bpf_allocations *allocations, uint32_t pid, int fd,
				     enum allocation_kind kind, bool is_return)
{
	struct error *err = array_reserve(&allocations->probes, &allocations->cap_probes,
					  allocations->num_probes + 1);
	struct bpf_program *program = is_return                 ? allocations->at_return
				      : kind == ALLOCATION_FREE ? allocations->at_free
								: allocations->at_call;
	const struct bpf_perf_event_opts options = {.sz = sizeof(options), .bpf_cookie = kind};
	errno = 0;
	struct bpf_link *link = err ? NULL
				    : allocations->library->bpf_program__attach_perf_event_opts(
					      program, fd, &options);
	if (link) {
		allocations->probes[allocations->num_probes++] =
			(struct bpf_allocations_probe){pid, link};
		return NULL;
	}
	int errnum = errno;
	close(fd);
	return err ? err : error_create_errno(errnum, "cannot attach the BPF program to a probe");
}

struct error *bpf_allocations_switch(struct bpf_allocations *allocations, bool is_on)
{
	allocations->setting.is_on = is_on;
	return bpf_allocations_write_setting(allocations);
}

bool bpf_allocations_count_calls(const struct bpf_allocations *allocations, uint32_t pid,
				 struct bpf_allocations_calls *ret)
{
	struct allocation_process process;
	if (allocations->library->bpf_map_lookup_elem(allocations->allocators, &pid, &process))
		return false;
	*ret = (struct bpf_allocations_calls){process.num_calls, process.num_returns};
	return true;
}

struct bpf_allocations_losses bpf_allocations_losses(const struct bpf_allocations *allocations)
{
	uint32_t first = 0;
	struct bpf_allocations_losses losses = {0};
	_cleanup_free_ struct allocation_countdown *cores =
		calloc(allocations->num_cores, sizeof(*cores));
	if (!cores ||
	    allocations->library->bpf_map_lookup_elem(allocations->countdowns, &first, cores))
		return losses;
	for (uint32_t core = 0; core < allocations->num_cores; core++) {
		losses.num_samples += cores[core].num_lost;
		losses.num_frees += cores[core].num_lost_frees;
		losses.num_unseen += cores[core].num_unseen;
	}
	return losses;
}
