// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_calls.h"

struct error *bpf_calls_create(struct bpf_walker *walker, const struct call_setting *setting,
			       struct bpf_calls **ret)
{
	return error_create(ERROR_FAILED, "this wperf was built without BPF");
}

void bpf_calls_destroy(struct bpf_calls *calls)
{
}

struct error *bpf_calls_set_output(struct bpf_calls *calls, int core, int fd)
{
	return NULL;
}

struct error *bpf_calls_add_process(struct bpf_calls *calls, uint32_t pid, bool awaits_exec)
{
	return NULL;
}

struct error *bpf_calls_switch(struct bpf_calls *calls, bool is_on)
{
	return NULL;
}

struct error *bpf_calls_read(const struct bpf_calls *calls, uint64_t now_ns, struct call_table *ret)
{
	return NULL;
}

uint64_t bpf_calls_num_lost(const struct bpf_calls *calls)
{
	return 0;
}
