// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_wakes.h"

struct error *bpf_wakes_create(struct bpf_walker *walker, const struct wake_setting *setting,
			       struct bpf_wakes **ret)
{
	return error_create(ERROR_FAILED, "this wperf was built without BPF");
}

void bpf_wakes_destroy(struct bpf_wakes *wakes)
{
}

struct error *bpf_wakes_set_outputs(struct bpf_wakes *wakes, int core, int fd, int bare_fd)
{
	return NULL;
}

struct error *bpf_wakes_add_process(struct bpf_wakes *wakes, uint32_t pid)
{
	return NULL;
}

struct error *bpf_wakes_switch(struct bpf_wakes *wakes, bool is_on)
{
	return NULL;
}
