// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_wakes.h"

#include "source/bpf/bpf_walker_parts.h"

#include <errno.h>
#include <stdlib.h>

struct bpf_wakes {
	const struct bpf_library *library;
	int settings, processes, rings, bare_rings; // maps
	struct wake_setting setting;
};

static struct error *bpf_wakes_write_setting(struct bpf_wakes *wakes)
{
	uint32_t first = 0;
	if (!wakes->library->bpf_map_update_elem(wakes->settings, &first, &wakes->setting, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot switch the record of wake-ups");
}

struct error *bpf_wakes_create(struct bpf_walker *walker, const struct wake_setting *setting,
			       struct bpf_wakes **ret)
{
	struct bpf_wakes *wakes = calloc(1, sizeof(*wakes));
	if (!wakes)
		return &error_no_memory;
	wakes->library = bpf_walker_library(walker);
	wakes->settings = bpf_walker_find_map(walker, "wake_settings");
	wakes->processes = bpf_walker_find_map(walker, "wake_processes");
	wakes->rings = bpf_walker_find_map(walker, "wake_rings");
	wakes->bare_rings = bpf_walker_find_map(walker, "wake_bare_rings");
	wakes->setting = *setting;
	wakes->setting.is_on = false;
	struct error *err = bpf_wakes_write_setting(wakes);
	if (err) {
		bpf_wakes_destroy(wakes);
		return err;
	}
	*ret = wakes;
	return NULL;
}

void bpf_wakes_destroy(struct bpf_wakes *wakes)
{
	free(wakes);
}

struct error *bpf_wakes_set_outputs(struct bpf_wakes *wakes, int core, int fd, int bare_fd)
{
	uint32_t key = (uint32_t)core;
	const struct bpf_library *library = wakes->library;
	if (!library->bpf_map_update_elem(wakes->rings, &key, &fd, BPF_ANY) &&
	    !library->bpf_map_update_elem(wakes->bare_rings, &key, &bare_fd, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot write wake-ups to the buffer of core %d", core);
}

struct error *bpf_wakes_add_process(struct bpf_wakes *wakes, uint32_t pid)
{
	const uint32_t is_known = 1;
	if (!wakes->library->bpf_map_update_elem(wakes->processes, &pid, &is_known, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot add process %u to the BPF program", pid);
}

struct error *bpf_wakes_switch(struct bpf_wakes *wakes, bool is_on)
{
	wakes->setting.is_on = is_on;
	return bpf_wakes_write_setting(wakes);
}
